import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, settling } from '../support/browser/web-checks.ts'
import { press, webKeys } from '../support/browser/web-keys.ts'
import type { WebKeys } from '../support/browser/web-keys.ts'
import { findExpiring } from '../../web/src/pages/home/find-expiring.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'
import { stopwatch } from '../support/process/stopwatch.ts'
import { until } from '../support/until.ts'

const DAY_MS = 86_400_000
/** Longer than the interval of the polls. */
const POLL_MS = 5000
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()

let web: Web
let keys: WebKeys
before(async () => {
  web = await startWeb()
  keys = webKeys(web)
})
after(() => web.stop())

const setup = (page: Page) => page.getByRole('region', { name: /^(Get started|You are all set)$/ })
const recent = (page: Page) => page.getByRole('region', { name: 'Recent activity' })
const expiring = (page: Page) => page.getByRole('region', { name: 'Expires soon' })

/** Waits for the first use of the newest key to be readable; it is promised within seconds. */
async function isOnRecord(token: string): Promise<void> {
  const tookMs = stopwatch()
  await until(
    async () => (await web.callApi('GET /auth/api-keys', { token })).body.apiKeys[0].lastUsedAt !== null,
    'the first use is on record',
  )
  assert.ok(tookMs() < 10_000)
}

const measureShift = `
  window.shifted = 0
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shifted += value })
    .observe({ type: 'layout-shift', buffered: true })`

test('a sign-in ends at Home, and each step ticks when it is done, the first call while the page is watched', async () => {
  const { page, context, assertClean } = await web.openPage()
  await context.addInitScript(measureShift)
  await context.clock.install()
  const token = await web.signIn(page, 'steps@example.com')
  await page
    .getByRole('link', { name: 'Later' })
    .or(page.getByRole('link', { name: 'Skip' }))
    .first()
    .click()
  await page.waitForURL(`${web.origin}/dashboard`)
  await setup(page).getByText('0 of 5 done').waitFor()
  for (const [name, path] of [
    ['Add your name', '/dashboard/profile'],
    ['Create an API key', '/dashboard/quick-start'],
    ['Make the first call', '/dashboard/quick-start'],
    ['Create a payment link', '/dashboard/payment-links#new'],
    ['Connect Google', '/connect-google'],
  ] as const) {
    assert.equal(await setup(page).getByRole('link', { name }).getAttribute('href'), path)
  }
  const key = await keys.make(token, 'Live shop')
  await page.reload()
  await setup(page).getByText('Waiting for the first call…').waitFor()
  assert.equal(await setup(page).getByRole('link', { name: 'Create an API key' }).count(), 0)

  let reads = 0
  page.on('request', (request) => (reads += Number(request.url().endsWith('/auth/api-keys'))))
  await page.evaluate('shifted = 0')
  const exchanged = await keys.exchange(key)
  await web.callApi('POST /payment-links', { token: exchanged.body.token, body: { amount: 1000, title: 'Logo' } })
  await isOnRecord(token)
  await page.clock.runFor(POLL_MS)
  await setup(page).getByText('3 of 5 done').waitFor()
  await page.getByRole('status').getByText('Done: Create a payment link.').waitFor()
  assert.equal(await setup(page).getByRole('link', { name: 'Make the first call' }).count(), 0)
  assert.equal(await setup(page).getByRole('link', { name: 'Create a payment link' }).count(), 0)
  assert.equal(await page.evaluate('shifted'), 0)
  await assertAccessible(page, 'Home with three steps done')
  const readsThen = reads
  await page.clock.runFor(POLL_MS)
  assert.equal(reads, readsThen, 'nothing is polled for once the call is seen')
  await assertClean()
})

test('a hidden page asks for nothing, and an unreachable service is said and tried again', async () => {
  const { page, context, token, assertClean } = await keys.openAccount('waits')
  const key = await keys.make(token, 'Live shop')
  await context.clock.install()
  await page.goto('/dashboard')
  await setup(page).getByText('Waiting for the first call…').waitFor()
  await context.route('**/api/v1/auth/api-keys', (route) => route.abort())
  await page.clock.runFor(POLL_MS)
  await setup(page).getByText('The service cannot be reached. Trying again…').waitFor()
  assert.equal(await page.getByRole('alert').getByText(/./).count(), 0, 'what was loaded stays')
  await context.unrouteAll({ behavior: 'wait' })
  await web.callApi('GET /users/me/export', { token })
  await page.clock.runFor(POLL_MS)
  await recent(page).getByText('All data of the account exported').waitFor()
  await setup(page).getByText('Waiting for the first call…').waitFor()
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })`)
  await keys.exchange(key)
  await isOnRecord(token)
  let reads = 0
  page.on('request', () => (reads += 1))
  await page.clock.runFor(POLL_MS)
  assert.equal(reads, 0)
  await page.evaluate(`delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))`)
  await setup(page).getByText('4 of 5 done').waitFor()
  await assertClean()
})

test('when all steps are done the list is gone; it can be hidden, by this user only and until the sign-out', async () => {
  const { page, context, assertClean } = await web.openPage({ width: 360 })
  const token = await web.signInWithGoogle('hides@gmail.com', 'Ana')
  await page.goto('/healthz')
  await page.evaluate(`localStorage.setItem('token', '${token}')`)
  const settle = settling(page)
  await page.goto('/dashboard')
  await page.getByRole('navigation').getByRole('link', { name: 'Payment links' }).waitFor()
  const heights =
    "[...document.querySelectorAll('nav a')].map((each) => [...each.children].some((part) => part.offsetHeight > 20) || each.scrollWidth > each.clientWidth)"
  assert.deepEqual(await page.evaluate(heights), [false, false, false, false, false, false], 'one line each')
  await press(page, 'Hide the first steps')
  assert.equal(await setup(page).count(), 0)
  assert.equal(await page.evaluate('document.activeElement.id'), 'content')
  await page.reload()
  await recent(page).getByText('Account created').waitFor()
  assert.equal(await setup(page).count(), 0)

  const other = await web.signInWithGoogle('hides-not@gmail.com', 'Else')
  await page.evaluate(`localStorage.setItem('token', '${other}')`)
  await page.reload()
  await setup(page).waitFor()
  await page.evaluate(`localStorage.setItem('token', '${token}')`)
  await page.reload()
  await recent(page).getByText('Account created').waitFor()
  assert.equal(await setup(page).count(), 0, 'another user changes nothing')
  assert.equal((await web.callApi('POST /auth/tokens/revoke', { token })).status, 200)
  await page.reload()
  await page.getByLabel('E-mail address').waitFor()
  const again = await web.signInWithGoogle('hides@gmail.com')
  await page.evaluate(`localStorage.setItem('token', '${again}')`)
  await page.goto('/dashboard')
  await recent(page).getByText('Account created').waitFor()
  assert.equal(await setup(page).count(), 0, 'the end of a token is no sign-out')
  await page.locator('button[popovertarget]').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail address').waitFor()
  assert.deepEqual(await page.evaluate('Object.keys(localStorage)'), [])

  const last = await web.signInWithGoogle('hides@gmail.com')
  const key = await keys.make(last, 'Live shop')
  await keys.exchange(key)
  await web.callApi('POST /payment-links', { token: last, body: { amount: 1000, title: 'Logo' } })
  await isOnRecord(last)
  await context.addInitScript(`localStorage.setItem('token', '${last}')`)
  const reads: string[] = []
  page.on('request', (request) => reads.push(new URL(request.url()).pathname.replace('/api/v1', '')))
  await page.goto('/dashboard')
  await recent(page).getByText('API key created').waitFor()
  await settle()
  assert.equal(await setup(page).count(), 0)
  for (const path of ['/payment-links', '/auth/events', '/auth/api-keys']) {
    assert.equal(reads.filter((each) => each === path).length, 1, path)
  }
  await assertClean()
})

test('it shows the last five events and what expires within 14 days, and says when there is nothing', async () => {
  const { page, token, assertClean } = await keys.openAccount('shows')
  await page.goto('/dashboard')
  await recent(page).getByText('Account created').waitFor()
  await expiring(page).getByText('No key or payment link expires in the next 14 days.').waitFor()
  for (const [name, expiresInDays] of [
    ['Soon', 10],
    ['Late', 15],
    ['Today', 1],
    ['Gone', 2],
    ['Never', undefined],
  ] as const) {
    const made = await web.callApi('POST /auth/api-keys', {
      token,
      body: { name, ...(expiresInDays && { expiresInDays }) },
    })
    assert.equal(made.status, 201, made.text)
    if (name === 'Gone') await web.callApi(`POST /auth/api-keys/${made.body.apiKey.id}/revoke`, { token })
  }
  for (const [title, days] of [
    ['Design', 5],
    ['Support', 30],
    ['Ended', 3],
  ] as const) {
    const body = { amount: 1000, title, expiresAt: inDays(days) }
    const made = await web.callApi('POST /payment-links', { token, body })
    assert.equal(made.status, 201, made.text)
    const { id } = made.body.paymentLink
    if (title === 'Ended') await web.callApi(`POST /payment-links/${id}/deactivate`, { token })
  }
  const endless = (count: number) => Array.from({ length: count }, () => ({ title: 'Endless' }))
  web.storeLinks(token, [{ title: 'Behind 50 others', expiresAtMs: Date.now() + 3 * DAY_MS }, ...endless(50)])
  await page.reload()
  await expiring(page).getByText('Design').waitFor()
  assert.deepEqual(await expiring(page).getByRole('link').allInnerTexts(), [
    'Today',
    'Behind 50 others',
    'Design',
    'Soon',
  ])
  assert.equal(await expiring(page).getByText('were searched').count(), 0)
  assert.equal(
    await expiring(page).getByRole('link', { name: 'Design' }).getAttribute('href'),
    '/dashboard/payment-links',
  )
  assert.equal(await recent(page).getByRole('listitem').count(), 5)
  await page.setViewportSize({ width: 800, height: 740 })
  const widths =
    "[...document.querySelectorAll('[aria-labelledby=setup] li > div')].map((each) => each.lastElementChild.clientWidth || each.lastElementChild.getBoundingClientRect().width)"
  const narrowest = Math.min(...(await page.evaluate<number[]>(widths)))
  assert.ok(narrowest > 200, `${narrowest} pixels for the text of a step`)
  assert.match(await recent(page).getByRole('listitem').first().innerText(), /^Payment links deactivated/)
  web.storeLinks(token, endless(100))
  await page.reload()
  await expiring(page).getByText('Of your open payment links, the 150 newest were searched.').waitFor()
  await assertAccessible(page, 'Home')
  await assertClean()
})

test('a key counts as expiring within 14 days and for 7 days after, a payment link only before, whatever the clock here says', () => {
  const nowMs = Date.parse('2026-11-23T12:00:00Z')
  const at = (days: number): string => new Date(nowMs + days * DAY_MS).toISOString()
  const key = (name: string, days: number | null, status: 'ACTIVE' | 'AWAITS_OWNER' | 'EXPIRED' | 'REVOKED') => ({
    id: name,
    name,
    status,
    expiresAt: days === null ? null : at(days),
  })
  const all = [
    key('in 14 days', 14, 'ACTIVE'),
    key('in 15 days', 15, 'ACTIVE'),
    key('waiting', 1, 'AWAITS_OWNER'),
    key('never', null, 'ACTIVE'),
    key('revoked', 2, 'REVOKED'),
    key('7 days ago', -6.9, 'EXPIRED'),
    key('8 days ago', -8, 'EXPIRED'),
    key('expired by the service', 0.1, 'EXPIRED'),
    key('expired since the answer', -0.1, 'ACTIVE'),
  ]
  assert.deepEqual(
    findExpiring(all, [], nowMs).map(({ name, isPast }) => `${name}${isPast ? ', past' : ''}`),
    ['7 days ago, past', 'expired since the answer, past', 'expired by the service, past', 'waiting', 'in 14 days'],
  )
})

test('each part that cannot be loaded says so by itself, and loads again on request', async () => {
  const { page, context, assertClean } = await keys.openAccount('fails', { colorScheme: 'dark' })
  await context.route('**/api/v1/auth/events*', (route) => route.abort())
  await page.goto('/dashboard')
  await recent(page).getByRole('alert').getByText('could not be reached').waitFor()
  await expiring(page).getByText('No key or payment link expires').waitFor()
  assert.equal(await setup(page).getByText('2 of 5 done').count(), 1)
  assert.equal(await page.getByText('could not be reached').count(), 1)
  await assertAccessible(page, 'Home with a part that failed')
  await context.unrouteAll({ behavior: 'wait' })
  await press(recent(page).page(), 'Try again')
  await recent(page).getByText('Account created').waitFor()
  assert.equal(await page.getByText('could not be reached').count(), 0)

  await context.route('**/api/v1/payment-links*', (route) => route.abort())
  await page.reload()
  await expiring(page).getByRole('alert').getByText('could not be reached').waitFor()
  await recent(page).getByText('Account created').waitFor()
  assert.equal(await page.getByText('No key or payment link expires').count(), 0, 'nothing is claimed')
  assert.equal(await setup(page).count(), 0, 'nothing is claimed')
  await assertClean()
})
