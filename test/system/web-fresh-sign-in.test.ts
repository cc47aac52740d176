/** Actions that need a sign-in of the last ten minutes: asked for before anything is typed, and led back from. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Look, OpenPage, Web } from '../support/browser/web.ts'

let web: Web
before(async () => {
  web = await startWeb()
})
after(() => web.stop())

const statusOf = async (token: string): Promise<number> => (await web.callApi('GET /users/me', { token })).status
const keptToken = (page: Page) => page.evaluate<string>('localStorage.getItem("token")')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** A profile with a sign-in of some minutes ago: the browser's clock is ahead from the start. */
async function openProfile(
  email: string,
  look: Look & { minutesLater?: number; isNamed?: boolean } = {},
): Promise<OpenPage & { token: string }> {
  const opened = await web.openPage(look)
  await opened.page.clock.setSystemTime(Date.now() + (look.minutesLater ?? 11) * 60_000)
  const token = await web.signInWithGoogle(email, look.isNamed === false ? undefined : 'Ana')
  await opened.page.goto('/healthz')
  await opened.page.evaluate(`localStorage.setItem('token', '${token}')`)
  await opened.page.goto('/dashboard/profile')
  return { ...opened, token }
}

async function signInByLink(page: Page, email: string): Promise<void> {
  await page.getByText('Sign in to continue.').waitFor()
  await page.getByLabel('E-mail address').fill(email)
  await press(page, 'E-mail me a link')
  await page.goto(await web.mailedLink(email))
  await press(page, 'Sign in')
}

async function signInByGoogle(page: Page, email: string): Promise<void> {
  await page.getByText('Sign in to continue.').waitFor()
  await press(page, 'Continue with Google')
  await page.getByLabel('E-mail address that Google reports').fill(email)
  await press(page, 'Continue')
}

test('with an old sign-in a new one is asked for first; then the same dialog opens, and the old one has ended', async () => {
  const { page, token, assertClean } = await openProfile('ana@gmail.com')
  await press(page, 'Delete account')
  const asking = page.getByRole('dialog', { name: 'Sign in again first' })
  await asking.getByText('You come back here afterwards.').waitFor()
  assert.equal(await page.getByLabel('ana@gmail.com').count(), 0, 'nothing to fill in yet')
  await assertAccessible(page, 'a page that asks for a new sign-in')
  await press(page, 'Cancel')
  await asking.waitFor({ state: 'detached' })
  assert.equal(await statusOf(token), 200)
  assert.equal(await keptToken(page), token)

  await press(page, 'Delete account')
  await press(page, 'Sign in again')
  await signInByGoogle(page, 'ana@gmail.com')
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.waitFor()
  assert.equal(await statusOf(token), 401, 'the old sign-in is not left behind')
  const renewed = await keptToken(page)
  assert.equal(await statusOf(renewed), 200)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Delete account')
  await page.reload()
  await page.getByRole('button', { name: 'Delete account' }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0, 'a closed dialog stays closed')
  await assertClean()
})

test('if only the service finds the sign-in too old, what was typed is there again after the new one', async () => {
  const { page, context, assertClean } = await openProfile('bob@gmail.com', { minutesLater: 0 })
  await press(page, 'Change your e-mail address')
  await page.getByLabel('New e-mail address').fill('bob.new@example.com')
  const error = { code: 'SIGN_IN_REQUIRED', message: 'Sign in again.' }
  await context.route('**/users/me/email', (route) => route.fulfill({ status: 403, json: { error } }))
  await press(page, 'Send the link')
  await page.getByRole('alert').getByText('your last sign-in is more than ten minutes old').waitFor()
  await context.unroute('**/users/me/email')
  await press(page, 'Sign in again')
  await signInByLink(page, 'bob@gmail.com')
  const field = page.getByRole('dialog').getByLabel('New e-mail address')
  await field.waitFor()
  assert.equal(await field.inputValue(), 'bob.new@example.com')
  assert.doesNotMatch(page.url(), /bob/)
  await press(page, 'Send the link')
  await page.getByRole('dialog', { name: 'Check the new inbox' }).waitFor()
  await assertClean()
})

test('a person without a name is asked for it on the way, and is led back to the dialog', async () => {
  for (const act of ['Continue', 'Later']) {
    const email = `gus-${act.toLowerCase()}@gmail.com`
    const { page, context, assertClean } = await openProfile(email, { minutesLater: 0, isNamed: false })
    await press(page, 'Change your e-mail address')
    await page.getByLabel('New e-mail address').fill('gus.new@example.com')
    const error = { code: 'SIGN_IN_REQUIRED', message: 'Sign in again.' }
    await context.route('**/users/me/email', (route) => route.fulfill({ status: 403, json: { error } }))
    await press(page, 'Send the link')
    await page.getByRole('alert').getByText('your last sign-in is more than ten minutes old').waitFor()
    await context.unroute('**/users/me/email')
    await press(page, 'Sign in again')
    if (act === 'Continue') await signInByLink(page, email)
    else await signInByGoogle(page, email)
    await page.waitForURL('**/onboarding*')
    if (act === 'Later') await page.getByRole('link', { name: act }).click()
    else {
      await page.getByLabel('What should we call you?').fill('Gus')
      await press(page, act)
    }
    const field = page.getByRole('dialog').getByLabel('New e-mail address')
    await field.waitFor()
    assert.equal(await field.inputValue(), 'gus.new@example.com')
    await assertClean()
  }
})

test('somebody else who signs in instead gets no dialog, and signing out forgets it', async () => {
  const { page, assertClean } = await openProfile('cia@gmail.com')
  await press(page, 'Change your e-mail address')
  await press(page, 'Sign in again')
  await page.getByText('Sign in to continue.').waitFor()
  await page.evaluate(`localStorage.setItem('token', '${await web.signInWithGoogle('dan@gmail.com', 'Dan')}')`)
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Delete account' }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.locator('button[popovertarget]').click()
  await page.locator('[popover]').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  assert.equal(await page.evaluate('localStorage.getItem("resumed-dialog")'), null)
  await assertClean()
})

test('"Connect Google" asks first too, and only once even if the clock here is wrong', async () => {
  const { page, assertClean } = await web.openPage()
  await page.clock.setSystemTime(Date.now() + 11 * 60_000)
  await web.signIn(page, 'fay@example.com', 'Fay')
  await page.goto('/dashboard/profile')
  await page.getByRole('link', { name: 'Connect Google' }).click()
  await page.getByText('You come back here afterwards.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Continue with Google' }).count(), 0)
  await assertAccessible(page, 'connecting Google with an old sign-in')
  await press(page, 'Sign in again')
  await signInByLink(page, 'fay@example.com')
  await page.waitForURL(`${web.origin}/connect-google`)
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor()
  await assertClean()
})
