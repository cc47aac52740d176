import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'

let web: Web
before(async () => {
  web = await startWeb()
})
after(() => web.stop())

const EMAIL_LABEL = 'E-mail address that Google reports'

/** Opens the sign-in page and continues to the stand-in. */
async function continueWithGoogle(page: Page, path = '/'): Promise<void> {
  await page.goto(path)
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('heading', { name: 'This is not Google' }).waitFor()
}

const oneTapIn = (page: Page) => page.frameLocator('iframe[title="Local stand-in for Google One Tap"]')
const tokenIn = (page: Page) => page.evaluate<string | null>('localStorage.getItem("token")')

async function emailIn(page: Page): Promise<string> {
  const me = await web.callApi('GET /users/me', { token: (await tokenIn(page)) ?? '' })
  return me.body.user?.email
}

test('by redirect a person reaches the page they wanted, with no token in any address and no cookie left', async () => {
  const { page, context, assertClean } = await web.openPage()
  await web.signInWithGoogle('ana@gmail.com', 'Ana')
  await continueWithGoogle(page, '/?next=/dashboard/activity')
  await page.getByLabel(EMAIL_LABEL).fill('ana@gmail.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${web.origin}/dashboard/activity`)
  assert.equal(await emailIn(page), 'ana@gmail.com')
  const session = await context.newCDPSession(page)
  const { entries } = await session.send('Page.getNavigationHistory')
  assert.doesNotMatch(entries.map(({ url }) => url).join(' '), /eyJ|#/)
  const cookies = await context.cookies()
  assert.deepEqual(
    cookies.filter(({ name }) => name.includes('google-flow')),
    [],
  )
  await assertClean()
})

test('a new person reaches the onboarding first', async () => {
  const { page, assertClean } = await web.openPage()
  await continueWithGoogle(page)
  await page.getByLabel(EMAIL_LABEL).fill('bob@gmail.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${web.origin}/onboarding?next=%2Fdashboard`)
  await assertClean()
})

test('each of two tabs that went to Google comes back signed in, and a third return is refused', async () => {
  const { page: one, context, assertClean } = await web.openPage()
  const other = await context.newPage()
  await continueWithGoogle(one)
  await continueWithGoogle(other)
  await one.getByLabel(EMAIL_LABEL).fill('one@gmail.com')
  await one.getByRole('button', { name: 'Continue' }).click()
  await one.waitForURL('**/onboarding*')
  await other.getByLabel(EMAIL_LABEL).fill('other@gmail.com')
  await other.getByRole('button', { name: 'Continue' }).click()
  await other.waitForURL('**/onboarding*')
  assert.equal(await emailIn(other), 'other@gmail.com')

  const token = await tokenIn(other)
  await other.evaluate(() => localStorage.removeItem('token'))
  await other.goto(`/signed-in#token=${token}`)
  await other.getByText('No sign-in with Google is in progress').waitFor()
  assert.equal(await tokenIn(other), null)
  await assertClean()
})

test('while a sign-in is in progress at Google, an address with a token is not accepted as its return', async () => {
  const { page, context, assertClean } = await web.openPage()
  await continueWithGoogle(page)
  const token = await web.signInWithGoogle('mallory@gmail.com')
  const other = await context.newPage()
  for (const query of ['', '?flow=', '?flow=undefined', '?flow=1-2-3-4']) {
    await other.goto(`/signed-in${query}#token=${token}`)
    await other.getByText('No sign-in with Google is in progress').waitFor()
    assert.equal(await tokenIn(other), null, query)
  }
  await page.getByLabel(EMAIL_LABEL).fill('fay@gmail.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/onboarding*')
  assert.equal(await emailIn(page), 'fay@gmail.com')
  await assertClean()
})

test('a cancelled sign-in shows our own explanation and a way back', async () => {
  const { page, assertClean } = await web.openPage()
  await continueWithGoogle(page)
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText('The sign-in with Google was cancelled.').waitFor()
  assert.equal(page.url(), `${web.origin}/signed-in`)
  assert.equal(await tokenIn(page), null)
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await page.getByLabel('E-mail address').waitFor()

  // Anyone can craft this address: its text is not shown.
  await page.goto('/signed-in#error=OTHER&error_description=Call%20555')
  await page.getByText('No sign-in with Google is in progress').waitFor()
  assert.doesNotMatch(await page.locator('main').innerText(), /555/)
  await assertClean()
})

test('by One Tap a person signs in without leaving the page', async () => {
  const { page, assertClean } = await web.openPage()
  await page.goto('/')
  const oneTap = oneTapIn(page)
  await oneTap.getByRole('heading', { name: 'This is not Google' }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.id'), 'email', 'the frame takes no focus')
  await oneTap.getByLabel(EMAIL_LABEL).fill('cia@gmail.com')
  await oneTap.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/onboarding*')
  assert.equal(await emailIn(page), 'cia@gmail.com')
  await assertClean()
})

test('for an address that Google does not host, One Tap is refused and a mailed link offered', async () => {
  const { page, assertClean } = await web.openPage()
  await web.callApi('POST /auth/api/signup', { body: { email: 'dan@corp.example' } })
  await page.goto('/')
  const oneTap = oneTapIn(page)
  await oneTap.getByLabel(EMAIL_LABEL).fill('dan@corp.example')
  await oneTap.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').getByText('Sign in with an e-mail link').waitFor()
  assert.equal(await tokenIn(page), null)
  assert.equal(page.url(), `${web.origin}/`)
  await assertClean()
})

test('One Tap disappears when dismissed, and when the person signs in another way', async () => {
  const { page, assertClean } = await web.openPage()
  await page.goto('/')
  await oneTapIn(page).getByRole('button', { name: 'Not now' }).click()
  await page.locator('iframe').waitFor({ state: 'detached' })
  await page.reload()
  await page.locator('iframe').waitFor()
  await page.getByLabel('E-mail address').fill('eva@example.com')
  await page.getByRole('button', { name: 'E-mail me a link' }).click()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  await page.locator('iframe').waitFor({ state: 'detached' })
  await assertClean()
})

test('a credential is accepted from the frame only, because another sender could sign the person in to its account', async () => {
  const { page, assertClean } = await web.openPage()
  await page.goto('/')
  await oneTapIn(page).getByRole('heading').waitFor()
  const calls: string[] = []
  page.on('request', (request) => calls.push(request.url()))
  await page.evaluate(`new Promise((resolve) => {
    addEventListener('message', resolve)
    postMessage({ credential: 'a.b.c' })
  })`)
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
  assert.deepEqual(calls, [])
  assert.equal(await page.locator('iframe').count(), 1)
  await assertClean()
})

test('an in-app browser, which Google refuses, shows that and offers a mailed link', async () => {
  const instagram =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 Instagram 361.0.0.27.84'
  const webView =
    'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36'
  for (const userAgent of [instagram, webView]) {
    const { page, assertClean } = await web.openPage({ userAgent, width: 360 })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto('/', { waitUntil: 'networkidle' })
    await page.getByText('Google does not allow signing in inside this app').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Continue with Google' }).count(), 0)
    assert.deepEqual(
      asked.filter((url) => url.includes('/gsi/')),
      [],
    )
    await page.getByRole('button', { name: 'E-mail me a link' }).waitFor()
    await assertClean()
  }
})
