/** What an action did is said in one place; what can be undone is called once, by who acted, however the page is left. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'
import { assertAccessible, assertReachedByKeyboard } from '../support/browser/web-checks.ts'
import { webKeys } from '../support/browser/web-keys.ts'
import { stopwatch } from '../support/process/stopwatch.ts'
import { until } from '../support/until.ts'

let web: Web

before(async () => {
  web = await startWeb({ EXCHANGE_RATES_URL: 'off' })
})
after(() => web.stop())

const PATH = '/dashboard/payment-links'

type Acting = Readonly<{
  page: Page
  context: BrowserContext
  token: string
  /** The `Authorization` of each call that any document of the browser made. */
  calls(): Promise<string[]>
  isActive(): Promise<boolean>
}>

// A string, because it runs in the browser, which reports no requests of a document that is being left.
const noteCalls = `{
  const { fetch } = window
  window.fetch = (url, init) => {
    if (String(url).endsWith('/deactivate')) localStorage.calls = (localStorage.calls ?? '') + init.headers.authorization + ','
    return fetch(url, init)
  }
}`

/** A person's page on which the only link is being deactivated; nothing has been called yet. */
async function startDeactivation(name: string): Promise<Acting> {
  const token = await web.signInWithGoogle(`${name}@gmail.com`, name)
  const made = await web.callApi('POST /payment-links', { token, body: { title: 'Desk', amount: 1000 } })
  assert.equal(made.status, 201, made.text)
  const { page, context } = await web.openPage()
  await context.addInitScript(noteCalls)
  await page.goto('/')
  await page.evaluate(`localStorage.setItem('token', '${token}')`)
  await page.goto(PATH)
  await page.getByRole('button', { name: 'Deactivate: Desk' }).press('Enter')
  await resultOf(page).getByRole('button', { name: 'Undo' }).waitFor()
  const observer = await context.newPage()
  await observer.goto('/api/v1/auth/config')
  const calls = async (): Promise<string[]> =>
    (await observer.evaluate<string>('localStorage.calls ?? ""')).split(',').slice(0, -1)
  assert.deepEqual(await calls(), [])
  const isActive = async (): Promise<boolean> =>
    (await web.callApi(`GET /payment-links/${made.body.paymentLink.id}/public`)).body.paymentLink.status === 'ACTIVE'
  return { page, context, token, calls, isActive }
}

const resultOf = (page: Page) => page.getByRole('status', { name: 'Result' })

const ways: Readonly<Record<string, (acting: Acting) => Promise<unknown>>> = {
  'following a link': ({ page }) => page.getByRole('link', { name: 'Activity' }).first().click(),
  'closing the tab': ({ page }) => page.close(),
  reloading: ({ page }) => page.reload(),
  'hiding the tab': ({ page }) =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))`),
  'signing out': async ({ page }) => {
    await page.locator('button[popovertarget]').click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL(`${web.origin}/`)
  },
  'another tab signing in as another user': async ({ context }) => {
    const other = await web.signInWithGoogle('other@gmail.com')
    const tab = await context.newPage()
    await tab.goto('/signed-in')
    await tab.evaluate(`localStorage.setItem('token', '${other}')`)
  },
}

for (const [way, leave] of Object.entries(ways)) {
  test(`${way} makes the call at once, once, as the person who acted`, async () => {
    const acting = await startDeactivation(way.replaceAll(' ', '-'))
    await leave(acting)
    const tookMs = stopwatch()
    await until(async () => !(await acting.isActive()), `the link to be deactivated by ${way}`)
    assert.ok(tookMs() < 7000, 'before the ten seconds are over')
    assert.deepEqual(await acting.calls(), [`Bearer ${acting.token}`])
    await acting.context.close()
  })
}

test('Undo and its keyboard shortcut make no call, return the focus, and nothing about it is stored', async () => {
  const { page, context, calls, isActive } = await startDeactivation('undo')
  assert.doesNotMatch(
    await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'),
    /Desk|deactivate/,
  )
  await resultOf(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByRole('button', { name: 'Deactivate: Desk' }).waitFor()
  assert.notEqual(await page.evaluate('document.activeElement.tagName'), 'BODY')
  await page.getByRole('button', { name: 'Deactivate: Desk' }).press('Enter')
  await resultOf(page).getByRole('button', { name: 'Undo' }).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByRole('button', { name: 'Deactivate: Desk' }).waitFor()
  await page.goto('/dashboard/activity')
  await page.getByText('Account created').waitFor()
  assert.deepEqual(await calls(), [])
  assert.equal(await isActive(), true)
  await context.close()
})

test('the call is made after ten seconds, not while the result has the focus; a failed one brings the link back', async () => {
  const { page, context, calls, isActive } = await startDeactivation('time')
  await page.clock.install()
  await resultOf(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await page.route('**/deactivate', (route) => route.abort())
  await page.getByRole('button', { name: 'Deactivate: Desk' }).press('Enter')
  const undo = resultOf(page).getByRole('button', { name: 'Undo' })
  await undo.focus()
  await page.clock.runFor(40_000)
  assert.deepEqual(await calls(), [])
  await page.locator('h1').evaluate((heading: any) => {
    heading.tabIndex = -1
    heading.focus()
  })
  await page.clock.runFor(9000)
  assert.deepEqual(await calls(), [])
  await page.clock.runFor(1500)
  await resultOf(page).getByText('could not be reached').waitFor()
  assert.equal((await calls()).length, 1)
  await page.getByRole('button', { name: 'Deactivate: Desk' }).waitFor()
  assert.equal(await isActive(), true)

  await page.unrouteAll({ behavior: 'wait' })
  const answered = Promise.withResolvers<void>()
  await page.route('**/deactivate', (route) => answered.promise.then(() => route.continue()))
  await page.getByRole('button', { name: 'Deactivate: Desk' }).press('Enter')
  // A mouse that stays on the result keeps the link open for a minute more, not for ever.
  await undo.hover()
  await page.clock.runFor(69_000)
  assert.equal((await calls()).length, 1)
  await page.clock.runFor(1500)
  assert.equal((await calls()).length, 2)
  const acting = page.getByRole('button', { name: 'Deactivate: Desk', disabled: true })
  await acting.waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0, 'what is called cannot be undone')
  await acting.press('Enter')
  await assertAccessible(page, 'a link that is being deactivated')
  answered.resolve()
  await until(async () => !(await isActive()))
  await page.getByText('Inactive', { exact: true }).last().waitFor()
  assert.equal((await calls()).length, 2)
  await context.close()
})

test('an answer that is lost is not taken for a refusal, and a failure ends no other Undo', async () => {
  const { page, context, token, calls, isActive } = await startDeactivation('lost')
  await page.clock.install()
  await resultOf(page).getByRole('button', { name: 'Undo' }).press('Enter')
  // The service acts, and its answer does not arrive.
  await page.route('**/deactivate', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Deactivate: Desk' }).press('Enter')
  await page.clock.runFor(10_500)
  await page.getByText('Inactive', { exact: true }).last().waitFor()
  await until(async () => !(await isActive()))
  assert.equal(await resultOf(page).getByText('not').count(), 0, 'nothing failed')
  // The handler may not have ended: without it the request would go on, and its abort fail.
  await page.unrouteAll({ behavior: 'wait' })

  for (const title of ['First', 'Second']) {
    await web.callApi('POST /payment-links', { token, body: { title, amount: 1000 } })
  }
  await page.reload()
  const refused = Promise.withResolvers<void>()
  await page.route('**/deactivate', (route) => refused.promise.then(() => route.abort()))
  await page.getByRole('button', { name: 'Deactivate: First' }).press('Enter')
  await page.getByRole('button', { name: 'Deactivate: Second' }).press('Enter')
  await resultOf(page).getByText('Deactivating “Second”.').waitFor()
  await page.route('**/api/v1/payment-links/*', (route) => route.abort())
  refused.resolve()
  await page.getByRole('button', { name: 'Deactivate: First' }).waitFor()
  assert.equal((await calls()).length, 2, 'the second one is not called')
  await resultOf(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await resultOf(page).getByText('“Second” stays active.').waitFor()
  await page.clock.runFor(10_500)
  await resultOf(page).getByText('It is not known whether “First” was deactivated.').waitFor()
  assert.equal((await calls()).length, 2)
  await page.unrouteAll({ behavior: 'wait' })

  await page.getByRole('button', { name: 'Deactivate: Second' }).press('Enter')
  assert.equal((await web.callApi('POST /auth/tokens/revoke', { token })).status, 200)
  await page.clock.runFor(10_500)
  await resultOf(page)
    .getByText('“Second” was not deactivated and is still active. You are no longer signed in.')
    .waitFor()
  assert.equal(await page.evaluate('localStorage.token'), undefined)
  await assertAccessible(page, 'a result that leads to the sign-in')
  await resultOf(page).getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail address').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('next'), PATH)
  await context.close()
})

test('the empty region is there from the start, and a result is above the bar of a phone', async () => {
  const { page, context } = await webKeys(web).openAccount('phone', { width: 360 })
  await page.goto('/dashboard/profile')
  assert.equal(await resultOf(page).count(), 1)
  assert.equal(await resultOf(page).innerText(), '')
  await page.getByRole('button', { name: 'Edit your name' }).press('Enter')
  await page.keyboard.type('Phone')
  await page.keyboard.press('Enter')
  await resultOf(page).getByText('saved').waitFor()
  const [result, bar] = await Promise.all([
    resultOf(page).locator('p').boundingBox(),
    page.locator('nav').boundingBox(),
  ])
  assert.ok(result && bar && result.y + result.height <= bar.y)
  await assertAccessible(page, 'a page with a result')
  await assertReachedByKeyboard(page, 'a page with a result')
  await context.close()
})
