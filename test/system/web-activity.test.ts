/** The activity page: how it filters, and what can be done about an event that may be an attack. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventKinds, typesOfKind } from '../../src/domain/events/security-events.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'
import { assertAccessible } from '../support/browser/web-checks.ts'
import { press, webKeys } from '../support/browser/web-keys.ts'
import type { WebKeys } from '../support/browser/web-keys.ts'
import { until } from '../support/until.ts'
import { alerts, kindOf } from '../../web/src/event-kinds.ts'

let web: Web
let keys: WebKeys

before(async () => {
  web = await startWeb({ EXCHANGE_RATES_URL: 'off' })
  keys = webKeys(web)
})
after(() => web.stop())

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
const secretOf = (keySecret: string): string => `${keySecret.slice(0, 12)}${'x'.repeat(keySecret.length - 12)}`
const titles = (page: Page): Promise<string[]> => page.locator('main ol strong').allInnerTexts()
const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.innerText')

test('the page and the service agree about the kind of every event', () => {
  for (const kind of eventKinds) {
    const ofPage = kind === 'alert' ? [...alerts] : Object.keys(kindOf).filter((type) => kindOf[type as never] === kind)
    assert.deepEqual(ofPage.toSorted(), typesOfKind(kind).toSorted())
  }
})

test('an alert offers to revoke its key or to say "This was me", which this browser keeps until the sign-out', async () => {
  const { page, token, assertClean } = await keys.openAccount('ana')
  const billing = await keys.make(token, 'Billing')
  const laptop = await keys.make(token, 'Laptop')
  for (const { keyId, keySecret } of [billing, laptop]) {
    const call = { body: { keyId, keySecret: secretOf(keySecret) }, headers: { 'user-agent': CHROME } }
    assert.equal((await web.callApi('POST /auth/api/token', call)).status, 401)
  }
  // Failures are written behind.
  await until(async () => (await web.callApi('GET /auth/events?kind=alert', { token })).body.events.length === 2)
  await page.goto('/dashboard/activity')
  const row = (name: string) =>
    page.getByRole('listitem').filter({ hasText: 'API key refused' }).filter({ hasText: name })
  await row('Laptop').getByText('key “Laptop” · Chrome on Windows · from 127.0.0.1').waitFor()
  assert.equal(await page.getByText('Check this').count(), 2)
  assert.equal(
    await page
      .locator('main ol li')
      .filter({ hasNot: page.locator('svg') })
      .count(),
    0,
  )
  await assertAccessible(page, 'activity with alerts')

  await row('Laptop').getByRole('button', { name: 'This was me' }).press('Enter')
  await page.getByRole('status').getByText('Marked as you, in this browser, until you sign out.').waitFor()
  assert.match(await row('Laptop').innerText(), /This was you/)
  assert.equal(await row('Laptop').getByRole('button', { name: 'Revoke key' }).count(), 0)
  assert.equal(await focused(page), 'Not me after all')
  await assertAccessible(page, 'activity with a result')

  await row('Billing').getByRole('button', { name: 'Revoke key' }).press('Enter')
  await page.keyboard.press('Escape')
  assert.deepEqual(
    (await keys.list(token)).map(({ status }) => status),
    ['ACTIVE', 'ACTIVE'],
    'nothing happened yet',
  )
  await row('Billing').getByRole('button', { name: 'Revoke key' }).press('Enter')
  await press(page.getByRole('dialog'), 'Revoke key')
  await page.getByRole('status').getByText('“Billing” is revoked').waitFor()
  assert.equal(await page.locator('[role=status][class*=place] p').count(), 1, 'never two results at once')
  assert.match(await focused(page), /^API key refused/)
  assert.equal(await page.getByRole('button', { name: 'Revoke key' }).count(), 0)
  const left = (await keys.list(token)).filter(({ status }) => status === 'ACTIVE')
  assert.deepEqual(
    left.map(({ name }) => name),
    ['Laptop'],
  )

  await page.reload()
  await row('Laptop').getByText('This was you').waitFor()
  assert.equal(await page.getByText('Check this').count(), 1)
  const kept = 'localStorage.getItem("own-events")'
  await page.evaluate(
    `localStorage.setItem('own-events', ${kept}.replace(/"userId":"[^"]*"/, '"userId":"of another"'))`,
  )
  await page.reload()
  await page.getByText('Check this').nth(1).waitFor()
  await row('Laptop').getByRole('button', { name: 'This was me' }).click()
  assert.match(await page.evaluate<string>(kept), /^\{"userId":"[\w-]{36}","ids":\["[\w-]{36}"\]\}$/)
  await page.locator('button[popovertarget]').click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  assert.equal(await page.evaluate(kept), null)
  await assertClean()
})

test('the kind filters every page, is kept in the address, and has words for an empty list and a failed load', async () => {
  const { page, context, token, assertClean } = await keys.openAccount('cia', { width: 360, colorScheme: 'dark' })
  const { body } = await web.callApi('POST /payment-links', { token, body: { title: 'Lunch', amount: 1000 } })
  await web.callApi(`POST /payment-links/${body.paymentLink.id}/deactivate`, { token })
  const { apiKey } = (await web.callApi('POST /auth/api-keys', { token, body: { name: 'Rotated' } })).body
  for (let time = 0; time < 52; time += 1) await web.callApi(`POST /auth/api-keys/${apiKey.id}/rotate`, { token })
  await page.goto('/dashboard/activity')
  await page.getByText('Payment links', { exact: true }).last().click()
  await page.getByText('Payment links deactivated').waitFor()
  assert.deepEqual(await titles(page), ['Payment links deactivated'])
  assert.match(page.url(), /\?kind=payment_link$/)
  await page.reload()
  await page.getByText('Payment links deactivated').waitFor()
  assert.equal(await page.getByRole('radio', { name: 'Payment links' }).isChecked(), true)

  await page.getByText('API keys', { exact: true }).click()
  await page.getByText('API key got a new secret').nth(49).waitFor()
  await page.getByRole('button', { name: 'Show more' }).press('Enter')
  await page.getByText('API key created').waitFor()
  assert.equal((await titles(page)).length, 53)
  assert.match(await focused(page), /^API key got a new secret/)
  assert.equal(await page.getByText('Signed in').count(), 0)

  await page.getByText('To check').click()
  await page.getByText('Nothing to check.').waitFor()
  await page.getByText('is kept in this browser only, until you sign out').waitFor()
  assert.deepEqual(await titles(page), [])
  await assertAccessible(page, 'activity without alerts')
  await context.setOffline(true)
  await page.getByText('Account', { exact: true }).last().click()
  await page.getByRole('alert').getByText('could not be reached').waitFor()
  assert.equal(await page.getByRole('radio', { name: 'To check' }).isChecked(), true)
  assert.match(page.url(), /\?kind=alert$/, 'the address is of what is shown')
  await assertAccessible(page, 'activity that could not be loaded')
  await context.setOffline(false)
  await page.getByText('To check', { exact: true }).click()
  await page.getByText('Nothing to check.').waitFor()
  assert.equal(await page.getByRole('alert').innerText(), '', 'choosing again what is chosen ends the error')
  await context.setOffline(true)
  await page.getByText('Account', { exact: true }).last().click()
  await page.getByRole('alert').getByText('could not be reached').waitFor()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Account created').waitFor()
  assert.equal(await page.getByRole('alert').innerText(), '')
  await assertClean().catch((error: Error) => assert.match(error.message, /ERR_INTERNET_DISCONNECTED/))
})
