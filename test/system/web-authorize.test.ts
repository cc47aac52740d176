/** The consent page in Chromium: a person sees who asks for what, allows less, and is not hurried into it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { appsOf, redeem, startApp } from '../support/accounts/apps.ts'
import type { App } from '../support/accounts/apps.ts'
import { assertAccessible } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Look, OpenPage, Web } from '../support/browser/web.ts'
import { until } from '../support/until.ts'

let web: Web
before(async () => {
  web = await startWeb()
})
after(() => web.stop())

const service = { call: (...call: Parameters<Web['callApi']>) => web.callApi(...call) }
const allow = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true })
const askUrl = (app: App, scope = 'payment_links:read payment_links:write') =>
  `/api/v1/oauth/authorize?${app.query({ scope })}`

/** A signed-in person's page. The redirect of the app is answered by the test, and its query returned. */
async function openAs(email: string, look?: Look) {
  const opened = await web.openPage({ frontend: 'http://127.0.0.1:49152', ...look })
  const token = await web.signInWithGoogle(email, 'Ana')
  await opened.page.goto('/healthz')
  await opened.page.evaluate(`localStorage.setItem('token', '${token}')`)
  return { ...opened, token, returned: await answerRedirects(opened) }
}

async function answerRedirects({ context }: OpenPage) {
  const returned: URLSearchParams[] = []
  await context.route('http://127.0.0.1:49152/**', async (route) => {
    const url = new URL(route.request().url())
    if (url.pathname === '/callback') returned.push(url.searchParams)
    await route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">Connected' })
  })
  return returned
}

const waitArmed = (page: Page) =>
  page.locator('button[aria-disabled=false]', { hasText: /^(Allow|Permite)$/ }).waitFor()

test('names the domain first, its claims second, and gives the app what the person leaves of it [A62]', async (t) => {
  const app = await startApp(t)
  const { page, token, returned, assertClean } = await openAs('ana@gmail.com')
  await page.goto(askUrl(app))
  const { host } = new URL(app.clientId)
  await page.getByRole('heading', { name: `${host} asks for access to your account` }).waitFor()
  await page.getByText('It calls itself “Lunch bot”.').waitFor()
  await page.getByText('ana@gmail.com').waitFor()
  await page.getByText('127.0.0.1:49152').waitFor()
  await page.getByText('A program on this device gets the access.').waitFor()
  await page.getByText('It has access for at most seven days.').waitFor()
  assert.equal(await page.getByLabel('Change the account').count(), 0)
  await waitArmed(page)
  await assertAccessible(page, 'the consent page')
  await page.getByLabel('Read payment links').uncheck()
  await page.getByText('Limits on amounts, currencies and networks').click()
  await page.getByLabel('Per link, EUR').fill('5')
  await allow(page).click()
  await page.waitForURL('http://127.0.0.1:49152/**')
  const [query] = returned
  assert.equal(query?.get('state'), 'some state')
  assert.equal(query?.get('iss'), web.origin)
  const redeemed = await redeem(service, app, query?.get('code') ?? '')
  assert.equal(redeemed.body.scope, 'payment_links:write', redeemed.text)
  const [connected] = await appsOf(service, token)
  assert.deepEqual(connected.restrictions, { scopes: ['payment_links:write'], maxAmount: { EUR: 500 } })
  await assertClean()
})

test('a second request of the same app asks again [A51]', async (t) => {
  const app = await startApp(t)
  const { page, token, returned } = await openAs('bob@gmail.com')
  for (let n = 1; n <= 2; n += 1) {
    await page.goto(askUrl(app))
    await waitArmed(page)
    assert.equal(returned.length, n - 1)
    await allow(page).click()
    await page.waitForURL('http://127.0.0.1:49152/**')
    await redeem(service, app, returned.at(-1)?.get('code') ?? '')
  }
  assert.equal((await appsOf(service, token)).length, 2)
})

test('a refusal sends the person back without a code', async (t) => {
  const app = await startApp(t)
  const { page, token, returned, assertClean } = await openAs('cia@gmail.com')
  await page.goto(askUrl(app))
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.waitForURL('http://127.0.0.1:49152/**')
  assert.equal(returned[0]?.get('error'), 'access_denied')
  assert.equal(returned[0]?.get('code'), null)
  assert.deepEqual(await appsOf(service, token), [])
  await assertClean()
})

test('a click at once, a double click and a held key do not count [A65]', async (t) => {
  const app = await startApp(t)
  const { page, returned } = await openAs('dan@gmail.com')
  const decisions: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/oauth/authorize/decide')) decisions.push(request.method())
  })
  await page.goto(askUrl(app))
  await allow(page).waitFor()
  assert.equal(await allow(page).getAttribute('aria-disabled'), 'true')
  await allow(page).click({ force: true })
  await waitArmed(page)
  // As if another window had been in front.
  await page.evaluate('dispatchEvent(new Event("focus"))')
  await allow(page).click({ force: true })
  await waitArmed(page)
  assert.deepEqual(decisions, [])
  // Enter that is held since the page before: only repeats arrive.
  await allow(page).focus()
  await page.evaluate(`document.addEventListener('keydown', (event) =>
    Object.defineProperty(event, 'repeat', { value: true }), { capture: true, once: true })`)
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  assert.deepEqual(decisions, [])
  await allow(page).dblclick()
  await page.waitForURL('http://127.0.0.1:49152/**')
  assert.equal(decisions.length, 1)
  assert.equal(returned.length, 1)
})

test('without a sign-in, or with an old one, the person signs in first and comes back to the request', async (t) => {
  const app = await startApp(t)
  const opened = await web.openPage({ frontend: 'http://127.0.0.1:49152' })
  const { page, assertClean } = opened
  const returned = await answerRedirects(opened)
  const signIn = async () => {
    await page.getByText('Sign in to continue.').waitFor()
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByLabel('E-mail address that Google reports').fill('eva@gmail.com')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
  }
  await web.signInWithGoogle('eva@gmail.com', 'Eva')
  await page.goto(askUrl(app))
  assert.deepEqual(app.requests, [], 'nothing is fetched for a stranger')
  await signIn()
  await page.getByText('asks for access to your account').waitFor()
  await page.clock.setSystemTime(Date.now() + 11 * 60_000)
  await page.goto(askUrl(app))
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await signIn()
  await waitArmed(page)
  await allow(page).click()
  await page.waitForURL('http://127.0.0.1:49152/**')
  await until(async () => returned.length === 1, 'the app got its answer')
  assert.match(returned[0]?.get('code') ?? '', /^[\w-]{43}$/)
  await page.goto('/authorize')
  await page.getByText('No app asks for access').waitFor()
  await assertClean()
})

test('what cannot be allowed is said, and leads back only where the client is known [A3]', async (t) => {
  const app = await startApp(t)
  const { page, assertClean } = await openAs('fay@gmail.com')
  await page.goto(`/authorize?${app.query({ scope: 'everything' })}`)
  await page.getByRole('heading', { name: 'This app cannot be connected' }).waitFor()
  await page.getByText('invalid_scope').waitFor()
  const href = await page.getByRole('link', { name: 'Back to 127.0.0.1:49152' }).getAttribute('href')
  assert.equal(new URL(href ?? '').searchParams.get('error'), 'invalid_scope')
  await page.goto(`/authorize?${app.query({ redirect_uri: 'https://evil.example/' })}`)
  await page.getByText('invalid_request').waitFor()
  assert.equal(await page.getByRole('link', { name: /Back to/ }).count(), 0)
  await assertAccessible(page, 'the page of a refused app')
  await assertClean()
})

test('in Romanian, on a phone, in the dark', async (t) => {
  const app = await startApp(t)
  const { page, assertClean } = await openAs('gil@gmail.com', { locale: 'ro-RO', width: 360, colorScheme: 'dark' })
  await page.goto(askUrl(app))
  await page.getByText('cere acces la contul tău').waitFor()
  await waitArmed(page)
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing is cut off')
  await assertClean()
})

test('the browser takes nothing along: no Referer, no opener, and no way back to the decision [A23, A24, A27]', async (t) => {
  const app = await startApp(t)
  const { page, context, returned } = await openAs('hal@gmail.com')
  const referers: (string | undefined)[] = []
  context.on('request', (request) => {
    if (request.url().startsWith('http://127.0.0.1:49152/')) referers.push(request.headers()['referer'])
  })
  await page.goto(askUrl(app))
  await waitArmed(page)
  const asking = await context.request.get(page.url())
  assert.equal(asking.headers()['referrer-policy'], 'no-referrer')
  assert.equal(asking.headers()['cross-origin-opener-policy'], 'same-origin')
  await allow(page).click()
  await page.waitForURL('http://127.0.0.1:49152/**')
  assert.equal(returned.length, 1)
  assert.ok(referers.length > 0)
  assert.deepEqual(referers.filter(Boolean), [])
  await page.goBack()
  assert.equal(new URL(page.url()).pathname, '/healthz')
})

test('no page may frame it [A26]', async (t) => {
  const app = await startApp(t)
  const { headers } = await web.callApi(`GET /oauth/authorize?${app.query()}`)
  const page = await fetch(headers.get('location') ?? '')
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.equal(page.headers.get('x-frame-options'), 'DENY')
})
