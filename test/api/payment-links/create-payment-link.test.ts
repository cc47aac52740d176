import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { assertOnlyObjects } from '../../support/http/bodies.ts'
import { assertDocumented } from '../../support/documented.ts'
import { productionLimits } from '../../support/http/limits.ts'
import { createLink, readLink } from '../../support/accounts/payment-links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent, userOf } from '../../support/database/state.ts'

const ROUTE = 'POST /payment-links'
const DAY_MS = 24 * 3600_000
let service: Service
let token: string

before(async () => {
  service = await startService()
  token = await service.signIn('ana@example.com')
})
after(() => service.close())

const create = (body: unknown, headers = {}) => service.call(ROUTE, { token, body, headers })
const right = { amount: 1050, title: 'Lunch' }
const iso = (inMs: number) => new Date(service.clock.now() + inMs).toISOString()

test('creating a link returns 201 with exactly these fields, is not cached, and stores exactly this row', async () => {
  const expiresAt = iso(DAY_MS)
  const answer = await create({ ...right, reference: 'INV-1', expiresAt })
  assert.equal(answer.status, 201, answer.text)
  assertDocumented(ROUTE, answer)
  assertUncacheable(answer)
  const { id } = answer.body.paymentLink
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const money = { value: 1050, currency: 'RON' }
  assert.deepEqual(answer.body, {
    paymentLink: {
      id,
      url: `${service.origin}/pay/${id}`,
      title: 'Lunch',
      reference: 'INV-1',
      status: 'ACTIVE',
      amount: money,
      original: money,
      exchangeRate: null,
      createdAt: iso(0),
      expiresAt,
    },
  })
  const { paymentLinks, keptAnswers } = await databaseContent(service.db)
  const user = await userOf(service.db, 'ana@example.com')
  assert.deepEqual(
    paymentLinks.map((row) => Object.assign({}, row)),
    [
      {
        id,
        user_id: user.id,
        api_key_id: null,
        title: 'Lunch',
        reference: 'INV-1',
        amount: 1050,
        currency: 'RON',
        created_at_ms: service.clock.now(),
        expires_at_ms: service.clock.now() + DAY_MS,
        deactivated_at_ms: null,
        claimed_at_ms: user.claimed_at_ms,
      },
    ],
  )
  assert.deepEqual(keptAnswers, [], 'nothing is stored without an Idempotency-Key')
})

test('the link is in the currency of the call, without a rate; reference and expiresAt are optional', async () => {
  for (const currency of ['RON', 'EUR', 'GBP']) {
    const answer = await create(right, { 'x-currency': currency })
    assert.equal(answer.status, 201)
    const { amount, original, exchangeRate, reference, expiresAt } = answer.body.paymentLink
    const money = { value: 1050, currency }
    assert.deepEqual([amount, original, exchangeRate, reference, expiresAt], [money, money, null, null, null])
    assert.equal(answer.headers.get('x-currency'), currency)
  }
  await assertNothingHappens(service, async () => {
    assertError(await create(right, { 'x-currency': 'USD' }), 'CURRENCY_NOT_SUPPORTED')
  })
})

test('a link created with a key’s token records the key', async () => {
  const { token: ofKey, apiKey } = await service.signUp('bob@example.com')
  const { id } = await createLink(service, ofKey)
  const row = (await databaseContent(service.db)).paymentLinks.find((link) => link.id === id)
  assert.deepEqual([row?.api_key_id, row?.claimed_at_ms], [apiKey.id, null])
})

test('amount must be a whole number from 1 to 99,999,999, in any JSON notation', async () => {
  for (const [text, value] of [
    ['1', 1],
    ['99999999', 99_999_999],
    ['1e2', 100],
    ['10.0', 10],
    ['0.5e1', 5],
  ] as const) {
    const answer = await create(`{"amount":${text},"title":"x"}`)
    assert.equal(answer.body.paymentLink?.amount.value, value, answer.text)
  }
  const wrong = [
    '0',
    '-1',
    '-0',
    '100000000',
    '1.5',
    '0.1',
    '"5"',
    'null',
    'true',
    '[5]',
    '{}',
    '1e400',
    '1e9',
    '9007199254740993',
    '1e-1',
  ]
  await assertNothingHappens(service, async () => {
    for (const text of wrong)
      assertError(
        await create(`{"amount":${text},"title":"x"}`),
        'VALIDATION_FAILED',
        /^`amount` must be a whole number from 1 to 99999999(, not (null|an? \w+))?\.$/,
      )
  })
})

test('expiresAt must be a future time with an offset, before the year 10000', async () => {
  for (const [text, iso8601] of [
    [iso(1), iso(1)],
    ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.000Z'],
    ['2030-01-01T02:00:00+02:00', '2030-01-01T00:00:00.000Z'],
    ['2030-01-01t00:00:00.5z', '2030-01-01T00:00:00.500Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ]) {
    const { expiresAt, id } = await createLink(service, token, { expiresAt: text })
    assert.equal(expiresAt, iso8601)
    assert.equal((await readLink(service, token, id)).expiresAt, iso8601)
  }
  const past = [
    iso(0),
    iso(-1),
    '1970-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '2030-06-30T23:59:60Z',
  ]
  const noTime = [
    '',
    'tomorrow',
    '2030-01-01',
    '2030-02-30T00:00:00Z',
    '2030-01-01T00:00:00',
    '2030-01-01 00:00:00Z',
    '2030-01-01T00:00:00+01',
    '2030-01-01T00:00:00+0100',
    '2030-01-01T25:00:00Z',
    '10000-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    '1893456000',
    '2030-01-01T00:00:00Z '.padEnd(41),
    '2030-01-01T00:00:00\u0000Z',
  ]
  await assertNothingHappens(service, async () => {
    for (const expiresAt of noTime) {
      assertError(
        await create({ ...right, expiresAt }),
        'VALIDATION_FAILED',
        /^`expiresAt` must (be a date and time with|have at most)/,
      )
    }
    for (const expiresAt of [...past, ...noTime, 1_893_456_000_000]) {
      assertError(await create({ ...right, expiresAt }), 'VALIDATION_FAILED', /^`expiresAt` must /)
    }
  })
})

test('title and reference must be printable texts of 1 to 100 characters', async () => {
  const longest = '🦊'.repeat(100)
  const { title, reference } = await createLink(service, token, {
    title: longest,
    reference: '<script>alert(1)</script>',
  })
  assert.deepEqual([title, reference], [longest, '<script>alert(1)</script>'])
  const wrong = [
    '',
    ' ',
    '\t',
    'a\nb',
    '\u0000',
    'a\u0007',
    '\u007f',
    '\u0085',
    '\u2028',
    '\u202edcba',
    '\u2066x',
    '\ud83e',
    'ș'.repeat(101),
    5,
    ['a'],
    {},
  ]
  await assertNothingHappens(service, async () => {
    for (const text of wrong) {
      assertError(await create({ ...right, title: text }), 'VALIDATION_FAILED', /^`title` must /)
      assertError(await create({ ...right, reference: text }), 'VALIDATION_FAILED', /^`reference` must /)
    }
  })
})

test('missing, unknown and server-set fields are refused, and no link is created [K7]', async () => {
  await assertNothingHappens(service, async () => {
    await assertOnlyObjects(service, ROUTE, { token })
    assertError(await create({ title: 'x' }), 'VALIDATION_FAILED', /amount/)
    assertError(await create({ amount: 1 }), 'VALIDATION_FAILED', /title/)
    for (const more of [
      { currency: 'EUR' },
      { userId: 'x' },
      { id: 'x' },
      { status: 'ACTIVE' },
      { createdAt: iso(0) },
      { url: 'https://evil.example' },
    ]) {
      assertError(await create({ ...right, ...more }), 'VALIDATION_FAILED', /is not a known field/)
    }
  })
})

test('without a valid token no link is created, and no other error is reported', async () => {
  await assertNothingHappens(service, async () => {
    for (const bad of [undefined, 'forged']) {
      const options = bad === undefined ? {} : { token: bad }
      assertError(await service.call(ROUTE, { ...options, body: right }), 'UNAUTHORIZED', 'Unauthorized')
      const headers = { 'idempotency-key': 'x'.repeat(300), 'x-currency': 'USD' }
      assertError(await service.call(ROUTE, { ...options, body: '{', headers }), 'UNAUTHORIZED', 'Unauthorized')
    }
  })
})

test('the URL of a link is PAYMENT_URL plus the id, with the query of PAYMENT_URL', async () => {
  const env = {
    ...productionLimits,
    RATE_LIMIT_PAYMENT_LINKS: '2/10m',
    PAYMENT_URL: 'https://pay.example.com/l/?from=api',
  }
  const limited = await startService(env)
  try {
    const [one, other] = [await limited.signIn('ana@example.com'), await limited.signIn('bob@example.com')]
    const { id, url } = await createLink(limited, one)
    assert.equal(url, `https://pay.example.com/l/${id}?from=api`)
    assert.equal((await readLink(limited, one, id)).url, url)

    // The rate limit is per user.
    await createLink(limited, one)
    const refused = await limited.call(ROUTE, { token: one, body: right })
    assertError(refused, 'RATE_LIMITED')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    await createLink(limited, other)
    assert.equal((await databaseContent(limited.db)).paymentLinks.length, 3)
  } finally {
    await limited.close()
  }
})
