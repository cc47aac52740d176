import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { until } from '../support/until.ts'
import { startWeb } from '../support/browser/web.ts'
import type { OpenPage, Web } from '../support/browser/web.ts'

let web: Web
before(async () => {
  web = await startWeb()
})
after(() => web.stop())

type SignedIn = OpenPage & Readonly<{ token: string; email: string }>

async function openAs(name: string, path: string, look?: Parameters<Web['openPage']>[0]): Promise<SignedIn> {
  const email = `${name}@example.com`
  const opened = await web.openPage(look)
  const token = await web.signIn(opened.page, email, 'Ana')
  await opened.page.goto(path)
  return { ...opened, token, email }
}

const statusOf = async (token: string): Promise<number> => (await web.callApi('GET /users/me', { token })).status
const hasFocus = async (one: Locator): Promise<boolean> => (await one.and(one.page().locator(':focus')).count()) === 1
const keptToken = (page: Page) => page.evaluate<string | null>('localStorage.getItem("token")')

test('activity shows events in plain words, marks the alarming ones, and shows how often each happened', async () => {
  const { page, token, assertClean } = await openAs('activity', '/dashboard')
  const made = await web.callApi('POST /auth/api-keys', { token, body: { name: 'Billing' } })
  const { apiKey, keySecret } = made.body
  for (let time = 0; time < 3; time += 1) {
    await web.callApi('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret: 'pls_wrong' } })
  }
  await web.callApi('POST /auth/api-keys/leaked', {
    body: { secrets: [{ keySecret, seenAt: 'https://paste.example/1' }] },
  })
  // Failures are written behind.
  await until(async () =>
    (await web.callApi('GET /auth/events', { token })).body.events.some(
      (event: { type: string; times: number }) => event.type === 'exchange_refused' && event.times === 3,
    ),
  )

  await page.goto('/dashboard/activity')
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  const refused = page.getByRole('listitem').filter({ hasText: 'API key refused' })
  await refused.getByText('The secret was wrong.').waitFor()
  await refused.getByText('key “Billing” · from 127.0.0.1 · 3 times within an hour').waitFor()
  const leaked = page.getByRole('listitem').filter({ hasText: 'found in public' })
  await leaked.getByText('Seen at: https://paste.example/1').waitFor()
  const marked = await page.getByRole('listitem').filter({ hasText: 'Check this' }).locator('strong').allInnerTexts()
  assert.deepEqual(marked.toSorted(), ['API key refused', 'Secret of an API key found in public'])
  await page.getByRole('listitem').filter({ hasText: 'Signed in' }).getByText('With an e-mail link.').waitFor()
  await assertClean()
})

test('"Show more" adds older events, each once, and moves the focus there', async () => {
  const { page, token, assertClean } = await openAs('more', '/dashboard')
  const { apiKey } = (await web.callApi('POST /auth/api-keys', { token, body: { name: 'Often rotated' } })).body
  for (let time = 0; time < 55; time += 1) await web.callApi(`POST /auth/api-keys/${apiKey.id}/rotate`, { token })
  await page.goto('/dashboard/activity')
  const items = page.locator('main').getByRole('listitem')
  await items.nth(49).waitFor()
  assert.equal(await items.count(), 50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('Account created').waitFor()
  const all = (await web.callApi('GET /auth/events?limit=100', { token })).body.events
  assert.equal(await items.count(), all.length)
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
  assert.equal(await hasFocus(items.nth(50)), true)
  await assertClean()
})

test('"Sign out everywhere" asks for confirmation, then ends every token and leads to the sign-in page; keys stay', async () => {
  const { page, token, assertClean } = await openAs('everywhere', '/dashboard/activity')
  const { apiKey, keySecret } = (await web.callApi('POST /auth/api-keys', { token, body: {} })).body
  const key = { body: { keyId: apiKey.keyId, keySecret } }
  const { token: ofKey } = (await web.callApi('POST /auth/api/token', key)).body
  const button = page.getByRole('button', { name: 'Sign out everywhere' })
  await button.click()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await hasFocus(button), true)
  assert.equal(await statusOf(token), 200, 'nothing happened yet')
  await button.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByLabel('E-mail address').waitFor()
  assert.equal(page.url(), `${web.origin}/`)
  assert.equal(await keptToken(page), null)
  assert.deepEqual([await statusOf(token), await statusOf(ofKey)], [401, 401])
  assert.equal((await web.callApi('POST /auth/api/token', key)).status, 200)
  await assertClean()
})

test('every dialog has the same insets, also inside a panel, and a disabled "Cancel" looks disabled', async () => {
  const { page, assertClean } = await openAs('insets', '/dashboard/profile')
  const dialog = page.getByRole('dialog')
  const styleOf = (locator: Locator, ...names: string[]): Promise<unknown[]> =>
    locator.evaluate((element: any, of) => {
      const style = element.ownerDocument.defaultView.getComputedStyle(element)
      return of.map((each) => style[each])
    }, names)
  const insets: unknown[] = []
  for (const opens of ['Create key', 'Sign out everywhere', 'Delete account']) {
    await page.getByRole('button', { name: opens, exact: true }).click()
    insets.push(await styleOf(dialog, 'padding', 'borderTopColor', 'minHeight', 'alignContent'))
    if (opens === 'Delete account') break
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  assert.deepEqual(
    insets,
    insets.map(() => insets[0]),
  )
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Create key' }).click()
  const cancel = dialog.getByRole('button', { name: 'Cancel' })
  const enabled = await styleOf(cancel, 'color', 'backgroundColor')
  await page.route('**/api/v1/auth/api-keys', () => {})
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByRole('button', { name: 'Creating…' }).waitFor()
  const [color, background] = await styleOf(cancel, 'color', 'backgroundColor')
  assert.equal(await cancel.isDisabled(), true)
  assert.notEqual(color, enabled[0])
  assert.notEqual(background, enabled[1])
  await assertClean()
})

test('the title is at the same place on every page of the dashboard, and labelled code has a role', async () => {
  const { page, assertClean } = await openAs('titles', '/dashboard')
  const topOfText = (heading: any): number => {
    const range = heading.ownerDocument.createRange()
    range.selectNodeContents(heading)
    return range.getBoundingClientRect().top
  }
  for (const width of [1180, 360]) {
    await page.setViewportSize({ width, height: 740 })
    const tops: number[] = []
    for (const path of ['profile', 'payment-links', 'activity', 'quick-start']) {
      await page.goto(`/dashboard/${path}`)
      const title = page.getByRole('heading', { level: 1 })
      await title.waitFor()
      tops.push(await title.evaluate(topOfText))
      assert.equal(await page.locator('pre[aria-label]:not([role])').count(), 0, path)
    }
    assert.equal(new Set(tops).size, 1, tops.join())
  }
  await assertClean()
})

test('a name is edited in place: Escape cancels, and saving is confirmed and persists after a reload', async () => {
  const { page, token, assertClean } = await openAs('rename', '/dashboard/profile')
  const edit = page.getByRole('button', { name: 'Edit your name' })
  await edit.click()
  await page.keyboard.type('Not this')
  await page.keyboard.press('Escape')
  await page.locator('main').getByText('Ana', { exact: true }).waitFor()
  await edit.click()
  await page.keyboard.type('Ana Maria')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Name saved.').waitFor()
  assert.equal(await hasFocus(edit), true)
  await page.reload()
  await page.locator('main').getByText('Ana Maria', { exact: true }).waitFor()
  assert.equal((await web.callApi('GET /users/me', { token })).body.user.name, 'Ana Maria')
  await assertClean()
})

test('a page that cannot load its data says so once, and loads it again on request', async () => {
  const { page, context, assertClean } = await openAs('unreachable', '/dashboard')
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  for (const [path, shows] of [
    ['/dashboard/payment-links', 'No payment links yet'],
    ['/dashboard/activity', 'Account created'],
    ['/dashboard/profile', 'Create your first API key'],
  ] as const) {
    await context.route('**/api/v1/**', (route) => route.abort())
    await page.goto(path)
    await page.getByRole('alert').getByText('could not be reached').waitFor()
    assert.equal(await page.getByText('could not be reached').count(), 1, path)
    await context.unroute('**/api/v1/**')
    asked.length = 0
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(shows).waitFor()
    assert.equal(await page.getByText('could not be reached').count(), 0, path)
  }
  assert.equal(asked.filter((path) => path === '/api/v1/users/me').length, 1)
  await assertClean()
})

test('the export is a file with all the data, and the token is in no address', async () => {
  const { page, token, email, assertClean } = await openAs('export', '/dashboard/profile')
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'paylink-account.json')
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8'))
  const { body } = await web.callApi('GET /users/me/export', { token })
  assert.equal(saved.user.email, email)
  // Without the exports themselves, which are events.
  const withoutExports = (exported: any) => ({
    ...exported,
    events: exported.events.filter(({ type }: { type: string }) => type !== 'exported'),
  })
  assert.deepEqual(withoutExports(saved), withoutExports(body))
  assert.equal(saved.events[0].type, 'exported')
  assert.ok(asked.every((url) => !url.includes(token)))
  await page.getByRole('status').getByText('The file has been downloaded.').waitFor()
  await assertClean()
})

test('an account is deleted only by a person who types its address; then it is gone with its token and keys', async () => {
  const { page, token, email, assertClean } = await openAs('delete', '/dashboard/profile')
  const { apiKey, keySecret } = (await web.callApi('POST /auth/api-keys', { token, body: {} })).body
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  for (const text of ['are erased for good.', 'disabled at once, and erased when that change can no longer be undone.'])
    await dialog.getByText(text).waitFor()
  const confirm = dialog.getByRole('button', { name: 'Delete account' })
  await dialog.getByLabel(email).fill('other@example.com')
  assert.equal(await confirm.isDisabled(), true)
  await page.keyboard.press('Enter')
  assert.equal(await statusOf(token), 200)
  await dialog.getByLabel(email).fill(email)
  await confirm.click()
  await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor()
  assert.equal(await keptToken(page), null)
  assert.equal(await statusOf(token), 401)
  const exchange = await web.callApi('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } })
  assert.equal(exchange.status, 401)
  await page.goto('/dashboard/profile')
  await page.getByLabel('E-mail address').waitFor()
  await assertClean()
})

test('a token of a key, which may not delete the account, leads to a sign-in before anything is typed', async () => {
  const { page, token, assertClean } = await openAs('old', '/dashboard')
  const { apiKey, keySecret } = (await web.callApi('POST /auth/api-keys', { token, body: {} })).body
  const exchanged = await web.callApi('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } })
  await page.evaluate(`localStorage.setItem('token', ${JSON.stringify(exchanged.body.token)})`)
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in again' }).click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  assert.equal(await statusOf(token), 200)
  await assertClean()
})

test('Google is connected with its own button, shown on the profile, and disconnected after a confirmation', async () => {
  const { page, token, assertClean } = await openAs('google', '/dashboard/profile')
  const connection = async () => (await web.callApi('GET /auth/google/connection', { token })).body.connection
  await page.getByRole('link', { name: 'Connect Google' }).click()
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  const standIn = page.frameLocator('iframe')
  await standIn.getByRole('textbox').fill('other.address@gmail.com')
  await standIn.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('status').getByText('Google is connected.').waitFor()
  assert.equal(page.url(), `${web.origin}/dashboard/profile`)
  await page.getByText('other.address@gmail.com').waitFor()
  assert.equal((await connection()).email, 'other.address@gmail.com')
  await page.getByRole('button', { name: 'Disconnect' }).click()
  assert.notEqual(await connection(), null)
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('status').getByText('Google is disconnected.').waitFor()
  assert.equal(await connection(), null)
  await page.getByRole('link', { name: 'Connect Google' }).waitFor()
  await assertClean()
})

test('if Google’s script is blocked, the page says what to do and leads back', async () => {
  const { page } = await openAs('blocked', '/dashboard')
  await page.context().route('**/gsi/client', (route) => route.abort())
  await page.goto('/connect-google')
  await page.getByRole('alert').getByText('could not be loaded').waitFor()
  await page.getByRole('link', { name: 'Back to the profile' }).click()
  await page.waitForURL(`${web.origin}/dashboard/profile`)
})
