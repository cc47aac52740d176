import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { assertError, assertUncacheable, fingerprintOf } from '../../support/http/answers.ts'
import { assertDocumented } from '../../support/documented.ts'
import { createLink, dayBefore, holdRates } from '../../support/accounts/payment-links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens } from '../../support/database/state.ts'

let service: Service
let token: string

before(async () => {
  service = await startService()
  token = await service.signIn('ana@example.com')
})
after(() => service.close())
beforeEach(() => service.db.query.deleteFrom('exchange_rates').execute())

const get = (id: string, currency?: string, by = token) =>
  service.call(`GET /payment-links/${id}`, {
    token: by,
    headers: currency === undefined ? {} : { 'x-currency': currency },
  })
const made = (currency: string, amount = 1050) =>
  createLink(service, token, { amount, title: 'Lunch', reference: 'INV-1' }, { 'x-currency': currency })

test('in its own currency a link is returned unchanged, without a rate, and is not cached', async () => {
  for (const currency of ['RON', 'EUR', 'GBP']) {
    const link = await made(currency)
    service.clock.advance(1000)
    const answer = await assertNothingHappens(service, () => get(link.id, currency))
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { paymentLink: link })
    assertDocumented(`GET /payment-links/${link.id}`, answer)
    assertUncacheable(answer)
  }
})

test('in another currency a link is converted by the newest rate, which is in the response beside the original amount', async () => {
  const [older, middle, newest] = [5, 4, 3].map((days) => dayBefore(service.clock, days)) as [string, string, string]
  await holdRates(service.db, older, { EUR: '1', GBP: '1' })
  await holdRates(service.db, newest, { EUR: '4.9770' })
  await holdRates(service.db, middle, { EUR: '2', GBP: '5.8321' })
  const of: Readonly<Record<string, readonly [number, string, string]>> = {
    // 1050 / 4.9770 = 210.97…; 1050 / 5.8321 = 180.03…
    'RON EUR': [211, '0.2009242516', newest],
    'RON GBP': [180, '0.171464824', middle],
    // 1050 * 4.9770 = 5225.85
    'EUR RON': [5226, '4.977', newest],
    'EUR GBP': [896, '0.8533804290', middle],
    'GBP EUR': [1230, '1.1718103275', middle],
  }
  for (const [pair, [value, rate, date]] of Object.entries(of)) {
    const [from = '', to = ''] = pair.split(' ')
    const link = await made(from)
    const answer = await get(link.id, to)
    assert.equal(answer.headers.get('x-currency'), to)
    assert.deepEqual(
      answer.body,
      {
        paymentLink: {
          ...link,
          amount: { value, currency: to },
          original: { value: 1050, currency: from },
          exchangeRate: { rate: rate.replace(/0+$/, ''), date, source: 'BNR' },
        },
      },
      pair,
    )
    assertDocumented(`GET /payment-links/${link.id}`, answer)
  }
})

test('without a rate the amount is null beside the original, never an error and never a value in another currency', async () => {
  await holdRates(service.db, dayBefore(service.clock, 3), { GBP: '5.8321' })
  for (const [from, to] of [
    ['RON', 'EUR'],
    ['EUR', 'RON'],
    ['GBP', 'EUR'],
    ['EUR', 'GBP'],
  ] as const) {
    const link = await made(from)
    const answer = await assertNothingHappens(service, () => get(link.id, to))
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { paymentLink: { ...link, amount: null } })
    assertDocumented(`GET /payment-links/${link.id}`, answer)
    assert.equal(answer.headers.get('x-currency'), to)
  }
  const { id } = await made('GBP')
  assert.deepEqual((await get(id, 'RON')).body.paymentLink.amount, { value: 6124, currency: 'RON' })
})

test('the smallest and largest amounts are converted, also to zero', async () => {
  await holdRates(service.db, dayBefore(service.clock, 3), { EUR: '4.9770', GBP: '5.8321' })
  const values: unknown[] = []
  for (const amount of [1, 2, 3, 99_999_999])
    values.push((await get((await made('RON', amount)).id, 'EUR')).body.paymentLink.amount.value)
  assert.deepEqual(values, [0, 0, 1, 20_092_425])
  assert.equal((await get((await made('GBP', 99_999_999)).id)).body.paymentLink.amount.value, 583_209_994)
})

test('the status changes at expiresAt, to the millisecond', async () => {
  const expiresAt = new Date(service.clock.now() + 1000).toISOString()
  const { id } = await createLink(service, token, { expiresAt })
  const status = async () => (await get(id)).body.paymentLink.status
  service.clock.advance(999)
  assert.equal(await status(), 'ACTIVE')
  service.clock.advance(1)
  assert.equal(await status(), 'EXPIRED')
})

test('another user’s link gets the same 404 as an unknown or malformed id', async () => {
  const { id } = await made('RON')
  const stranger = await service.signIn('bob@example.com')
  await assertNothingHappens(service, async () => {
    const foreign = await get(id, 'RON', stranger)
    assertError(foreign, 'NOT_FOUND')
    const unknown = await get('0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11', 'RON', stranger)
    assert.equal(fingerprintOf(foreign), fingerprintOf(unknown))
    for (const wrong of [
      `${id}%00`,
      '%00',
      id.toUpperCase(),
      `${id}%20`,
      "'%20OR%20'1'='1",
      '*',
      '%25',
      '%F0%9F%94%91',
      'a'.repeat(8000),
    ]) {
      assertError(await get(wrong), 'NOT_FOUND')
    }
    // The owner is checked before the rate.
    assertError(await get(id, 'EUR', stranger), 'NOT_FOUND')
  })
  assertError(await service.call(`GET /payment-links/${id}`), 'UNAUTHORIZED')
})

test('every token of the account can read the link, also a key’s', async () => {
  const { token: ofKey } = await service.signUp('cia@example.com')
  const link = await createLink(service, ofKey)
  assert.deepEqual((await get(link.id, 'RON', ofKey)).body.paymentLink, link)
})
