/** The page of a payment link as a payer sees it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { bankDocument, usualRates } from '../support/accounts/payment-links.ts'
import { assertReachedByKeyboard, brokenWordsIn, problemsOf, settling } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Look, Web } from '../support/browser/web.ts'

const MAX_SHIFT = 0.02
const WIDE = 'WWWWWWWWWWWW-WWWWWWWWWWWW-WWWWWWWWWWWW'
const date = new Date().toISOString().slice(0, 10)
const bank = createServer((_, response) => response.end(bankDocument({ date, rates: usualRates })))
let web: Web

/** The end of a day in Bucharest. */
const VALID_UNTIL = '2050-11-30T21:59:59Z'

/** Paths by state. */
const paths: Record<string, string> = { unknown: '/pay/0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20', malformed: '/pay/%zz' }

const states = {
  open: [200, 'for Dinner', 'pentru Dinner'],
  unverified: [200, 'for Consulting, all of', 'pentru Consulting, all of'],
  ended: [410, 'This payment link is inactive', 'Acest link de plată este inactiv'],
  expired: [410, 'This payment link has expired', 'Acest link de plată a expirat'],
  held: [403, 'This payment link is on hold', 'Acest link de plată este suspendat'],
  unknown: [404, 'Payment link not found', 'Link de plată negăsit'],
  malformed: [400, 'This address is not complete', 'Adresa nu este completă'],
} as const

before(async () => {
  bank.listen(0, '127.0.0.1')
  await once(bank, 'listening')
  const { port } = bank.address() as AddressInfo
  web = await startWeb({ EXCHANGE_RATES_URL: `http://127.0.0.1:${port}/nbrfxrates.xml` })
  const ana = await web.signInWithGoogle('ana@gmail.com', 'Ștefania Popescu-Brătianu')
  const signUp = async (email: string, name: string) =>
    (await web.callApi('POST /auth/api/signup', { body: { email, name } })).body.token
  const [agent, squatter] = [await signUp('bob@gmail.com', 'W'.repeat(100)), await signUp('dan@gmail.com', 'Dan')]
  const create = async (state: string, token: string, body: object, currency = 'RON') => {
    const headers = { 'x-currency': currency }
    const { status, text, body: made } = await web.callApi('POST /payment-links', { token, body, headers })
    assert.equal(status, 201, text)
    paths[state] = new URL(made.paymentLink.url).pathname
    return made.paymentLink.id
  }
  const expired = await create('expired', ana, { title: 'Tickets', amount: 5000, expiresAt: VALID_UNTIL })
  await create(
    'open',
    ana,
    { title: 'Dinner', amount: 99_999_999, reference: 'INV-2026-014', expiresAt: VALID_UNTIL },
    'EUR',
  )
  const ended = await create('ended', ana, { title: 'Dinner', amount: 245_000, reference: 'x'.repeat(100) })
  await web.callApi(`POST /payment-links/${ended}/deactivate`, { token: ana })
  await create('unverified', agent, { title: `Consulting, all of <b>${WIDE}`, amount: 1050, reference: WIDE })
  await create('held', squatter, { title: 'Call this number', amount: 1050 })
  await web.signInWithGoogle('dan@gmail.com')
  web.execute('update payment_links set expires_at_ms = 1 where id = ?', expired)
})
after(async () => {
  await web.stop()
  bank.close()
})

async function withoutScript(locale: string, visit: (page: Page) => Promise<void>): Promise<void> {
  const look = { baseURL: web.origin, locale, javaScriptEnabled: false, viewport: { width: 320, height: 700 } }
  const context = await web.browser.newContext(look)
  await visit(await context.newPage())
  await context.close()
}

test('without JavaScript every state is told in both languages with its status, and nothing is meant for developers', async () => {
  for (const [locale, at] of [
    ['en-GB', 1],
    ['ro-RO', 2],
  ] as const) {
    await withoutScript(locale, async (page) => {
      for (const [state, told] of Object.entries(states)) {
        const response = await page.goto(paths[state] ?? '')
        assert.equal(response?.status(), told[0], state)
        const heading = await page.getByRole('heading', { level: 1 }).innerText()
        assert.ok(heading.startsWith(told[at]), heading)
        assert.doesNotMatch(await page.locator('body').innerText(), /\bAPI\b|program|agent|JSON|JavaScript/i)
        assert.equal(await page.locator('.care').count(), 1)
        const isUnverified =
          (await page.getByText(at === 1 ? 'Unverified requester' : 'Solicitant neverificat').count()) > 0
        assert.equal(isUnverified, state === 'unverified')
      }
    })
  }
})

test('without JavaScript the payer switches the second currency and the language, and the amount stays on one line', async () => {
  await withoutScript('en-GB', async (page) => {
    await page.goto(paths['open'] ?? '')
    assert.equal(await page.locator('time').innerText(), '30 November 2050 at 21:59 UTC')
    const said = () => page.locator('main').innerText()
    assert.match(await said(), /€999,999\.99\s[^]*≈ RON\s4,976,999\.95[^]*on \d+ \w+ 20\d\d, National Bank of Romania/)
    await page.getByRole('link', { name: 'GBP' }).click()
    assert.match(await said(), /€999,999\.99\s[^]*≈ £853,380\.42/)
    assert.equal(await page.locator('[aria-current]').innerText(), 'GBP')
    await page.getByRole('link', { name: 'Română' }).click()
    assert.match(await said(), /îți cere să plătești\s+999\.999,99\sEUR[^]*≈ 853\.380,42\sGBP/)
    for (const amount of await page.locator('.price, .conversion p:first-child').all()) {
      const box = await amount.boundingBox()
      const size = await amount.evaluate((element: any) =>
        parseFloat(element.ownerDocument.defaultView.getComputedStyle(element).lineHeight),
      )
      assert.ok(box !== null && box.height < 1.5 * size, 'one line')
    }
  })
})

const measureShift = `
  window.shift = 0
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shift += value }).observe({ type: 'layout-shift', buffered: true })`

test('in every state the page has no axe violation, overflow, broken word or layout shift, and the keyboard reaches all', async () => {
  // The others differ from these by their words only.
  const kinds = ['open', 'unverified', 'ended', 'held']
  const visits: readonly (readonly [Look, readonly string[]])[] = [
    [{}, kinds],
    [{ locale: 'ro-RO', width: 360, colorScheme: 'dark' }, Object.keys(states)],
  ]
  for (const [look, shown] of visits) {
    const { page, context, assertClean } = await web.openPage(look)
    await context.addInitScript(measureShift)
    const settle = settling(page)
    for (const state of shown) {
      const what = `${state} ${JSON.stringify(look)}`
      await page.goto(paths[state] ?? '')
      await settle()
      assert.deepEqual(await problemsOf(page, what), [])
      assert.deepEqual(await brokenWordsIn(page), [], what)
      assert.ok((await page.evaluate<number>('shift')) < MAX_SHIFT, what)
      assert.equal(await page.locator('script:not([src])').count(), 0)
      if (state === 'open') await assertReachedByKeyboard(page, what)
    }
    await assertClean()
    await context.close()
  }
})

test('the end of the validity is shown in the zone of the payer, in the language of the page, by a script below 1 KB', async () => {
  for (const [timezoneId, query, shown] of [
    ['Europe/Bucharest', '?language=ro', /^30 noiembrie 2050 la 23:59 (EET|GMT\+2)$/],
    ['Pacific/Auckland', '', /^1 December 2050 at 10:59 (NZDT|GMT\+13)$/],
  ] as const) {
    const context = await web.browser.newContext({ baseURL: web.origin, locale: 'en-GB', timezoneId })
    const page = await context.newPage()
    const script = page.waitForResponse(/\.js$/)
    await page.goto(paths['open'] + query)
    assert.match(await page.locator('time').innerText(), shown)
    assert.ok((await (await script).body()).length < 1024)
    await context.close()
  }
})

test('combining marks of a requester cover neither the notice nor the amount, and make the page no wider', async () => {
  const { page, context } = await web.openPage({ width: 360 })
  const drawn = async (title: string) => {
    web.execute(
      'update payment_links set title = ?, reference = ? where id = ?',
      title,
      title,
      paths['unverified']?.slice(5) ?? '',
    )
    await page.goto(paths['unverified'] ?? '')
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, title)
    return Promise.all(['.notice.warn', '.price'].map((part) => page.locator(part).screenshot()))
  }
  const [plain, marked] = [await drawn('Rent a'), await drawn(`Rent a${'\u0300'.repeat(90)}`)]
  for (const [index, image] of plain.entries()) assert.ok(marked[index]?.equals(image), `part ${index}`)
  await drawn(`a${'\u0e49'.repeat(99)}`)
  await context.close()
})

test('the theme of the cookie overrides that of the device', async () => {
  const { page, context } = await web.openPage({ colorScheme: 'dark' })
  const background = async () => {
    await page.goto(paths['open'] ?? '')
    return page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  }
  const dark = await background()
  await context.addCookies([{ name: 'theme', value: 'light', url: web.origin }])
  assert.notEqual(await background(), dark)
  await context.addCookies([{ name: 'theme', value: 'dark', url: web.origin }])
  assert.equal(await background(), dark)
  await context.close()
})
