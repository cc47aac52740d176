import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startBrowser } from '../support/browser/browser.ts'
import { countMailsTo, pauseMail, signInMail } from '../support/mail/buttons.ts'
import { statesOf } from '../support/accounts/keys.ts'
import { verify } from '../support/mail/links.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { linkIn } from '../support/mail/smtp.ts'
import { assertNothingHappens, databaseContent } from '../support/database/state.ts'

const WEEK_MS = 7 * 24 * 3600 * 1000
let browser: Browser
let service: Service

before(async () => {
  service = await startService()
  browser = await startBrowser()
})
after(async () => {
  await browser.close()
  await service.close()
})

/** A page that records every Content-Security-Policy violation and script error in `faults`. */
async function openPage(url: string): Promise<{ page: Page; context: BrowserContext; faults: string[] }> {
  const context = await browser.newContext()
  const faults: string[] = []
  context.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) faults.push(message.text())
  })
  context.on('weberror', (error) => faults.push(error.error().message))
  const page = await context.newPage()
  await page.goto(url)
  return { page, context, faults }
}

const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** The page's main button; the footer has the language button. */
const buttonOf = (page: Page) => page.getByRole('main').getByRole('button')
const pauseOf = async (email: string) => (await databaseContent(service.db)).pauses.find((row) => row.email === email)

test('a person clicks “not me”, sees it confirmed, can still sign in, and resumes mail', async () => {
  const email = 'ana@example.com'
  const unwanted = await signInMail(service, email)
  const { page, faults } = await openPage(linkIn(unwanted.mail, '/not-me').href)
  await act(page, 'This wasn’t me').waitFor()
  assert.equal(page.url(), `${service.origin}/not-me`, 'the token has left the address bar')
  await act(page, 'This wasn’t me').click()
  await page.getByRole('heading', { name: 'Your account is protected' }).waitFor()
  assert.equal(await page.getByText('This wasn’t you?').count(), 0, 'the question is answered')
  await page.getByText('Done. You can still sign in').waitFor()
  assert.equal(await act(page, 'This wasn’t me').isVisible(), false)
  assert.equal((await verify(service, unwanted.link)).status, 401)

  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await act(page, 'E-mail me a link').click()
  const dailyMail = await service.smtp.mailTo(email)
  await page.goto(linkIn(dailyMail, '/resume-mail').href)
  await act(page, 'Turn e-mails back on').waitFor()
  assert.ok(await pauseOf(email), 'opening the page did not end the pause')
  await act(page, 'Turn e-mails back on').click()
  await page.getByText('Done. You can request').waitFor()
  assert.equal(await pauseOf(email), undefined)

  await page.goto(linkIn(dailyMail).href)
  await act(page, 'Sign in').click()
  await page.waitForURL('**/onboarding*')
  const token = await page.evaluate<string>('localStorage.getItem("token")')
  assert.deepEqual(await statesOf(service, [token]), [email])
  assert.deepEqual(faults, [])
})

test('opening, reloading and leaving either page does nothing, with scripts enabled', async () => {
  const email = 'bob@example.com'
  await pauseMail(service, email)
  const { mail } = await signInMail(service, email)
  await assertNothingHappens(service, async () => {
    for (const path of ['/not-me', '/resume-mail']) {
      const { page, faults } = await openPage(linkIn(mail, path).href)
      await buttonOf(page).waitFor()
      await page.waitForLoadState('networkidle')
      await page.reload()
      await page.getByText('This page is opened by a link in an e-mail.').waitFor()
      assert.equal(await buttonOf(page).isVisible(), false)
      await page.goto(`${service.origin}/`)
      assert.deepEqual(faults, [])
    }
  })
  assert.equal(await countMailsTo(service, email), 2)
})

test('the page of an expired mail says so and has no button', async () => {
  const { mail } = await signInMail(service, 'cia@example.com')
  service.clock.advance(WEEK_MS)
  const { page, faults } = await openPage(linkIn(mail, '/not-me').href)
  await assertNothingHappens(service, async () => {
    await page.getByText('This link is not valid or has expired').waitFor()
    assert.equal(await act(page, 'This wasn’t me').count(), 0)
  })
  assert.equal(await page.getByText('Done.').isVisible(), false)
  assert.deepEqual(faults, [])
})

test('while the service is unreachable the page says so, and the next click works', async () => {
  const email = 'dan@example.com'
  const { mail } = await signInMail(service, email)
  const { page, context } = await openPage(linkIn(mail, '/not-me').href)
  await act(page, 'This wasn’t me').waitFor()
  await context.setOffline(true)
  await act(page, 'This wasn’t me').click()
  await page.getByText('could not be reached').waitFor()
  assert.equal(await pauseOf(email), undefined)
  await context.setOffline(false)
  await act(page, 'This wasn’t me').click()
  await page.getByText('Done.').waitFor()
  assert.ok(await pauseOf(email))
})

test('works by keyboard alone, and announces the outcome to a screen reader', async () => {
  const { mail } = await signInMail(service, 'eva@example.com')
  const { page } = await openPage(linkIn(mail, '/not-me').href)
  await act(page, 'This wasn’t me').waitFor()
  const focused = () => page.evaluate('document.activeElement.textContent')
  await page.keyboard.press('Tab')
  assert.match(String(await focused()), /Paylink/)
  await page.keyboard.press('Tab')
  assert.equal(await focused(), 'This wasn’t me')
  await page.keyboard.press('Enter')
  await page.getByText('Done.').waitFor()
  await page.waitForFunction('document.activeElement.textContent.startsWith("Done.")')
  await page.keyboard.press('Tab')
  assert.equal(await focused(), 'Sign in')
})

test("a second mail's link, opened in the same tab, shows its own button", async () => {
  const first = await signInMail(service, 'fay@example.com')
  const second = await signInMail(service, 'gus@example.com')
  const { page } = await openPage(linkIn(first.mail, '/not-me').href)
  await act(page, 'This wasn’t me').click()
  await page.getByText('Done.').waitFor()
  await page.goto(linkIn(second.mail, '/not-me').href)
  await act(page, 'This wasn’t me').click()
  await page.getByText('Done.').waitFor()
  for (const email of ['fay@example.com', 'gus@example.com']) assert.ok(await pauseOf(email), email)
})

test('neither page is wider than a narrow screen, in any state', async () => {
  const email = 'hal@example.com'
  await pauseMail(service, email)
  const { mail } = await signInMail(service, email)
  for (const path of ['/resume-mail', '/not-me']) {
    const { page } = await openPage(linkIn(mail, path).href)
    await page.setViewportSize({ width: 320, height: 640 })
    const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth')
    await buttonOf(page).waitFor()
    assert.equal(await overflow(), 0)
    await buttonOf(page).click()
    await page.getByText('Done.').waitFor()
    assert.equal(await overflow(), 0)
  }
})
