/** The account menu, preferences, the sections on a phone, and pages whose user is no longer the one signed in. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Look, OpenPage, Web } from '../support/browser/web.ts'

let web: Web
let ana: string
let bob: string

before(async () => {
  web = await startWeb()
  ana = await web.signInWithGoogle('ana@gmail.com', 'Ana Ionescu')
  bob = await web.signInWithGoogle('bob@gmail.com', 'Bob')
})
after(() => web.stop())

async function openProfile(look?: Look): Promise<OpenPage> {
  const opened = await web.openPage(look)
  await opened.page.goto('/healthz')
  await storeToken(opened.page, ana)
  await opened.page.goto('/dashboard/profile')
  await opened.page.getByRole('button', { name: 'Create key' }).or(opened.page.getByText('Acces API')).first().waitFor()
  return opened
}

const storeToken = (page: Page, token: string): Promise<void> =>
  page.evaluate(`localStorage.setItem('token', '${token}')`)
const opener = (page: Page) => page.locator('button[popovertarget]')
const panel = (page: Page) => page.locator('[popover]')
const backgroundOf = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')

async function cookiesOf(context: BrowserContext) {
  const cookies = await context.cookies()
  return cookies.map(({ name, value, path, sameSite, httpOnly, secure, expires }) => {
    const days = Math.round((expires * 1000 - Date.now()) / 86_400_000)
    return { name, value, path, sameSite, httpOnly, secure, days }
  })
}

test('the menu names the account, opens and closes by keyboard, and gives the focus back', async () => {
  const { page, assertClean } = await openProfile()
  await opener(page).getByText('Ana Ionescu').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Sign out', exact: true }).count(), 0, 'closed at first')
  await opener(page).focus()
  await page.keyboard.press('Enter')
  await panel(page).getByText('ana@gmail.com').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Account Ana Ionescu' }).count(), 1)
  await assertAccessible(page, 'the open menu')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'English')
  await page.keyboard.press('Escape')
  assert.equal(await panel(page).isVisible(), false)
  assert.equal(await page.evaluate('document.activeElement.hasAttribute("popovertarget")'), true)

  await opener(page).click()
  await page.getByRole('heading', { level: 1 }).click()
  assert.equal(await panel(page).isVisible(), false, 'a click elsewhere closes it')
  await opener(page).click()
  await panel(page).getByRole('button', { name: 'English' }).focus()
  await opener(page).click()
  assert.equal(await panel(page).isVisible(), false, 'its button closes it')
  await opener(page).click()
  await panel(page).getByRole('button', { name: 'Sign out' }).focus()
  await page.keyboard.press('Tab')
  assert.equal(await panel(page).isVisible(), false, 'leaving it with Tab closes it')
  await assertClean()
})

test('a theme is applied at once, and from then on before the first paint, against that of the system', async () => {
  const { page, context, assertClean } = await openProfile({ colorScheme: 'light' })
  const light = await backgroundOf(page)
  await opener(page).click()
  await panel(page).getByText('Dark').click()
  const dark = await backgroundOf(page)
  assert.notEqual(dark, light)
  await assertAccessible(page, 'the open menu in the dark')
  const kept = { name: 'theme', value: 'dark', path: '/', sameSite: 'Lax', httpOnly: false, secure: false, days: 365 }
  assert.deepEqual(await cookiesOf(context), [kept])
  // Without its script the page is as the server sent it.
  await context.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  await page.reload()
  assert.equal(await backgroundOf(page), dark)
  await context.unroute('**/assets/*.js')
  await page.goto('/dashboard/profile')
  await opener(page).click()
  assert.equal(await page.getByLabel('Dark').isChecked(), true)
  await panel(page).getByText('System').click()
  assert.equal(await backgroundOf(page), light)
  await assertClean()
})

test('the other language keeps the page, and loads no script of the first', async () => {
  const { page, context, assertClean } = await openProfile()
  const scripts: string[] = []
  await opener(page).click()
  page.on('request', (request) => request.url().endsWith('.js') && scripts.push(request.url()))
  await panel(page).getByRole('button', { name: 'Română' }).click()
  await page.getByRole('heading', { level: 1, name: 'Profil', exact: true }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/dashboard/profile')
  assert.ok(scripts.length >= 2)
  for (const url of scripts) assert.match(url, /\.ro-/)
  const [{ name, value } = { name: '', value: '' }] = await cookiesOf(context)
  assert.deepEqual([name, value], ['language', 'ro'])
  await opener(page).click()
  await panel(page).getByRole('button', { name: 'Română', pressed: true }).click()
  assert.equal(await panel(page).isVisible(), true, 'the language in use reloads nothing')
  await assertClean()
})

test('signing out in one tab shows in the others', async () => {
  const { page, context, assertClean } = await openProfile()
  // The other tests go on with Ana's sign-in.
  await storeToken(page, await web.signInWithGoogle('ana@gmail.com'))
  const other = await context.newPage()
  await other.goto('/dashboard/profile')
  await opener(other).click()
  await panel(other).getByRole('button', { name: 'Sign out' }).click()
  for (const tab of [other, page]) await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(await page.evaluate('localStorage.getItem("token")'), null)
  await assertClean()
})

test('on a Romanian phone every section is in view, at the end of a page too, and nothing is below the bar', async () => {
  const { page, assertClean } = await openProfile({ locale: 'ro-RO', width: 360, colorScheme: 'dark' })
  const nav = page.getByRole('navigation')
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  const bar = await nav.boundingBox()
  assert.ok(bar)
  assert.equal(bar.y + bar.height, 740)
  assert.equal(
    await page.evaluate('getComputedStyle(document.documentElement).getPropertyValue("--bar-height")'),
    '3.75rem',
  )
  const links = await page.evaluate<{ name: string; edges: number[]; overflow: number }[]>(
    `[...document.querySelectorAll('nav a')].map((link) => {
      const { top, bottom, left, right } = [...link.querySelectorAll('span')].find((text) => text.offsetWidth > 0).getBoundingClientRect()
      return { name: link.innerText, edges: [top, bottom, left, right], overflow: link.scrollWidth - link.clientWidth }
    })`,
  )
  assert.ok(links.length >= 4)
  for (const { name, edges, overflow } of links) {
    const [top = 0, bottom = 0, left = 0, right = 0] = edges
    assert.ok(top >= bar.y && bottom <= 740 && left >= 0 && right <= 360 && overflow === 0, name)
  }
  const last = await page.locator('main > :last-child').boundingBox()
  assert.ok(last && last.y + last.height <= bar.y, 'the end of the content is above the bar')
  await opener(page).click()
  await assertAccessible(page, 'the open menu on a phone')
  const overflows = await page.evaluate(
    `[...document.querySelectorAll('[popover] .segments')].filter((one) => one.scrollWidth > one.clientWidth).length`,
  )
  assert.equal(overflows, 0, 'the segments fit')
  await assertClean()
})

test('a page makes no call for a user who signed in in another tab after it was opened', async () => {
  const { page, context, assertClean } = await openProfile()
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Of Ana')
  const other = await context.newPage()
  await other.goto('/healthz')
  await storeToken(other, bob)
  const calls: string[] = []
  page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
  // The open dialog holds back the reload, because it may show a secret.
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog').getByText('You have signed in to another account in this browser.').waitFor()
  await assertAccessible(page, 'a dialog of an account that is no longer signed in')
  assert.deepEqual(calls, [])
  await page.getByRole('dialog').getByRole('button', { name: 'Reload page' }).click()
  await opener(page).getByText('Bob').waitFor()
  for (const token of [ana, bob]) {
    const { body } = await web.callApi('GET /auth/api-keys', { token })
    assert.deepEqual(body.apiKeys, [])
  }
  await assertClean()
})
