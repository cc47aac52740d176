/** Changing the e-mail address in the web app: asking, confirming in the same browser, and keeping the old address. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertReachedByKeyboard } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Look, OpenPage, Web } from '../support/browser/web.ts'

let web: Web
before(async () => {
  web = await startWeb()
})
after(() => web.stop())

const CONFIRM = '/confirm-email#token='

const keptToken = (page: Page) => page.evaluate<string | null>('localStorage.getItem("token")')
const storeToken = (page: Page, token: string): Promise<void> =>
  page.evaluate(`localStorage.setItem('token', '${token}')`)

async function emailOf(token: string | null): Promise<string | undefined> {
  return (await web.callApi('GET /users/me', { token: token ?? '' })).body.user?.email
}

async function openProfile(name: string, look?: Look): Promise<OpenPage & { token: string }> {
  const opened = await web.openPage(look)
  const token = await web.signInWithGoogle(`${name}@gmail.com`, 'Ana')
  await opened.page.goto('/healthz')
  await storeToken(opened.page, token)
  await opened.page.goto('/dashboard/profile')
  return { ...opened, token }
}

async function askFor(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Change your e-mail address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change your e-mail address' })
  await dialog.getByLabel('New e-mail address').fill(email)
  await dialog.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('dialog', { name: 'Check the new inbox' }).getByText(email).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
}

test('an address is changed with one click in the browser that asked; the old inbox takes it back with one', async () => {
  const { page, token, assertClean } = await openProfile('ana')
  const other = await web.signInWithGoogle('ana@gmail.com')
  await askFor(page, 'ana.new@example.com')
  assert.equal(await emailOf(token), 'ana@gmail.com')

  await page.goto(await web.mailedLink('ana.new@example.com', CONFIRM))
  const act = page.getByRole('button', { name: 'Change my address' })
  await act.waitFor()
  assert.equal(page.url(), `${web.origin}/confirm-email`, 'the token has left the address bar')
  await assertAccessible(page, 'the page that confirms an address')
  assert.equal(await emailOf(token), 'ana@gmail.com', 'opening the page changes nothing')
  await act.click()
  await page.getByText('Your account’s address is ana.new@example.com now.').waitFor()
  const renewed = await keptToken(page)
  assert.deepEqual(
    [await emailOf(renewed), await emailOf(token), await emailOf(other)],
    ['ana.new@example.com', undefined, undefined],
  )
  await page.getByRole('link', { name: 'Back to the profile' }).click()
  await page.getByRole('main').getByText('ana.new@example.com').waitFor()
  await page.getByRole('region', { name: 'Sign-ins' }).getByText('This browser').waitFor()
  assert.equal(await page.getByRole('region', { name: 'Sign-ins' }).getByRole('listitem').count(), 1)

  await page.goto('/dashboard/activity')
  for (const event of ['New e-mail address asked for', 'E-mail address changed'])
    await page.getByRole('listitem').filter({ hasText: event }).getByText('ana.new@example.com').waitFor()

  const owner = await web.openPage({ locale: 'ro-RO', width: 360, colorScheme: 'dark' })
  await owner.page.goto(await web.mailedLink('ana@gmail.com', '/undo-email#token='))
  const keep = owner.page.getByRole('button', { name: 'Păstrează vechea adresă' })
  await keep.waitFor()
  assert.equal(owner.page.url(), `${web.origin}/undo-email`)
  await assertAccessible(owner.page, 'the page of the undo on a phone')
  assert.equal(await emailOf(renewed), 'ana.new@example.com')
  await keep.click()
  await owner.page.getByText('Gata. Autentifică-te cu această adresă').waitFor()
  assert.equal(await emailOf(renewed), undefined)
  const back = await web.signIn(owner.page, 'ana@gmail.com')
  assert.equal(await emailOf(back), 'ana@gmail.com')
  await owner.assertClean()
  await assertClean()
})

test('a link opened anywhere but in the sign-in that asked changes nothing, says why, and still works there', async () => {
  const { page, token, assertClean } = await openProfile('bob')
  await askFor(page, 'bob.new@example.com')
  const link = await web.mailedLink('bob.new@example.com', CONFIRM)
  const stranger = await web.openPage()
  await stranger.page.goto(link)
  await stranger.page.getByRole('heading', { name: 'Open this link where you asked for it' }).waitFor()
  assert.equal(await stranger.page.getByRole('button', { name: 'Change my address' }).count(), 0)
  const mallory = await web.signInWithGoogle('mallory@gmail.com', 'Mallory')
  for (const own of [mallory, await web.signInWithGoogle('bob@gmail.com'), 'expired']) {
    await storeToken(stranger.page, own)
    await stranger.page.goto('/healthz')
    await stranger.page.goto(link)
    await stranger.page.getByRole('button', { name: 'Change my address' }).click()
    await stranger.page.getByRole('heading', { name: 'Open this link where you asked for it' }).waitFor()
  }
  await assertAccessible(stranger.page, 'a link opened elsewhere')
  assert.deepEqual([await emailOf(token), await emailOf(mallory)], ['bob@gmail.com', 'mallory@gmail.com'])
  await page.goto(link)
  await page.getByRole('button', { name: 'Change my address' }).click()
  await page.getByRole('heading', { name: 'Your address is changed' }).waitFor()
  assert.equal(await emailOf(await keptToken(page)), 'bob.new@example.com')

  await page.goto('/healthz')
  await page.goto(link)
  await page.getByRole('button', { name: 'Change my address' }).click()
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  await page.reload()
  await page.getByText('This page is opened by a link in an e-mail.').waitFor()
  await stranger.assertClean()
  await assertClean()
})

test('the dialog says what will happen, refuses the present address, and tells of no account', async () => {
  const { page, assertClean } = await openProfile('cia')
  await web.signInWithGoogle('taken@gmail.com')
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') calls.push(new URL(request.url()).pathname)
  })
  const opener = page.getByRole('button', { name: 'Change your e-mail address' })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'Change your e-mail address' })
  await dialog.getByText('It can undo the change for seven days.').waitFor()
  const field = dialog.getByLabel('New e-mail address')
  for (const [typed, says] of [
    ['cia@gmail.com', 'This is your address already.'],
    ['cia', 'Enter a full e-mail address'],
  ] as const) {
    await field.fill(typed)
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText(says).waitFor()
  }
  assert.deepEqual(calls, [])
  await assertAccessible(page, 'the dialog of a new address')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await opener.and(page.locator(':focus')).count(), 1)
  await askFor(page, 'taken@gmail.com')
  assert.deepEqual(calls, ['/api/v1/users/me/email'])
  await web.mailedLink('taken@gmail.com', '/not-me#token=')
  const { body } = await web.callApi('GET /users/me', { token: await web.signInWithGoogle('cia@gmail.com') })
  assert.equal(body.user.email, 'cia@gmail.com')
  await assertClean()
})

test('on a Romanian phone in the dark the dialog and its pages fit, and are reached by keyboard', async () => {
  const { page, assertClean } = await openProfile('dan', { locale: 'ro-RO', width: 360, colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Schimbă-ți adresa de e-mail' }).click()
  await page.getByRole('dialog').getByLabel('Noua adresă de e-mail').fill('dan.nou@example.com')
  await assertAccessible(page, 'the dialog of a new address on a phone')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Verifică noua căsuță' }).waitFor()
  await assertAccessible(page, 'what comes next, on a phone')
  await page.goto(await web.mailedLink('dan.nou@example.com', CONFIRM))
  await page.getByRole('button', { name: 'Schimbă-mi adresa' }).waitFor()
  await assertReachedByKeyboard(page, 'the page that confirms an address')
  await assertAccessible(page, 'the page that confirms an address on a phone')
  await assertClean()
})
