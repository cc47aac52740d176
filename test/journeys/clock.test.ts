import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { createKey, exchange, listed, statesOf, tokenOf } from '../support/accounts/keys.ts'
import { from, productionLimits } from '../support/http/limits.ts'
import { mailedToken } from '../support/mail/links.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { read } from '../support/accounts/tokens.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A separate service, so that a test's clock does not affect the next test. */
async function withService(env: Record<string, string>, act: (service: Service) => Promise<void>) {
  const service = await startService(env)
  try {
    await act(service)
  } finally {
    await service.close()
  }
}

const moveTo = ({ clock }: Service, time: string | number) => clock.advance(new Date(time).getTime() - clock.now())

/** Asserts that every kind of credential issued at this moment works. */
async function assertAllWorks(service: Service, email: string): Promise<void> {
  const token = await service.signIn(email)
  const { iat, exp } = read(token).claims
  assert.equal(iat, Math.floor(service.clock.now() / 1000))
  assert.equal(exp, iat + 604_800)
  const key = await createKey(service, token, { expiresInDays: 30 })
  const { createdAt, expiresAt } = await listed(service, token, key.apiKey.id)
  assert.equal(Date.parse(createdAt), service.clock.now())
  assert.equal(Date.parse(expiresAt), service.clock.now() + 30 * DAY_MS)
  assert.deepEqual(await statesOf(service, [token, await tokenOf(service, key)]), [email, email])
}

describe('a clock that is set back by an hour', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  test('revives nothing that was used up or revoked [F29]', async () => {
    const used = await mailedToken(service, 'ana@example.com')
    const token = (await service.call(`GET /auth/verify?token=${used}`)).body.token
    const revoked = await createKey(service, token)
    const ofRevoked = await tokenOf(service, revoked)
    service.clock.advance(1000)
    await service.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token })
    const thief = await service.signUp('bob@example.com')
    await service.signIn('bob@example.com')
    const signedOut = await service.signIn('cia@example.com')
    await service.call('POST /auth/tokens/revoke', { token: signedOut })

    for (const step of [-HOUR_MS, HOUR_MS, -5 * MINUTE_MS, 5 * MINUTE_MS]) {
      service.clock.advance(step)
      assertError(await service.call(`GET /auth/verify?token=${used}`), 'LINK_INVALID')
      assertError(await exchange(service, revoked), 'INVALID_CREDENTIALS')
      assertError(await exchange(service, thief), 'KEY_AWAITS_OWNER')
      const dead = [ofRevoked, thief.token, signedOut]
      assert.deepEqual(
        await statesOf(service, dead),
        dead.map(() => 'UNAUTHORIZED'),
        `${step}`,
      )
    }
    assert.deepEqual(await statesOf(service, [token]), ['ana@example.com'], 'control: the clock is right again')
  })

  test('locks nobody out: a new token works at once, at each step back [F29]', async () => {
    const key = await service.signUp('dan@example.com')
    service.clock.advance(-30_000)
    assert.deepEqual(
      await statesOf(service, [key.token]),
      ['dan@example.com'],
      'half a minute is within the tolerance for skew',
    )
    for (const step of [-31_000, -5 * MINUTE_MS, -HOUR_MS]) {
      service.clock.advance(step)
      // Tokens more than a minute in the future are refused; a new one can be obtained at once.
      assert.deepEqual(await statesOf(service, [key.token]), ['UNAUTHORIZED'])
      assert.deepEqual(await statesOf(service, [await tokenOf(service, key)]), ['dan@example.com'])
      await assertAllWorks(service, `dan${-step}@example.com`)
    }
  })

  test('does not extend the lifetime of an earlier token [F29]', async () => {
    const { token } = await service.signUp('eva@example.com')
    const { iat, exp } = read(token).claims
    service.clock.advance(-30_000)
    assert.equal(Number(exp) - Number(iat), 3600)
    moveTo(service, Number(exp) * 1000 - 1)
    assert.deepEqual(await statesOf(service, [token]), ['eva@example.com'])
    service.clock.advance(1)
    assert.deepEqual(await statesOf(service, [token]), ['UNAUTHORIZED'])
  })
})

test('a clock that jumps ahead by a day ends what expires in a day, and nothing else [F29]', () =>
  withService({}, async (service) => {
    const signedIn = await service.signIn('ana@example.com')
    const short = await createKey(service, signedIn, { expiresInDays: 1 })
    const long = await createKey(service, signedIn, { expiresInDays: 2 })
    const ofKeys = [await tokenOf(service, short), await tokenOf(service, long)]
    const link = await mailedToken(service, 'bob@example.com')
    service.clock.advance(DAY_MS)
    assertError(await service.call(`GET /auth/verify?token=${link}`), 'LINK_INVALID')
    assertError(await exchange(service, short), 'INVALID_CREDENTIALS')
    assert.deepEqual(await statesOf(service, ofKeys), ['UNAUTHORIZED', 'UNAUTHORIZED'], 'their hour is over')
    assert.deepEqual(
      await statesOf(service, [signedIn, await tokenOf(service, long)]),
      Array(2).fill('ana@example.com'),
    )
    service.clock.advance(6 * DAY_MS)
    assert.deepEqual(await statesOf(service, [signedIn]), ['UNAUTHORIZED'])
    await assertAllWorks(service, 'ana@example.com')
  }))

describe('unusual dates', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  test('credentials work in and across the second in 2038 that overflows 32 bits [F29]', async () => {
    moveTo(service, (2 ** 31 - 1) * 1000)
    const token = await service.signIn('ana@example.com')
    const key = await createKey(service, token, { expiresInDays: 1 })
    const ofKey = await tokenOf(service, key)
    for (const step of [999, 1, 1000]) {
      service.clock.advance(step)
      assert.deepEqual(
        await statesOf(service, [token, ofKey, await tokenOf(service, key)]),
        Array(3).fill('ana@example.com'),
      )
    }
    assert.equal((await listed(service, token, key.apiKey.id)).createdAt, '2038-01-19T03:14:07.000Z')
    await assertAllWorks(service, 'bob@example.com')
    moveTo(service, (2 ** 31 - 1) * 1000 + HOUR_MS)
    assert.deepEqual(await statesOf(service, [token, ofKey]), ['ana@example.com', 'UNAUTHORIZED'])
    moveTo(service, (2 ** 31 - 1) * 1000 + DAY_MS)
    assertError(await exchange(service, key), 'INVALID_CREDENTIALS')
  })

  test('credentials work on a leap day, at the turn of a year and in 2107 [F29]', async () => {
    const dates = ['2028-02-29T23:59:59.999Z', '2031-12-31T23:59:59.999Z', '2107-01-01T00:00:00.000Z']
    for (const [index, date] of dates.entries()) {
      moveTo(service, date)
      await assertAllWorks(service, `odd${index}@example.com`)
    }
  })

  test('a day has 24 hours on the days of daylight-saving changes too [F29]', async () => {
    const zone = process.env['TZ']
    process.env['TZ'] = 'Europe/Bucharest'
    try {
      for (const [index, date] of ['2027-03-27T12:00:00.000Z', '2027-10-30T12:00:00.000Z'].entries()) {
        moveTo(service, date)
        const offset = new Date(date).getTimezoneOffset()
        assert.notEqual(new Date(service.clock.now() + DAY_MS).getTimezoneOffset(), offset, 'control')
        const token = await service.signIn(`summer${index}@example.com`)
        const key = await createKey(service, token, { expiresInDays: 1 })
        const { expiresAt } = await listed(service, token, key.apiKey.id)
        assert.equal(Date.parse(expiresAt), Date.parse(date) + DAY_MS)
        service.clock.advance(DAY_MS - 1)
        assert.equal((await exchange(service, key)).status, 200)
        service.clock.advance(1)
        assertError(await exchange(service, key), 'INVALID_CREDENTIALS')
      }
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })
})

// Otherwise a caller who uses up the mails of an address locks its owner out for as long as the clock was set back,
// instead of the limit's five minutes.
test('a clock that is set back delays mail no longer than the limit says [F29]', () =>
  withService({ ...productionLimits, RATE_LIMIT_REQUEST_REPEAT: '100/30s' }, async (service) => {
    const email = 'ana@example.com'
    const request = (n: number) =>
      service.call('POST /auth/request', { body: { email }, headers: from(`192.0.2.${n}`) })
    const statuses = []
    for (let n = 0; n < 6; n += 1) statuses.push((await request(n)).status)
    assert.deepEqual(statuses, [...Array<number>(5).fill(200), 429])

    service.clock.advance(-HOUR_MS)
    const refused = await request(7)
    assertError(refused, 'RATE_LIMITED')
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(seconds > 0 && seconds <= 300, `${seconds} seconds`)
    service.clock.advance(seconds * 1000)
    assert.equal((await request(8)).status, 200)
    assertError(await request(9), 'RATE_LIMITED')
  }))
