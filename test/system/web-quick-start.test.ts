import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/web-checks.ts'
import { dialogOf, press, webKeys } from '../support/browser/web-keys.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'
import { until } from '../support/until.ts'

let web: Web
before(async () => {
  web = await startWeb()
})
after(() => web.stop())

const shown = (page: Page, label: string) => page.getByLabel(label, { exact: true }).innerText()
const sh = async (script: string, env: Record<string, string> = {}) =>
  (await promisify(execFile)('sh', ['-c', script], { env: { PATH: process.env['PATH'] ?? '', ...env } })).stdout
const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')

test('without a sign-in: an agent signs up by the command shown, and rotates its key', async () => {
  const { page, assertClean } = await web.openPage()
  await page.goto('/dashboard/quick-start')
  const { apiKey, keySecret } = JSON.parse(await sh(await shown(page, 'Sign up in one call')))
  const key = { keyId: apiKey.keyId, keySecret }
  const { token } = (await web.callApi('POST /auth/api/token', { body: key })).body
  for (const name of ['The newest', '"{quoted}"']) await web.callApi('POST /auth/api-keys', { token, body: { name } })
  const commands = await shown(page, 'Rotate the key')
  const rotated = await sh(commands.replaceAll('plk_…', key.keyId).replaceAll('pls_…', keySecret))
  const newSecret = /"keySecret":"([^"]+)"/.exec(rotated)?.[1] ?? ''
  for (const secret of [keySecret, newSecret]) {
    const body = { ...key, keySecret: secret }
    assert.equal((await web.callApi('POST /auth/api/token', { body })).status, 200, 'the old one has its grace')
  }
  assert.notEqual(newSecret, keySecret)
  assert.equal(await page.getByRole('button', { name: 'Create a key and fill it in' }).count(), 0)
  assert.match(await page.getByRole('tabpanel').innerText(), /plk_…/)
  await page.getByRole('link', { name: 'Sign in to create a key' }).click()
  await page.waitForURL(`${web.origin}/?next=%2Fdashboard%2Fquick-start`)
  await assertClean()
})

test('the description for machines is where the page says', async () => {
  const { page } = await web.openPage()
  await page.goto('/dashboard/quick-start')
  const url = await page.getByRole('link', { name: 'openapi.json' }).getAttribute('href')
  const answer = await fetch(url ?? '')
  assert.match(((await answer.json()) as { openapi: string }).openapi, /^3\.1/)
})

test('the tabs follow the keyboard as WAI-ARIA says, on a phone too, and the choice is remembered', async () => {
  const { page, assertClean } = await web.openPage({ width: 360 })
  await page.goto('/dashboard/quick-start')
  await page.getByRole('tab', { name: 'curl' }).focus()
  for (const [key, language] of [
    ['ArrowRight', 'TypeScript'],
    ['ArrowLeft', 'curl'],
    ['ArrowLeft', 'Go'],
    ['ArrowRight', 'curl'],
    ['End', 'Go'],
    ['Home', 'curl'],
    ['End', 'Go'],
  ] as const) {
    await page.keyboard.press(key)
    assert.equal(await focused(page), language, key)
    const tabs = await page
      .getByRole('tab')
      .evaluateAll((all) =>
        all.map((tab) => [tab.textContent, tab.getAttribute('aria-selected'), tab.getAttribute('tabindex')].join(' ')),
      )
    assert.deepEqual(
      tabs,
      ['curl', 'TypeScript', 'Python', 'PHP', 'Go'].map(
        (each) => `${each} ${each === language ? 'true 0' : 'false -1'}`,
      ),
    )
    const panel = page.getByRole('tabpanel', { name: language, exact: true })
    assert.equal(await panel.getByRole('group').count(), 1)
    assert.equal(
      await page.getByRole('tab', { name: language, exact: true }).getAttribute('aria-controls'),
      await panel.getAttribute('id'),
    )
  }
  const box = await page.getByRole('tab', { name: 'Go' }).boundingBox()
  assert.ok(box && box.x + box.width <= 360, 'the chosen tab is in view')
  await page.keyboard.press('Tab')
  assert.match(await focused(page), /^package main/)
  await page.reload()
  await page.getByText('package main').waitFor()
  await assertAccessible(page, 'the tab of Go')
  await assertClean()
})

test('a key filled in is on the page until the person has stored it, nowhere else, and leaving asks', async () => {
  const { page, context, token, assertClean } = await webKeys(web).openAccount('filled')
  await page.goto('/dashboard/quick-start')
  await press(page, 'Create a key and fill it in')
  await dialogOf(page).getByLabel('Name').fill('My server')
  await press(dialogOf(page), 'Create key')
  await page.getByText('“My server” is filled in below.').waitFor()
  const secret = await shown(page, 'Key secret')
  assert.match(secret, /^pls_/)
  assert.ok((await page.getByRole('tabpanel').innerText()).includes(secret))
  assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Your key “My server”')
  const stored = async () =>
    JSON.stringify(await context.storageState()) +
    (await page.evaluate<string>(
      'JSON.stringify([{ ...sessionStorage }, history.state, document.title, location.href])',
    ))
  assert.ok(!(await stored()).includes(secret.slice(4, 24)))

  const [question] = await Promise.all([
    page.waitForEvent('dialog'),
    page.evaluate('setTimeout(() => location.reload(), 0)'),
  ])
  assert.equal(question.type(), 'beforeunload')
  await question.dismiss()
  // Another tab signs in as somebody else: the secret stays until it is stored, then the page is theirs.
  const others = await web.signInWithGoogle('somebody-else@gmail.com', 'Else')
  const other = await context.newPage()
  await other.goto('/healthz')
  await other.evaluate(`localStorage.setItem('token', '${others}')`)
  assert.equal(await shown(page, 'Key secret'), secret)
  await context.addInitScript(`if (location.origin === '${web.origin}') localStorage.setItem('token', '${others}')`)
  await Promise.all([page.waitForEvent('load'), press(page, 'I have stored the secret')])
  await page.locator('button[popovertarget]').getByText('Else').waitFor()
  assert.ok(!(await page.content()).includes(secret.slice(4, 24)))
  assert.ok(!(await stored()).includes(secret.slice(4, 24)))
  assert.deepEqual(
    (await webKeys(web).list(token)).map(({ name }) => name),
    ['My server'],
  )
  assert.deepEqual(await webKeys(web).list(others), [], 'nobody else got a key')

  await press(page, 'Create a key and fill it in')
  await press(dialogOf(page), 'Create key')
  await press(page, 'I have stored the secret')
  await page.getByRole('status').getByText('“API key” is ready to use.').waitFor()
  assert.match(await page.getByRole('tabpanel').innerText(), /plk_…/)
  await until(async () => (await focused(page)).startsWith('“API key” is ready'), 'the outcome has the focus')
  await assertAccessible(page, 'the quick start after a key was stored')
  await assertClean()
})
