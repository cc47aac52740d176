import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { callAt } from '../support/http/call.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'

let web: Web
before(async () => {
  web = await startWeb({ RATE_LIMIT_REQUEST_REPEAT: '1/4s', RATE_LIMIT_REQUEST_ADDRESS_CLIENT: '2/30m' })
})
after(() => web.stop())

async function askForLink(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'E-mail me a link' }).click()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
}

const tokenIn = (page: Page) => page.evaluate<string | null>('localStorage.getItem("token")')

/** Every address that the back button could lead to. */
async function historyOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { entries } = await session.send('Page.getNavigationHistory')
  return entries.map(({ url }) => url)
}

test('a person types an address, opens the mail, clicks once, and is signed in; the token works', async () => {
  const { page, context, assertClean } = await web.openPage()
  await page.goto('/')
  // The field has the focus at once.
  await page.locator('#email:focus').waitFor()
  await page.keyboard.type('ana@example')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Enter a full e-mail address').waitFor()
  await page.locator('#email[aria-invalid=true]:focus').waitFor()
  await askForLink(page, 'ana@example.com')
  // The focus makes a screen reader announce the new page.
  await page.locator('h1:focus').waitFor()
  await page.getByText('ana@example.com').waitFor()
  const [mailbox] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Open the development mailbox' }).click(),
  ])
  await mailbox.getByRole('heading', { name: 'Development mailbox' }).waitFor()
  await mailbox.close()

  await page.goto(await web.mailedLink('ana@example.com'))
  await page.getByText('You are signing in as a***@example.com.').waitFor()
  assert.equal(await tokenIn(page), null, 'nothing happens before the click')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/onboarding*')
  const me = await web.callApi('GET /users/me', { token: (await tokenIn(page)) ?? '' })
  assert.equal(me.body.user.email, 'ana@example.com')
  await assertClean()
})

test('neither the address bar nor the history ever contains a token', async () => {
  const { page, assertClean } = await web.openPage()
  await page.goto('/')
  await askForLink(page, 'bob@example.com')
  await page.goto(await web.mailedLink('bob@example.com'))
  await page.getByText('You are signing in as').waitFor()
  assert.equal(page.url(), `${web.origin}/confirm`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/onboarding*')
  const history = await historyOf(page)
  assert.ok(history.length > 1)
  assert.doesNotMatch(history.join(' '), /#|token|eyJ/)
  await assertClean()
})

test("the link can be sent again after the page's countdown, which follows the service's limit; before that nothing is sent", async () => {
  const { page, assertClean } = await web.openPage()
  await page.goto('/')
  await askForLink(page, 'cia@example.com')
  const waiting = page.getByRole('button', { name: /Send again in [1-4] seconds?/ })
  await waiting.waitFor()
  assert.equal(await waiting.isDisabled(), true)
  await page.getByRole('button', { name: 'Send again', exact: true }).click()
  await page.getByText('Sent again.').waitFor()
  // The second mail is the last one for a while.
  await page.getByRole('button', { name: /Send again in 1[45] minutes/ }).waitFor()
  // With a clock that is ahead the page asks too early; then it counts down the refusal's time.
  await page.clock.setSystemTime(Date.now() + 20 * 60_000)
  await page.getByRole('button', { name: 'Send again', exact: true }).click()
  await page
    .getByRole('alert')
    .getByText(/Try again in 1[45] minutes/)
    .waitFor()
  await page.locator('button:focus', { hasText: /Send again in 1[45] minutes/ }).waitFor()

  await page.getByRole('button', { name: 'Use another address' }).click()
  await page.getByLabel('E-mail address').fill('cia@example.com')
  await page.getByRole('button', { name: 'E-mail me a link' }).click()
  await page
    .getByRole('alert')
    .getByText(/Try again in 1[45] minutes/)
    .waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Check your inbox' }).count(), 0)
  assert.equal(await page.getByRole('button', { name: /E-mail me a link in 1[45] minutes/ }).isDisabled(), true)
  await page.getByLabel('E-mail address').press('x')
  assert.equal(
    await page.getByRole('button', { name: 'E-mail me a link', exact: true }).isDisabled(),
    false,
    'another address need not wait',
  )
  const [first, second] = [await web.mailedLink('cia@example.com'), await web.mailedLink('cia@example.com')]
  assert.notEqual(first, second)
  const { text } = await callAt(web.origin, 'GET /dev/mailbox')
  assert.equal(text.split('To cia@example.com').length, 3, 'two mails')
  await assertClean()
})

test('when a link is used in another tab, the tab that requested it continues', async () => {
  const { page, context, assertClean } = await web.openPage()
  await page.goto('/')
  await askForLink(page, 'eva@example.com')
  const other = await context.newPage()
  await other.goto(await web.mailedLink('eva@example.com'))
  await other.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/(dashboard|onboarding)/)
  await assertClean()
})

test('a used or invalid link leads to requesting a new one', async () => {
  const { page, assertClean } = await web.openPage()
  await page.goto('/')
  await askForLink(page, 'fay@example.com')
  const link = await web.mailedLink('fay@example.com')
  const token = new URL(link).searchParams.get('token') ?? ''
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.equal((await web.callApi(`GET /auth/verify?token=${token}`)).status, 200)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  assert.equal(await tokenIn(page), null)

  await page.goto('/confirm#token=never-was-one')
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  await page.getByRole('link', { name: 'Get a new link' }).click()
  await page.getByLabel('E-mail address').waitFor()
  await assertClean()
})

test('an untrusted redirectTo in the address leads nowhere else and does not use the link up', async () => {
  const { page, assertClean } = await web.openPage()
  await page.goto('/')
  await askForLink(page, 'gus@example.com')
  const token = new URL(await web.mailedLink('gus@example.com')).searchParams.get('token') ?? ''
  await page.goto(`/confirm#token=${token}&redirectTo=https://evil.example/`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText(/\w/).waitFor()
  assert.equal(page.url(), `${web.origin}/confirm`)
  assert.equal(await tokenIn(page), null)
  assert.equal((await web.callApi(`GET /auth/verify?token=${token}`)).status, 200)
  await assertClean()
})

test('after an expired sign-in, a new one leads back to the same page', async () => {
  const { page, assertClean } = await web.openPage()
  // With Google, to avoid waiting for a second link.
  const token = await web.signInWithGoogle('hal@gmail.com', 'Hal')
  await page.goto('/')
  await page.evaluate(`localStorage.setItem('token', '${token}')`)
  await page.goto('/dashboard/activity')
  await page.getByRole('button', { name: 'Hal' }).waitFor()
  assert.equal((await web.callApi('POST /auth/tokens/revoke', { token })).status, 200)
  await page.reload()
  await page.waitForURL('**/?next=*')
  await page.getByText('Sign in to continue.').waitFor()
  assert.equal(await tokenIn(page), null)
  await askForLink(page, 'hal@gmail.com')
  await page.goto(await web.mailedLink('hal@gmail.com'))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${web.origin}/dashboard/activity`)
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
  await assertClean()
})

test('signing out deletes the token in every tab', async () => {
  const { page, context, assertClean } = await web.openPage()
  await web.signIn(page, 'kim@example.com', 'Kim')
  const other = await context.newPage()
  await other.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Kim' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByLabel('E-mail address').waitFor()
  await other.getByLabel('E-mail address').waitFor()
  assert.equal(await tokenIn(page), null)
  assert.doesNotMatch(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'), /eyJ|kim/)
  await assertClean()
})

test('the page to continue to is one of this service, whatever the address says', async () => {
  const { page, assertClean } = await web.openPage()
  await web.signIn(page, 'ivy@example.com', 'Ivy')
  for (const next of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/api/v1/users/me',
  ]) {
    await page.goto(`/?next=${encodeURIComponent(next)}`)
    await page.waitForURL(`${web.origin}/dashboard`)
  }
  await assertClean()
})

test('an address with a token signs nobody in to another account', async () => {
  const { page, assertClean } = await web.openPage()
  const { body } = await web.callApi('POST /auth/api/signup', { body: { email: 'mallory@example.com' } })
  await page.goto(`/signed-in#token=${body.token}&needsOnboarding=false`)
  await page.getByText('No sign-in with Google is in progress').waitFor()
  assert.equal(await tokenIn(page), null)
  assert.equal(page.url(), `${web.origin}/signed-in`)
  assert.doesNotMatch((await historyOf(page)).join(' '), /eyJ/)
  await page.goto(`/#token=${body.token}`)
  await page.getByLabel('E-mail address').waitFor()
  assert.equal(await tokenIn(page), null)
  await assertClean()
})

test('the pages are Romanian for a Romanian browser, and after switching the language', async () => {
  const romanian = await web.openPage({ locale: 'ro-RO' })
  await romanian.page.goto('/')
  await romanian.page.getByRole('heading', { name: 'Autentificare' }).waitFor()
  assert.equal(await romanian.page.evaluate('document.documentElement.lang'), 'ro')
  await web.signIn(romanian.page, 'jon@example.com', 'Jon')
  await romanian.page.getByRole('heading', { level: 1, name: 'Acasă' }).waitFor()
  await romanian.assertClean()

  const english = await web.openPage()
  await english.page.goto('/')
  await english.page.getByRole('button', { name: 'Română' }).click()
  await english.page.getByRole('heading', { name: 'Autentificare' }).waitFor()
  await english.page.goto('/confirm')
  await english.page.getByText('Această pagină se deschide din linkul').waitFor()
  await english.page.getByRole('button', { name: 'English' }).click()
  await english.page.getByText('This page is opened by the link').waitFor()
  assert.equal(await english.page.evaluate('document.documentElement.lang'), 'en')
  await english.assertClean()
})
