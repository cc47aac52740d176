import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { assertRefused, assertAccepted, withClaims } from '../../../support/google/id-tokens.ts'
import type { Forgery } from '../../../support/google/id-tokens.ts'

const DAY = 24 * 3600
let service: GoogleService
/** The service's clock, stopped at a whole second. */
let now: number

before(async () => {
  service = await startGoogleService()
  service.clock.advance(1000 - (service.clock.now() % 1000))
  now = service.clock.now() / 1000
})
after(() => service.close())

/** Tokens that are valid except for these claims. */
const withTimes = (times: readonly Record<string, unknown>[]): Record<string, Forgery> =>
  Object.fromEntries(times.map((claims) => [JSON.stringify(claims), withClaims(service.issuer, claims)]))

const invalidTimes = () => [null, '', true, [], {}, [now], 'now', String(now), `${now + 60}`]

test('a token is refused from the second of its exp, and without exp [G5]', async () => {
  const ends = [now, now - 1, now - 10, now - DAY, 0, -1, undefined, ...invalidTimes()]
  await assertRefused(service, withTimes(ends.map((exp) => ({ exp }))))
  await assertAccepted(service, withTimes([{ exp: now + 1 }, { exp: now + 0.5 }]))
})

test('a token whose lifetime exceeds a day is refused [G5]', async () => {
  const lives = [DAY + 1, 2 * DAY, 1e12, 1e300]
  await assertRefused(service, withTimes(lives.map((life) => ({ iat: now, exp: now + life }))))
  await assertAccepted(service, withTimes([{ iat: now, exp: now + DAY }]))
})

test('a token whose iat is missing, invalid or more than ten seconds ahead is refused [G5, G15]', async () => {
  const starts = [now + 11, now + 10.5, now + 300, now + 3000, undefined, ...invalidTimes()]
  await assertRefused(service, withTimes(starts.map((iat) => ({ iat }))))
  await assertAccepted(service, withTimes([{ iat: now }, { iat: now + 10 }]))
})

test('a token issued more than an hour ago is refused, whatever its exp [G5]', async () => {
  const starts = [now - 3601, now - 3600.5, now - 7200, now - DAY, 0, -1]
  await assertRefused(service, withTimes(starts.map((iat) => ({ iat }))))
  // With an unexpired exp, so only the age can be the reason.
  await assertRefused(service, withTimes([{ iat: now - 3601, exp: now + 60 }]))
  await assertAccepted(service, withTimes([{ iat: now - 3600 }]))
})

test('a token whose nbf is invalid or more than ten seconds ahead is refused [G5]', async () => {
  const starts = [now + 11, now + 3000, 1e300, ...invalidTimes(), String(now - 60)]
  await assertRefused(service, withTimes(starts.map((nbf) => ({ nbf }))))
  await assertAccepted(service, withTimes([{ nbf: undefined }, { nbf: 0 }, { nbf: now - 60 }, { nbf: now + 10 }]))
})

test('expiry follows the service’s own clock', async () => {
  const claims = service.issuer.claims({ exp: now + 100 })
  const credential = service.issuer.sign(claims)
  service.clock.advance(100_000)
  await assertRefused(service, { late: () => credential }, { through: ['One Tap'] })
  service.clock.advance(-1)
  await assertAccepted(service, { 'a millisecond earlier': () => credential }, ['One Tap'])
  service.clock.advance(-99_999)
  assert.equal(service.clock.now() / 1000, now)
})
