/** An ID token counts for its time only, and for an hour at most. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { assertRefused, assertTaken, claiming } from '../../../support/google/id-tokens.ts'
import type { Forgery } from '../../../support/google/id-tokens.ts'

const DAY = 24 * 3600
let service: GoogleService
/** The service's clock in seconds, which is whole and stands still. */
let now: number

before(async () => {
  service = await startGoogleService()
  service.clock.advance(1000 - (service.clock.now() % 1000))
  now = service.clock.now() / 1000
})
after(() => service.close())

/** Tokens that are right but for these claims. */
const withTimes = (times: readonly Record<string, unknown>[]): Record<string, Forgery> =>
  Object.fromEntries(times.map((claims) => [JSON.stringify(claims), claiming(service.issuer, claims)]))

const notTimes = () => [null, '', true, [], {}, [now], 'now', String(now), `${now + 60}`]

test('that is over, from the very second, or has no end is refused: exp [G5]', async () => {
  const ends = [now, now - 1, now - 10, now - DAY, 0, -1, undefined, ...notTimes()]
  await assertRefused(service, withTimes(ends.map((exp) => ({ exp }))))
  await assertTaken(service, withTimes([{ exp: now + 1 }, { exp: now + 0.5 }]))
})

test('of more than a day is refused [G5]', async () => {
  const lives = [DAY + 1, 2 * DAY, 1e12, 1e300]
  await assertRefused(service, withTimes(lives.map((life) => ({ iat: now, exp: now + life }))))
  await assertTaken(service, withTimes([{ iat: now, exp: now + DAY }]))
})

test('from the future by more than ten seconds, or of no time, is refused: iat [G5, G15]', async () => {
  const starts = [now + 11, now + 10.5, now + 300, now + 3000, undefined, ...notTimes()]
  await assertRefused(service, withTimes(starts.map((iat) => ({ iat }))))
  await assertTaken(service, withTimes([{ iat: now }, { iat: now + 10 }]))
})

test('older than an hour is refused, however long it is meant to live: iat [G5]', async () => {
  const starts = [now - 3601, now - 3600.5, now - 7200, now - DAY, 0, -1]
  await assertRefused(service, withTimes(starts.map((iat) => ({ iat }))))
  // So that nothing but its age can be what is wrong.
  await assertRefused(service, withTimes([{ iat: now - 3601, exp: now + 60 }]))
  await assertTaken(service, withTimes([{ iat: now - 3600 }]))
})

test('before its time is refused: nbf [G5]', async () => {
  const starts = [now + 11, now + 3000, 1e300, ...notTimes(), String(now - 60)]
  await assertRefused(service, withTimes(starts.map((nbf) => ({ nbf }))))
  await assertTaken(service, withTimes([{ nbf: undefined }, { nbf: 0 }, { nbf: now - 60 }, { nbf: now + 10 }]))
})

test('taken once, it is refused as soon as its time is over, by the service’s own clock', async () => {
  const claims = service.issuer.claims({ exp: now + 100 })
  const credential = service.issuer.sign(claims)
  service.clock.advance(100_000)
  await assertRefused(service, { late: () => credential }, { through: ['One Tap'] })
  service.clock.advance(-1)
  await assertTaken(service, { 'a millisecond earlier': () => credential }, ['One Tap'])
  service.clock.advance(-99_999)
  assert.equal(service.clock.now() / 1000, now)
})
