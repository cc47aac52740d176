import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { until } from '../support/until.ts'
import { assertReachedByKeyboard, problemsOf } from '../support/browser/web-checks.ts'
import { dialogOf, press, shownSecret, webKeys } from '../support/browser/web-keys.ts'
import type { WebKeys } from '../support/browser/web-keys.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'

let web: Web
let keys: WebKeys
before(async () => {
  web = await startWeb()
  keys = webKeys(web)
})
after(() => web.stop())

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let steps = 0; steps < 40; steps++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('not reached by Tab')
}

test('a person without a key reads what one is for, and creates the first by keyboard alone', async () => {
  const { page, assertClean } = await web.openPage()
  const token = await web.signIn(page, 'keyboard@example.com', 'Key Board')
  await page.goto('/dashboard/profile')
  const section = page.getByRole('region', { name: 'API Access' })
  await section.getByRole('heading', { name: 'Create your first API key' }).waitFor()
  assert.match(await page.getByLabel('Exchange', { exact: true }).innerText(), /curl .*\/auth\/api\/token/)
  assert.equal(await page.getByRole('button', { name: /Create/ }).count(), 1)

  await tabTo(page, page.getByRole('button', { name: 'Create key' }))
  await page.keyboard.press('Enter')
  await dialogOf(page).getByRole('heading', { name: 'Create an API key' }).waitFor()
  await page.keyboard.type('  Nightly export ')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.getByText('Works until').waitFor()
  await tabTo(page, dialogOf(page).getByRole('button', { name: 'Create key' }))
  await page.keyboard.press('Enter')
  const done = dialogOf(page).getByRole('button', { name: 'I have stored the secret' })
  await done.waitFor()
  await tabTo(page, done)
  await page.keyboard.press('Enter')

  await page.getByText('“Nightly export” is ready to use.').waitFor()
  await dialogOf(page).waitFor({ state: 'detached' })
  await section.getByRole('row', { name: /Nightly export Active/ }).waitFor()
  await section.getByRole('button', { name: 'Create key', exact: true }).waitFor()
  const [key, ...others] = await keys.list(token)
  assert.deepEqual([key?.name, key?.status, others], ['Nightly export', 'ACTIVE', []])
  const days = (Date.parse(key?.expiresAt ?? '') - Date.now()) / 86_400_000
  assert.ok(days > 364 && days <= 365, `expires in ${days} days`)
  await assertClean()
})

test('the shown credentials can be exchanged unchanged, and the copy buttons copy exactly them', async () => {
  const { page, token, assertClean } = await keys.openAccount('exchange')
  await page.goto('/dashboard/profile')
  await press(page, 'Create key')
  await press(dialogOf(page), 'Create key')
  const { keyId, keySecret, env, curl } = await shownSecret(page)

  assert.equal(env, `PAYLINK_URL=${web.origin}/api/v1\nPAYLINK_KEY_ID=${keyId}\nPAYLINK_KEY_SECRET=${keySecret}`)
  const { stdout } = await promisify(execFile)('sh', ['-c', curl])
  const { paymentLinks } = (await web.callApi('GET /payment-links', { token })).body
  assert.equal(stdout, `${paymentLinks[0].url}\n`)
  for (const language of ['TypeScript', 'Python', 'PHP', 'Go', 'curl']) {
    await dialogOf(page).getByRole('tab', { name: language, exact: true }).click()
    const program = await dialogOf(page).getByRole('tabpanel').locator('pre').innerText()
    assert.ok(program.includes(keyId) && program.includes(keySecret), language)
  }
  await press(dialogOf(page), 'Copy: create-link.sh')
  await dialogOf(page).getByText('Copied').waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), curl)
  await press(dialogOf(page), 'I have stored the secret')

  await press(page, 'Copy the key id of API key')
  await page.getByText('Copied').waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), keyId)
  assert.deepEqual(
    (await keys.list(token)).map(({ name, expiresAt }) => [name, expiresAt !== null]),
    [['API key', true]],
  )
  await assertClean()
})

test('a dialog with a secret cannot be closed by mistake, and the secret is nowhere in the browser afterwards', async () => {
  const { page, context, assertClean } = await keys.openAccount('nowhere')
  await page.goto('/dashboard/profile')
  await press(page, 'Create key')
  await press(dialogOf(page), 'Create key')
  const { keySecret } = await shownSecret(page)
  // A part of this secret only: the page may store it in pieces.
  const part = keySecret.slice(4, 24)
  assert.ok((await page.content()).includes(part))

  for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  assert.ok(await dialogOf(page).isVisible())
  assert.equal((await shownSecret(page)).keySecret, keySecret)
  const [question] = await Promise.all([
    page.waitForEvent('dialog'),
    page.evaluate('setTimeout(() => location.reload(), 0)'),
  ])
  assert.equal(question.type(), 'beforeunload')
  await question.dismiss()
  assert.ok(await dialogOf(page).isVisible())
  assert.ok((await heapOf(page)).includes(part), 'control: while the secret is shown, it is in memory')

  await press(dialogOf(page), 'I have stored the secret')
  await page.getByText('is ready to use.').waitFor()
  assert.ok(!(await page.content()).includes(part))
  const kept = await page.evaluate<string>(`(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage },
    history.state, location.href, document.cookie, await indexedDB.databases(), await caches.keys()]))()`)
  assert.ok(!kept.includes(part), kept)
  assert.ok(!JSON.stringify(await context.storageState()).includes(part))
  await until(async () => !(await heapOf(page)).includes(part), 'the secret is gone from memory')
  await assertClean()
})

/** Everything the page's script can still reach, from a heap snapshot. */
async function heapOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  const heap = chunks.join('')
  assert.ok(heap.includes('Create your first API key'), 'the snapshot has the page’s texts')
  return heap
}

test('without a connection the dialog says so and creates nothing, and the same click works later', async () => {
  const { page, context, token, assertClean } = await keys.openAccount('offline')
  await page.goto('/dashboard/profile')
  await press(page, 'Create key')
  await dialogOf(page).getByLabel('Name').fill('Patient')
  await context.setOffline(true)
  await press(dialogOf(page), 'Create key')
  await dialogOf(page).getByRole('alert').getByText('could not be reached').waitFor()
  await context.setOffline(false)
  assert.deepEqual(await keys.list(token), [])
  await press(dialogOf(page), 'Create key')
  await press(dialogOf(page), 'I have stored the secret')
  await page.getByRole('row', { name: /Patient Active/ }).waitFor()
  assert.equal(await page.getByText('could not be reached').count(), 0)
  assert.equal((await keys.list(token)).length, 1)
  await assertClean()
})

test('a key that expires within a week is marked, and a revoked one is folded away', async () => {
  const { page, token, assertClean } = await keys.openAccount('marks')
  for (const [name, expiresInDays] of [
    ['Soon', 6],
    ['Later', 9],
  ] as const) {
    await web.callApi('POST /auth/api-keys', { token, body: { name, expiresInDays } })
  }
  const { body } = await web.callApi('POST /auth/api-keys', { token, body: { name: 'Gone' } })
  await web.callApi(`POST /auth/api-keys/${body.apiKey.id}/revoke`, { token })
  await page.goto('/dashboard/profile')
  const row = (name: RegExp): Locator => page.getByRole('row', { name })
  await row(/^Soon Active/)
    .locator('.badge.warn')
    .getByText(/^in \d days$/)
    .waitFor()
  assert.equal(
    await row(/^Later Active/)
      .locator('.badge.warn')
      .count(),
    0,
  )
  assert.equal(await page.getByText('Gone').isVisible(), false)
  await page.getByText('Inactive keys (1)').click()
  await row(/^Gone Revoked/).waitFor()
  await assertClean()
})

test('relative times count days by the calendar', async () => {
  const now = new Date(2026, 10, 22, 10, 0)
  const times: Readonly<Record<string, readonly [string, string]>> = {
    '2026-11-22T10:20': ['in 20 minutes', 'peste 20 de minute'],
    '2026-11-22T13:50': ['in 4 hours', 'peste 4 ore'],
    '2026-11-22T23:30': ['in 14 hours', 'peste 14 ore'],
    '2026-11-23T23:59': ['tomorrow', 'mâine'],
    '2026-11-24T09:00': ['in 2 days', 'poimâine'],
    '2026-11-25T09:00': ['in 3 days', 'peste 3 zile'],
    '2026-11-21T23:00': ['11 hours ago', 'acum 11 ore'],
    '2026-11-21T09:00': ['yesterday', 'ieri'],
    '2026-11-20T23:00': ['2 days ago', 'alaltăieri'],
  }
  for (const [index, locale] of ['en-GB', 'ro-RO'].entries()) {
    const { page, token, assertClean } = await keys.openAccount(`days${index}`, { locale })
    await keys.make(token, 'Key')
    await page.clock.setFixedTime(now)
    await page.route('**/api/v1/auth/api-keys', async (route) => {
      const { apiKeys } = await (await route.fetch()).json()
      const listed = Object.keys(times).map((at) =>
        Object.assign(structuredClone(apiKeys[0]), { id: at, name: at, expiresAt: new Date(at).toISOString() }),
      )
      await route.fulfill({ json: { apiKeys: listed } })
    })
    await page.goto('/dashboard/profile')
    for (const [at, texts] of Object.entries(times)) {
      await page
        .getByRole('row', { name: at })
        .getByText(texts[index] ?? '', { exact: true })
        .waitFor()
    }
    await assertClean()
  }
})

test('the Romanian list of keys is never wider than its place, in a wider font too', async () => {
  const { page, token, assertClean } = await keys.openAccount('wide', { locale: 'ro-RO' })
  await web.callApi('POST /auth/api-keys', { token, body: { name: 'Server de facturare', expiresInDays: 29 } })
  await page.route('**/api/v1/auth/api-keys', async (route) => {
    const { apiKeys } = await (await route.fetch()).json()
    const lastUsedAt = new Date(Date.now() - 29 * 86_400_000).toISOString()
    await route.fulfill({ json: { apiKeys: apiKeys.map((each: object) => Object.assign(each, { lastUsedAt })) } })
  })
  await page.goto('/dashboard/profile')
  await page.getByRole('table').waitFor()
  for (const letterSpacing of ['normal', '0.05em']) {
    await page.evaluate(`document.body.style.letterSpacing = '${letterSpacing}'`)
    for (const width of [1440, 1180, 1100, 1000, 860, 800, 770, 640, 500, 360]) {
      await page.setViewportSize({ width, height: 900 })
      const excess = await page.evaluate<
        number[]
      >(`[document.documentElement, ...document.querySelectorAll('main table')]
        .map((each) => Math.ceil(each.getBoundingClientRect().width - (each.parentElement?.clientWidth ?? innerWidth)))
        .concat(document.documentElement.scrollWidth - innerWidth)`)
      assert.ok(
        excess.every((pixels) => pixels <= 1),
        `${width} pixels, letter spacing ${letterSpacing}: ${excess.join()}`,
      )
    }
  }
  await assertClean()
})

// A string, because it runs in the browser.
const actionsOutOfView = `(() => {
  const boxes = [...document.querySelectorAll('dialog .actions button')].map((each) => each.getBoundingClientRect())
  const dialog = document.querySelector('dialog').getBoundingClientRect()
  const isFirst = boxes.length < 2 || boxes[1].top <= boxes[0].top
  return [...boxes.filter(({ bottom }) => bottom > dialog.bottom - 8), ...(isFirst ? [] : ['the action is not first'])]
})()`

test('the list and every dialog are accessible, and none is wider than a phone', async () => {
  for (const look of [{ width: 1180 }, { width: 360, colorScheme: 'dark', locale: 'ro-RO' }] as const) {
    const { page, token, assertClean } = await keys.openAccount(`looks${look.width}`, look)
    const parent = await keys.make(token, 'W'.repeat(100))
    await keys.make((await keys.exchange(parent)).body.token, 'Child')
    await page.setViewportSize({ width: look.width, height: 740 })
    await page.goto('/dashboard/profile')
    const acts = page
      .getByRole('table')
      .first()
      .getByRole('row')
      .last()
      .getByRole('button', { name: /^(Rotate|Revoke|Rotește|Revocă): / })
    const dialog = dialogOf(page)
    const check = async (what: string): Promise<void> => {
      assert.deepEqual(await problemsOf(page, what), [])
      assert.deepEqual(await page.evaluate(actionsOutOfView), [], `${what}: in view without scrolling`)
      const tooWide =
        "[...document.querySelectorAll('dialog, dialog pre')].filter((each) => each.scrollWidth > each.clientWidth)"
      assert.equal(await page.evaluate(`${tooWide}.length`), 0, `${what} scrolls sideways`)
    }
    await acts.first().click()
    await dialog.waitFor()
    await check('rotate')
    const brokenLines =
      "[...document.querySelectorAll('.unbroken')].filter((each) => each.checkVisibility() && getComputedStyle(each).display !== 'inline').length"
    assert.equal(await page.evaluate(brokenLines), 0)
    await dialog.locator('.actions button').last().click()
    await dialog.locator('pre').first().waitFor()
    await check('secret')
    await dialog.locator('.actions button').click()
    await acts.last().click()
    await dialog.getByRole('checkbox').waitFor()
    await check('revoke')
    await page.keyboard.press('Escape')
    await page.locator('section[aria-labelledby=api-access] > .row.apart > button').click()
    await dialog.waitFor()
    await check('create')
    await page.keyboard.press('Escape')
    await assertReachedByKeyboard(page, 'the list')
    await assertClean()
  }
})
