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
  await page.locator('#link-amount').fill(amount)
  await page.getByLabel('Description').fill(title)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
}

/** Creates a link and closes the dialog with its address. */
async function createAndClose(page: Page, amount: string, title: string): Promise<void> {
  await create(page, amount, title)
  await page.getByRole('dialog', { name: 'Your payment link is ready' }).waitFor()
  await page.keyboard.press('Escape')
}

test('a link is created in the chosen currency, and shown in another one at the bank’s rate', async () => {
  const { page, token, assertClean } = await openLinks('ana@gmail.com')
  await page.getByText('No payment links yet').waitFor()
  // The words and the order of the payer's page.
  assert.match(
    await page.locator('figure').innerText(),
    /asks you to pay\s+RON\s2,450\.00\s+for Website design\s+Valid until\s+30 November/,
  )
  assert.equal(await page.getByRole('radio').count(), 0, 'nothing to show in a currency')
  await page.getByRole('button', { name: 'New payment link' }).click()
  await page.getByLabel('Currency').selectOption('EUR')
  await page.keyboard.press('Escape')
  await createAndClose(page, '1234.5', 'Website')
  const row = page.getByRole('row', { name: 'Website' })
  await row.getByText('≈').waitFor()
  const shownIn = page.getByRole('group', { name: 'Show amounts in' })
  await shownIn.getByText('EUR').click()
  await row.getByText('≈').waitFor({ state: 'detached' })
  assert.match(await row.innerText(), /€1,234\.50/)
  assert.doesNotMatch(await row.innerText(), /≈/)
  assert.deepEqual(
    (await links(token)).map(({ original }: any) => original),
    [{ value: 123_450, currency: 'EUR' }],
  )

  await page.getByText('RON', { exact: true }).click()
  await row.getByText('≈').waitFor()
  // 1234.50 × 4.9770, half to even.
  assert.match(await row.innerText(), /€1,234\.50[^]*≈\sRON\s6,144\.11\s+1\sEUR\s=\s4\.9770\sRON\s/)
  await page.getByText(/^Exchange rates of \d+ \w+ 20\d\d, National Bank of Romania$/).waitFor()
  await assertAccessible(page, 'a list with a converted amount')
  await page.reload()
  await row.getByText('≈').waitFor()
  await assertClean()
})

test('a slow answer in an earlier currency is cancelled, and converted amounts are covered until the chosen ones arrive', async () => {
  const { page, token, assertClean } = await openLinks('fay@gmail.com')
  await createByApi(token, 'Desk', 10_000)
  await page.reload()
  await page.getByText('GBP', { exact: true }).click()
  const row = page.getByRole('row', { name: 'Desk' })
  await row.getByText(/≈.£17\.15/).waitFor()
  const held = Promise.withResolvers<void>()
  const cancelled = page.waitForEvent('requestfailed', (request) => request.headers()['x-currency'] === 'EUR')
  await page.route('**/api/v1/payment-links', async (route) => {
    if (route.request().headers()['x-currency'] === 'EUR') await held.promise
    // Rejects for a request that the page has cancelled.
    await route.continue().catch(() => {})
  })
  await page.getByText('EUR', { exact: true }).click()
  await page.locator('table[aria-busy=true]').waitFor()
  assert.doesNotMatch(await row.innerText(), /17\.15/)
  assert.match(await row.innerText(), /RON\s100\.00/)
  await page.getByRole('status').getByText('Converting the amounts to EUR…').waitFor()
  await assertAccessible(page, 'a list whose amounts are being converted')
  await page.getByText('GBP', { exact: true }).click()
  await row.getByText(/≈.£/).waitFor()
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
  await row.getByText(/≈.€20\.09/).waitFor()
  assert.equal(await page.getByRole('radio', { name: 'EUR' }).isChecked(), true)
  assert.equal(await page.getByText('could not be reached').count(), 0)
  await assertClean()
})

test('a start without the Internet converts at a sample rate, which the page calls one', async () => {
  const offline = await startWeb({ EXCHANGE_RATES_URL: 'off' })
  try {
    const { page, assertClean } = await openLinks('eva@gmail.com', {}, offline)
    await createAndClose(page, '10', 'Lunch')
    const row = page.getByRole('row', { name: 'Lunch' })
    await row.waitFor()
    await page.getByText('EUR', { exact: true }).click()
    await row.getByText('1 RON = 0.2000 EUR').waitFor()
    await page.getByText('Sample exchange rates, not real ones').waitFor()
    assert.match(await row.innerText(), /RON.10\.00\s+≈\s€2\.00/)
    await page.locator('button[popovertarget]').click()
    await page.getByRole('button', { name: 'Română' }).click()
    await row.getByText('1 RON = 0,2000 EUR').waitFor()
    await page.getByText('Cursuri de exemplu, nu reale').waitFor()
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
    await page.locator('dialog svg').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: 'Group' }).waitFor()
    assert.match(await page.getByRole('row', { name: 'Group' }).innerText(), shown)
    await assertClean()
  }
})

test('what is invalid or missing is refused at its field in the page’s words, and nothing is created', async () => {
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
    await message.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'New payment link' }).click()
  await page.locator('#link-expires').pressSequentially('1')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  for (const told of ['Enter an amount from', 'Enter a description of the payment.', 'Choose today or a later day.']) {
    await page.getByRole('alert').getByText(told).waitFor()
  }
  await page.locator('#link-amount:focus').waitFor()
  await assertAccessible(page, 'a form without its fields')
  await page.locator('#link-amount').fill('5')
  await page.locator('#link-title').fill('Lunch')
  await page.keyboard.press('Enter')
  await page.locator('#link-expires:focus').waitFor()
  assert.equal(await page.getByRole('alert').filter({ hasText: /\S/ }).count(), 1)
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
  await page.getByRole('dialog', { name: 'Your payment link is ready' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: 'Once' }).waitFor()
  assert.equal((await links(token)).length, 1)
  await page.unrouteAll()
  await assertClean().catch((error: Error) => assert.match(error.message, /ERR_FAILED/))
})

test('a deactivated link can no longer be paid', async () => {
  const title = `Lunch & more <b>${'W'.repeat(49)}`
  const { page, token, assertClean } = await openLinks('dan@gmail.com', { width: 360, colorScheme: 'dark' })
  await createAndClose(page, '12,05', title)
  await page.getByRole('button', { name: `Deactivate: ${title}` }).click()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('Inactive', { exact: true }).nth(1).waitFor()
  assert.equal((await links(token))[0].status, 'INACTIVE')
  await assertClean()
})

async function createByApi(token: string, title: string, value: number): Promise<void> {
  const { status, text } = await web.callApi('POST /payment-links', { token, body: { title, amount: value } })
  assert.equal(status, 201, text)
}

async function links(token: string): Promise<any[]> {
  const { body } = await web.callApi('GET /payment-links', { token })
  return body.paymentLinks
}
