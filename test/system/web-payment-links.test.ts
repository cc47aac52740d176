import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { bankDocument, usualRates } from '../support/accounts/payment-links.ts'
import { parseAmount } from '../../web/src/pages/payment-links/amount.ts'
import { assertAccessible } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'

const date = new Date().toISOString().slice(0, 10)
let web: Web
const bank = createServer((_, response) => response.end(bankDocument({ date, rates: usualRates })))

before(async () => {
  bank.listen(0, '127.0.0.1')
  await once(bank, 'listening')
  const { port } = bank.address() as AddressInfo
  web = await startWeb({ EXCHANGE_RATES_URL: `http://127.0.0.1:${port}/nbrfxrates.xml` })
})
after(async () => {
  await web.stop()
  bank.close()
})

async function openLinks(email: string, look = {}, of = web) {
  const opened = await of.openPage(look)
  const token = await of.signInWithGoogle(email, 'Ana')
  await opened.page.goto('/healthz')
  await opened.page.evaluate(`localStorage.setItem('token', '${token}')`)
  await opened.page.goto('/dashboard/payment-links')
  return { ...opened, token }
}

async function create(page: Page, amount: string, title: string): Promise<void> {
  await page.getByRole('button', { name: 'New payment link' }).click()
  await page.getByLabel('Amount in').fill(amount)
  await page.getByLabel('For what').fill(title)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
}

test('a link is created in the chosen currency, and shown in another one at the bank’s rate', async () => {
  const { page, token, assertClean } = await openLinks('ana@gmail.com')
  await page.getByText('No payment links yet.').waitFor()
  await page.getByText('EUR', { exact: true }).click()
  await create(page, '1234.5', 'Website')
  await page.getByRole('status').getByText('“Website” is ready').waitFor()
  const row = page.getByRole('row', { name: 'Website' })
  assert.match(await row.innerText(), /€1,234\.50/)
  assert.doesNotMatch(await row.innerText(), /originally/)
  assert.deepEqual(
    (await links(token)).map(({ original }: any) => original),
    [{ value: 123_450, currency: 'EUR' }],
  )

  await page.getByText('RON', { exact: true }).click()
  await row.getByText('€1,234.50 originally').waitFor()
  // 1234.50 × 4.9770, half to even.
  assert.match(await row.innerText(), /RON\s6,144\.11/)
  assert.match(await row.innerText(), /at 4\.977\b/)
  await assertAccessible(page, 'a list with a converted amount')
  await page.reload()
  await row.getByText('€1,234.50 originally').waitFor()
  await assertClean()
})

test('a slow answer in an earlier currency is cancelled, and old amounts are covered until the chosen ones arrive', async () => {
  const { page, token, assertClean } = await openLinks('fay@gmail.com')
  await createByApi(token, 'Desk', 10_000)
  await page.reload()
  const row = page.getByRole('row', { name: 'Desk' })
  await row.getByText('RON 100.00').waitFor()
  const held = Promise.withResolvers<void>()
  const cancelled = page.waitForEvent('requestfailed', (request) => request.headers()['x-currency'] === 'EUR')
  await page.route('**/api/v1/payment-links', async (route) => {
    if (route.request().headers()['x-currency'] === 'EUR') await held.promise
    // Rejects for a request that the page has cancelled.
    await route.continue().catch(() => {})
  })
  await page.getByText('EUR', { exact: true }).click()
  await page.locator('table[aria-busy=true]').waitFor()
  assert.doesNotMatch(await row.innerText(), /100/)
  await page.getByRole('status').getByText('Converting the amounts to EUR…').waitFor()
  await assertAccessible(page, 'a list whose amounts are being converted')
  await page.getByText('GBP', { exact: true }).click()
  await row.getByText('£').waitFor()
  await cancelled
  held.resolve()
  await page.unrouteAll({ behavior: 'wait' })
  assert.match(await row.innerText(), /£/)
  assert.equal(await page.getByRole('radio', { name: 'GBP' }).isChecked(), true)
  assert.equal(await page.locator('table[aria-busy=false]').count(), 1)
  await page.reload()
  await row.getByText('£').waitFor()
  await assertClean()
})

test('without a connection the list stays in its currency, which stays chosen, and a retry loads the other one', async () => {
  const { page, context, token, assertClean } = await openLinks('gil@gmail.com')
  await createByApi(token, 'Chair', 10_000)
  await page.reload()
  const row = page.getByRole('row', { name: 'Chair' })
  await row.getByText('RON 100.00').waitFor()
  await context.setOffline(true)
  await page.getByText('EUR', { exact: true }).click()
  await page.getByRole('alert').getByText('could not be reached').waitFor()
  assert.equal(await page.getByRole('radio', { name: 'RON' }).isChecked(), true)
  assert.match(await row.innerText(), /RON\s100\.00/)
  assert.equal(await page.evaluate('localStorage.getItem("currency")'), 'RON')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await row.getByText('RON 100.00 originally').waitFor()
  assert.equal(await page.getByRole('radio', { name: 'EUR' }).isChecked(), true)
  assert.equal(await page.getByText('could not be reached').count(), 0)
  await assertClean()
})

test('a start without the Internet converts at a sample rate, which the page calls one', async () => {
  const offline = await startWeb({ EXCHANGE_RATES_URL: 'off' })
  try {
    const { page, assertClean } = await openLinks('eva@gmail.com', {}, offline)
    await create(page, '10', 'Lunch')
    const row = page.getByRole('row', { name: 'Lunch' })
    await row.waitFor()
    await page.getByText('EUR', { exact: true }).click()
    await row.getByText(/RON.10\.00 originally at the sample rate 0\.2, .*2026/).waitFor()
    await page.getByRole('button', { name: 'Română' }).click()
    await row.getByText(/inițial 10,00.RON la cursul de probă 0,2, .*2026/).waitFor()
    await assertClean()
  } finally {
    await offline.stop()
  }
})

const NO_BREAK_SPACE = '\u00a0'
const NARROW_NO_BREAK_SPACE = '\u202f'

for (const { locale, group, decimal } of [
  { locale: 'en-GB', group: ',', decimal: '.' },
  { locale: 'ro-RO', group: '.', decimal: ',' },
]) {
  test(`an amount is read as ${locale} writes it, decimals in either way, and nothing with two readings`, () => {
    const amounts: Readonly<Record<string, number | undefined>> = {
      '1050': 105_000,
      '1050.5': 105_050,
      '1050,50': 105_050,
      '0.01': 1,
      '0,5': 50,
      '1,234.50': 123_450,
      '1.234,50': 123_450,
      '999,999.99': 99_999_999,
      '999.999,99': 99_999_999,
      '12 345,6': 1_234_560,
      [`12${NO_BREAK_SPACE}345.67`]: 1_234_567,
      [`12${NARROW_NO_BREAK_SPACE}345`]: 1_234_500,
      [`1${group}234`]: 123_400,
      [`999${group}999`]: 99_999_900,
      [`1${decimal}234`]: undefined,
      [`0${group}234`]: undefined,
    }
    const refused = [
      '',
      '0',
      '0.00',
      'ten',
      '-5',
      '+5',
      '1000000',
      '1,000,000',
      '1.2.3',
      '1,2,3',
      '1,23,456',
      '1234,567',
    ]
    for (const text of [
      ...refused,
      '1,234,50',
      '1.234.50',
      '1,234.567',
      '1 2',
      '1 234 50',
      '1e3',
      '.5',
      '5.',
      '0x10',
      '１２',
    ]) {
      assert.equal(parseAmount(text, locale), undefined, text)
    }
    for (const [text, value] of Object.entries(amounts)) assert.equal(parseAmount(text, locale), value, text)
  })
}

test('an amount with groups is accepted as the page writes it in each language', async () => {
  for (const [locale, amount, shown] of [
    ['en-GB', '999,999.99', /RON\s999,999\.99/],
    ['ro-RO', '1.234', /1\.234,00\sRON/],
  ] as const) {
    const { page, assertClean } = await openLinks(`group-${locale.slice(0, 2)}@gmail.com`, { locale })
    await page.locator('main button').first().click()
    await page.locator('#link-amount').fill(amount)
    await page.locator('#link-title').fill('Group')
    await page.locator('dialog button').last().click()
    await page.getByRole('row', { name: 'Group' }).waitFor()
    assert.match(await page.getByRole('row', { name: 'Group' }).innerText(), shown)
    await assertClean()
  }
})

test('an invalid amount is refused at its field, and nothing is created', async () => {
  const { page, token, assertClean } = await openLinks('bob@gmail.com')
  for (const amount of ['0', '1.234', 'ten', '1000000', '-5']) {
    await create(page, amount, 'Nothing')
    const message = page.getByRole('alert').getByText('Enter an amount from')
    await message.waitFor()
    const field = page.locator('#link-amount[aria-invalid=true]:focus')
    await field.waitFor()
    const [at, fieldAt] = await Promise.all([message.boundingBox(), field.boundingBox()])
    assert.ok((at?.y ?? Infinity) - (fieldAt?.y ?? 0) - (fieldAt?.height ?? 0) < 16, 'directly below the field')
    assert.match(
      (await field.getAttribute('aria-describedby')) ?? '',
      new RegExp(`^${await message.getAttribute('id')} `),
    )
    if (amount === '0') await assertAccessible(page, 'an invalid amount')
    await field.fill('5')
    assert.equal(await message.count(), 0)
    await page.keyboard.press('Escape')
  }
  assert.deepEqual(await links(token), [])
  await assertClean()
})

test('a retry after a lost answer creates no second link', async () => {
  const { page, token, assertClean } = await openLinks('cia@gmail.com')
  let lost = 0
  await page.route('**/api/v1/payment-links', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue()
    lost += 1
    await page.locator('button:focus', { hasText: 'Creating…' }).waitFor()
    await route.fetch()
    return route.abort()
  })
  await create(page, '10', 'Once')
  await page.getByText('The service could not be reached.').waitFor()
  assert.equal(await page.locator('button:focus').innerText(), 'Create')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('row', { name: 'Once' }).waitFor()
  assert.equal((await links(token)).length, 1)
  await page.unrouteAll()
  await assertClean().catch((error: Error) => assert.match(error.message, /ERR_FAILED/))
})

test('after a deactivation all pages of the list stay, and the focus is on the link in its row', async () => {
  const { page, token, assertClean } = await openLinks('hal@gmail.com', { width: 360 })
  for (let number = 1; number <= 53; number += 1) await createByApi(token, `Link ${number}.`, 100)
  await page.reload()
  const rows = page.getByRole('table').locator('tbody tr')
  await rows.first().waitFor()
  const first = await rows.count()
  assert.ok(first < 53)
  await page.getByRole('button', { name: 'Show more' }).press('Enter')
  await page.getByRole('link', { name: 'Open Link 1.' }).waitFor()
  assert.equal(await rows.nth(first).locator('a:focus').count(), 1, 'the first new row')
  await page.getByRole('button', { name: 'Deactivate: Link 2.' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).press('Enter')
  await page.getByRole('status').getByText('“Link 2.” can no longer be paid.').waitFor()
  assert.equal(await rows.count(), 53)
  await page.getByRole('row', { name: 'Link 2.' }).getByText('Inactive').waitFor()
  assert.equal(await page.locator('a:focus').getAttribute('aria-label'), 'Open Link 2.')
  await assertClean()
})

test('the payer sees title and amount; a deactivated link says that it can no longer be paid', async () => {
  const title = `Lunch & more <b>${'W'.repeat(49)}`
  const { page, token, assertClean } = await openLinks('dan@gmail.com', { width: 360, colorScheme: 'dark' })
  await create(page, '12,05', title)
  await page.getByText('is ready').waitFor()
  const [{ url }] = await links(token)
  const { page: payer, assertClean: assertPayerClean } = await web.openPage({ locale: 'ro-RO', width: 360 })
  await payer.goto(new URL(url).pathname)
  await payer.getByRole('heading', { name: title }).waitFor()
  assert.match(await payer.locator('main').innerText(), /12,05\sRON[^]*Acest link de plată este deschis/)
  await assertAccessible(payer, 'the page of a payment link')

  await page.getByRole('button', { name: `Deactivate: ${title}` }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await links(token))[0].status, 'ACTIVE')
  await page.getByRole('button', { name: `Deactivate: ${title}` }).click()
  await assertAccessible(page, 'the question before a link is deactivated')
  assert.equal(
    await page.evaluate(
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog'))",
    ),
    0,
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await page.getByText('can no longer be paid.').waitFor()
  assert.equal((await links(token))[0].status, 'INACTIVE')
  await payer.reload()
  await payer.getByText('nu mai poate fi plătit').waitFor()
  await payer.goto('/pay/nothing')
  await payer.getByText('Nu există un astfel de link de plată.').waitFor()
  await assertClean()
  await assertPayerClean()
})

test('a payer without JavaScript reads what to do, and no payer reads about the API', async () => {
  const { token } = await openLinks('ida@gmail.com')
  await createByApi(token, 'Dinner', 99_999_999)
  const [{ url }] = await links(token)
  const { pathname } = new URL(url)
  for (const javaScriptEnabled of [false, true]) {
    const context = await web.browser.newContext({
      baseURL: web.origin,
      javaScriptEnabled,
      viewport: { width: 320, height: 700 },
    })
    const page = await context.newPage()
    await page.goto(pathname)
    if (javaScriptEnabled) await page.getByText('This payment link is open.').waitFor()
    else assert.match(await page.locator('noscript').innerText(), /^This page needs JavaScript\. Turn it on/)
    assert.doesNotMatch(await page.locator('body').innerText(), /API|program|agent/i)
    if (javaScriptEnabled) {
      const lines = await page.getByText(/999,999\.99/).evaluate((price: any) => {
        const range = price.ownerDocument.createRange()
        range.selectNodeContents(price)
        return range.getClientRects().length
      })
      assert.equal(lines, 1, 'the amount stands on one line')
    }
    await context.close()
  }
})

async function createByApi(token: string, title: string, value: number): Promise<void> {
  const { status, text } = await web.callApi('POST /payment-links', { token, body: { title, amount: value } })
  assert.equal(status, 201, text)
}

async function links(token: string): Promise<any[]> {
  const { body } = await web.callApi('GET /payment-links', { token })
  return body.paymentLinks
}
