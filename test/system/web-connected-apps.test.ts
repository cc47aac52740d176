/** "Connected apps" in Chromium: what each app may do, by its domain, and the end of its access. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { appsOf, connect, startApp } from '../support/accounts/apps.ts'
import type { App } from '../support/accounts/apps.ts'
import { assertAccessible } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Look, Web } from '../support/browser/web.ts'
import { postForm } from '../support/http/oauth.ts'
import { until } from '../support/until.ts'

let web: Web
before(async () => {
  web = await startWeb()
})
after(() => web.stop())

const service = { call: (...call: Parameters<Web['callApi']>) => web.callApi(...call) }
const statusOf = async (token: string): Promise<number> => (await web.callApi('GET /users/me', { token })).status
const hasFocus = async (one: Locator): Promise<boolean> => (await one.and(one.page().locator(':focus')).count()) === 1
const rowsOf = (page: Page) => page.locator('main').getByRole('listitem')
const disconnect = (row: Locator) => row.getByRole('button', { name: 'Disconnect' })
const hostOf = (app: App) => new URL(app.clientId).host

async function giveBack(app: App, token: string): Promise<void> {
  const answer = await postForm(service, '/oauth/revoke', { token, client_id: app.clientId })
  assert.equal(answer.status, 200, answer.text)
}

async function openAs(email: string, look?: Look) {
  const opened = await web.openPage(look)
  const token = await web.signInWithGoogle(email, 'Ana')
  await opened.page.goto('/healthz')
  await opened.page.evaluate(`localStorage.setItem('token', '${token}')`)
  return { ...opened, token }
}

/** A person's page with two apps: an assistant's, which was used, and one that may read. */
async function openWithApps(t: TestContext, email: string, look?: Look) {
  const opened = await openAs(email, look)
  const assistant = await startApp(t)
  const reader = await startApp(t, { client_name: 'Reports' })
  await connect(service, opened.token, assistant, {
    scope: 'payment_links:read payment_links:write',
    resource: `${web.origin}/api/v1/mcp`,
    restrictions: { scopes: ['payment_links:read', 'payment_links:write'], dailyAmount: { EUR: 5000 } },
  })
  const ofReader = await connect(service, opened.token, reader)
  await until(async () => (await appsOf(service, opened.token)).every(({ lastUsedAt }) => lastUsedAt !== null))
  await opened.page.goto('/dashboard/apps')
  await rowsOf(opened.page).nth(1).waitFor()
  return { ...opened, assistant, reader, ofReader }
}

test('each app is named by its domain first, with what it may do in words, its amounts, and its last use', async (t) => {
  const { page, assistant, reader, assertClean } = await openWithApps(t, 'ana@gmail.com')
  assert.deepEqual(await page.locator('main h2').allInnerTexts(), [hostOf(reader), hostOf(assistant)])
  const [ofReader = '', ofAssistant = ''] = await rowsOf(page).allInnerTexts()
  assert.match(ofReader, /Calls itself “Reports”[^]*Read payment links, read the account and its export\s/)
  assert.match(ofReader, /Works for\s+The API\s/)
  assert.match(ofAssistant, /^\S+\s+Calls itself “Lunch bot”[^]*Payment links only · €50\.00 a day\s/)
  assert.match(ofAssistant, /Works for\s+The tools for assistants \(MCP\)\s/)
  assert.match(ofAssistant, /Last used\s+just now\s+Ends by itself\s+in 7 days$/)
  const current = page.getByRole('navigation', { name: 'Sections' }).locator('[aria-current=page]')
  assert.equal(await current.getAttribute('aria-label'), 'Connected apps')
  await assertAccessible(page, 'connected apps')
  await assertClean()
})

test('"Disconnect" ends that app alone, on its next call, says so, and the activity names its domain', async (t) => {
  const { page, token, assistant, reader, ofReader, assertClean } = await openWithApps(t, 'bob@gmail.com')
  assert.equal(await statusOf(ofReader), 200)
  await disconnect(rowsOf(page).filter({ hasText: hostOf(reader) })).click()
  await page
    .getByRole('status')
    .getByText(`${hostOf(reader)} is disconnected. Its access has ended.`)
    .waitFor()
  await rowsOf(page).nth(1).waitFor({ state: 'detached' })
  assert.equal(await statusOf(ofReader), 401)
  assert.equal(await hasFocus(page.locator('main > div').last()), true)
  const left = await appsOf(service, token)
  assert.deepEqual(
    left.map(({ domain }) => domain),
    [hostOf(assistant)],
  )

  await page.goto('/dashboard/activity')
  const events = page.getByRole('listitem')
  await events.filter({ hasText: 'App disconnected' }).getByText(hostOf(reader)).waitFor()
  assert.equal(await events.filter({ hasText: 'App connected' }).count(), 2)
  await assertClean()
})

test('the activity says that an app has given its access back by itself', async (t) => {
  const { page, reader, ofReader } = await openWithApps(t, 'fay@gmail.com')
  await giveBack(reader, ofReader)
  await page.goto('/dashboard/activity')
  const event = page.getByRole('listitem').filter({ hasText: 'App disconnected' })
  await event.getByText(`${hostOf(reader)} · by the app itself`).waitFor()
})

test('a press is shown as pending and makes one call; unless it is confirmed, the app stays in the list', async (t) => {
  const { page, context, assistant, token } = await openWithApps(t, 'cia@gmail.com')
  const calls: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await context.route('**/auth/apps/*/revoke', async (route) => {
    calls.push(route.request().url())
    await released
    await route.abort()
  })
  const row = rowsOf(page).filter({ hasText: hostOf(assistant) })
  await disconnect(row).click()
  const pending = row.getByRole('button', { name: 'Disconnecting…' })
  assert.equal(await pending.getAttribute('aria-disabled'), 'true')
  await pending.click({ force: true })
  release()
  await page
    .getByRole('status')
    .getByText(`${hostOf(assistant)} may still have access.`)
    .waitFor()
  assert.equal(calls.length, 1)
  assert.equal(await rowsOf(page).count(), 2)
  await context.unroute('**/auth/apps/*/revoke')
  await disconnect(row).click()
  await row.waitFor({ state: 'detached' })
  assert.equal((await appsOf(service, token)).length, 1)
})

test('an app that has ended meanwhile disappears like one that was ended here', async (t) => {
  const { page, token, reader } = await openWithApps(t, 'dan@gmail.com')
  const [first] = await appsOf(service, token)
  assert.equal((await web.callApi(`POST /auth/apps/${first.id}/revoke`, { token })).status, 200)
  await disconnect(rowsOf(page).filter({ hasText: hostOf(reader) })).click()
  await rowsOf(page).nth(1).waitFor({ state: 'detached' })
})

test('without apps the page says how one is connected', async () => {
  const { page, assertClean } = await openAs('eve@gmail.com', { width: 360, locale: 'ro-RO' })
  await page.goto('/dashboard/apps')
  await page.getByRole('heading', { name: 'Nicio aplicație nu are acces' }).waitFor()
  await page.getByRole('link', { name: 'Conectează un asistent (în engleză)' }).click()
  await page.getByRole('heading', { name: 'Assistants and agents', exact: true }).waitFor()
  await assertClean()
})
