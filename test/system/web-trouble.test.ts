import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, settling } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'

let web: Web
before(async () => {
  web = await startWeb()
})
after(() => web.stop())

async function askForLink(page: Page, email: string, path = '/'): Promise<string> {
  await page.goto(path)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'E-mail me a link' }).click()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  return web.mailedLink(email)
}

const tokenIn = (page: Page) => page.evaluate<string | null>('localStorage.getItem("token")')
/** Marks the document; a reload removes the mark. */
const mark = (page: Page) => page.evaluate('void (window.isMarked = true)')
const isMarked = (page: Page) => page.evaluate<boolean>('window.isMarked === true')

test('changing the language keeps the mailed link and the message on the page', async () => {
  const { page, assertClean } = await web.openPage()
  const link = await askForLink(page, 'ana@example.com')
  await page.getByRole('button', { name: 'Română' }).click()
  await page.getByRole('heading', { name: 'Verifică-ți e-mailul' }).waitFor()
  await page.getByText('ana@example.com').waitFor()
  await page.goto(link)
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/onboarding*')
  await assertClean()
})

test('a link that this browser did not request says so; a requested one does not', async () => {
  const asking = await web.openPage()
  const link = await askForLink(asking.page, 'bob@example.com')
  const other = await web.openPage()
  for (const [{ page }, count] of [
    [asking, 0],
    [other, 1],
  ] as const) {
    await page.goto(link)
    await page.getByText('You are signing in as b***@example.com.').waitFor()
    assert.equal(await page.getByText('This link was not requested in this browser').count(), count)
  }
  await askForLink(other.page, 'mallory@example.com')
  await other.page.goto(link)
  await other.page.getByText('This link was not requested in this browser').waitFor()
  for (const { assertClean } of [asking, other]) await assertClean()
})

test('a link used in the meantime leads to a new one for the same page', async () => {
  const { page, assertClean } = await web.openPage()
  const link = await askForLink(page, 'cia@example.com', '/?next=/dashboard/activity')
  const token = new URL(link).searchParams.get('token') ?? ''
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.equal((await web.callApi(`GET /auth/verify?token=${token}`)).status, 200)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Get a new link' }).click()
  await page.waitForURL(`${web.origin}/?next=%2Fdashboard%2Factivity`)
  await assertClean()
})

test('a browser without storage is warned before its link is used up, and the link still works', async () => {
  const { page, assertClean } = await web.openPage()
  const link = await askForLink(page, 'dan@example.com')
  // Full storage: a browser that is set to store nothing fails in the same way.
  await page.evaluate(`for (let size = 2 ** 22, n = 0; size >= 1; n += 1) {
    try { localStorage.setItem('full' + n, 'x'.repeat(size)) } catch { size /= 2 }
  }
  for (let n = 0; n < 9; n += 1) try { localStorage.setItem('f' + n, '') } catch {}`)
  await page.goto('/?next=/dashboard/activity')
  await page.getByText('it would forget your sign-in at once').waitFor()
  const settled = settling(page)
  const looked = Promise.withResolvers<void>()
  await page.route('**/auth/links/inspect', async (route) => {
    await looked.promise
    await route.continue()
  })
  await page.goto(link)
  await page.getByText('it would forget your sign-in at once').waitFor()
  await page.evaluate('localStorage.clear()')
  // An answer that comes now must not turn the button into another.
  looked.resolve()
  await settled()
  assert.equal(await page.getByRole('button', { name: 'Sign in' }).count(), 0)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/onboarding*')
  await assertClean()
})

test('a device whose clock is a week ahead can sign in', async () => {
  const { page, assertClean } = await web.openPage()
  await page.clock.setSystemTime(Date.now() + 8 * 86_400_000)
  await web.signIn(page, 'eva@example.com', 'Eva')
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await assertClean()
})

test('under another host name, a page shows its own address and leads there', async () => {
  const opened = web.origin.replace('localhost', '127.0.0.1')
  const { page, assertClean } = await web.openPage({ frontend: opened })
  await page.goto(`${opened}/resume-mail?a=1#token=x`)
  await page.getByText(`You opened it at ${opened}. Signing in works only at ${web.origin}.`).waitFor()
  const link = page.getByRole('link', { name: `Go to ${web.origin}` })
  assert.equal(await link.getAttribute('href'), `${web.origin}/resume-mail?a=1#token=x`)
  await link.click()
  await page.getByRole('button', { name: 'Turn e-mails back on' }).waitFor()
  await assertClean()
})

test('an unknown path shows a message and a way home', async () => {
  const { page } = await web.openPage()
  assert.equal((await page.goto('/dashbord'))?.status(), 404)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.getByRole('link', { name: 'Go to the start page' }).click()
  await page.getByLabel('E-mail address').waitFor()
})

test('if a script does not load, the page shows a message and a way on', async () => {
  const { page, context } = await web.openPage()
  await web.signIn(page, 'fay@example.com', 'Fay')
  await context.route('**/pages-behind-sign-in.*.js', (route) => route.abort())
  await page.goto('/dashboard/quick-start')
  await page.getByRole('heading', { name: 'This page did not load' }).waitFor()
  await context.unroute('**/pages-behind-sign-in.*.js')
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('heading', { level: 1, name: 'Quick start' }).waitFor()

  await context.route('**/index.*.js', (route) => route.abort())
  await page.reload()
  await page.getByText('If nothing appears, reload this page.').waitFor()
})

test('while its data loads, a page shows an outline at once, aligned with its title, and says what it loads', async () => {
  const { page, context, assertClean } = await web.openPage({ width: 800 })
  await web.signIn(page, 'gus@example.com', 'Gus')
  const settle = settling(page)
  for (const [path, says, shows] of [
    ['/dashboard', 'Loading your account…', 'Recent activity'],
    ['/dashboard/profile', 'Loading your profile…', 'Create your first API key'],
    ['/dashboard/payment-links', 'Loading your payment links…', 'No payment links yet'],
    ['/dashboard/apps', 'Loading your connected apps…', 'No app has access'],
    ['/dashboard/activity', 'Loading your activity…', 'Account created'],
  ] as const) {
    const answer = Promise.withResolvers<void>()
    await context.route('**/api/v1/**', async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.goto(path)
    await page.getByRole('status').getByText(says).waitFor()
    const outline = page.locator('main .panel[aria-hidden=true]')
    assert.equal(await outline.isVisible(), true, path)
    const [title, shown] = await Promise.all([
      page.getByRole('heading', { level: 1 }).boundingBox(),
      outline.boundingBox(),
    ])
    assert.equal(shown?.x, title?.x, path)
    assert.ok((shown?.height ?? 0) > 200, path)
    await assertAccessible(page, `${path} while it loads`)
    answer.resolve()
    await page.getByText(shows).waitFor()
    assert.equal(await outline.count(), 0, path)
    await settle()
    await context.unrouteAll({ behavior: 'wait' })
  }
  await assertClean()
})

test('with damaged storage the page behaves as for a new visitor', async () => {
  const { page, assertClean } = await web.openPage()
  await page.goto('/')
  for (const damaged of ['{', 'null', '[null]', '{}', '7']) {
    await page.evaluate(`localStorage.setItem('google-started', '${damaged}')`)
    await page.goto('/signed-in')
    await page.getByText('No sign-in with Google is in progress').waitFor()
  }
  await assertClean()
})

test('the skip link leads to the content without reloading the page', async () => {
  const { page, assertClean } = await web.openPage()
  await web.signIn(page, 'gus@example.com', 'Gus')
  await page.getByRole('button', { name: 'Gus' }).waitFor()
  await mark(page)
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.id'), 'content')
  // A pending reload would have happened by then.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
  assert.equal(await isMarked(page), true)
  await assertClean()
})

test('a sign-in in another tab changes nothing for the same person; for another person the page reloads unless a dialog is open', async () => {
  const { page, context, assertClean } = await web.openPage()
  await web.signIn(page, 'hal@gmail.com', 'Hal')
  const [same, others] = [
    await web.signInWithGoogle('hal@gmail.com'),
    await web.signInWithGoogle('ivy@gmail.com', 'Ivy'),
  ]
  const tab = await context.newPage()
  await tab.goto('/healthz')
  const keepToken = async (token: string) => {
    const seen = page.evaluate(
      'new Promise((resolve) => addEventListener("storage", resolve, { once: true })).then(() => true)',
    )
    await tab.evaluate(`localStorage.setItem('token', '${token}')`)
    assert.equal(await seen, true)
  }
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Create' }).first().waitFor()
  await mark(page)
  await keepToken(same)
  assert.equal(await isMarked(page), true)
  await page.getByRole('button', { name: 'Create' }).first().click()
  await page.getByRole('dialog').waitFor()
  await keepToken(others)
  assert.equal(await isMarked(page), true)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Ivy' }).waitFor()
  assert.equal(await isMarked(page), false)
  await assertClean()
})

test('where new accounts are closed the first page offers none, and a refused link leads to another address', async () => {
  const closed = await startWeb({ SIGNUP: 'closed' })
  try {
    const { page, assertClean } = await closed.openPage()
    await page.goto('/')
    await page.getByText('Sign-up is closed here.').waitFor()
    assert.equal(await page.getByText('creates your account').count(), 0)
    await page.getByLabel('E-mail address').fill('jon@example.com')
    await page.getByRole('button', { name: 'E-mail me a link' }).click()
    await page.goto(await closed.mailedLink('jon@example.com'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Use another address' }).click()
    await page.getByLabel('E-mail address').waitFor()
    assert.equal(await tokenIn(page), null)
    await assertClean()
  } finally {
    await closed.stop()
  }
})

test('in a browser that blocks copying the text is selected, and the page says so', async () => {
  const { page, context, assertClean } = await web.openPage()
  await page.goto('/dashboard/quick-start')
  // Permissions that are not granted are denied.
  await context.clearPermissions()
  await context.grantPermissions(['geolocation'])
  await page.getByRole('button', { name: /^Copy/ }).first().click()
  await page.getByRole('alert').getByText('copy it by hand').waitFor()
  assert.equal(
    await page.evaluate<string>('getSelection().toString().trim()'),
    (await page.locator('pre').first().innerText()).trim(),
  )
  await assertClean()
})
