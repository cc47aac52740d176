import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { agents, listSessions, signInIdOf } from '../../support/accounts/sessions.ts'
import { createKey, signUpAndClaim, tokenOf } from '../../support/accounts/keys.ts'
import { mailedToken } from '../../support/mail/links.ts'
import { assertNothingHappens, userOf } from '../../support/database/state.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3600 * 1000
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

async function signInWith(email: string, agent: string, on = service): Promise<string> {
  const token = await mailedToken(on, email)
  const { body } = await on.call(`GET /auth/verify?token=${token}`, { headers: { 'user-agent': agent } })
  return body.token
}

test('the list has exactly the documented fields, last seen first, is not cached, and changes nothing', async () => {
  const email = 'ana@example.com'
  const phone = await signInWith(email, agents['Safari on iOS'])
  const phoneAt = new Date(service.clock.now()).toISOString()
  service.clock.advance(1000)
  const script = await signInWith(email, 'curl/8.14.1')
  const scriptAt = new Date(service.clock.now()).toISOString()

  const answer = await assertNothingHappens(service, () => service.call('GET /auth/sessions', { token: phone }))
  assert.equal(answer.status, 200)
  assertUncacheable(answer)
  const usual = { method: 'magic_link', network: '127.0.0.0/24' }
  assert.deepEqual(answer.body, {
    sessions: [
      {
        ...usual,
        id: signInIdOf(script),
        createdAt: scriptAt,
        lastSeenAt: scriptAt,
        browser: null,
        system: null,
        current: false,
      },
      {
        ...usual,
        id: signInIdOf(phone),
        createdAt: phoneAt,
        lastSeenAt: phoneAt,
        browser: 'Safari',
        system: 'iOS',
        current: true,
      },
    ],
  })
})

test('lastSeenAt is the last accepted call, also if it failed; refused calls and those of other sign-ins do not count', async () => {
  const first = await service.signIn('bob@example.com')
  const second = await service.signIn('bob@example.com')
  const seen = async () =>
    Object.fromEntries((await listSessions(service, second)).map(({ id, lastSeenAt }) => [id, Date.parse(lastSeenAt)]))
  const beforeMs = (await seen())[signInIdOf(first)]
  service.clock.advance(7 * MINUTE_MS)
  await service.call('GET /payment-links/unknown', { token: first })
  const calledMs = service.clock.now()
  service.clock.advance(MINUTE_MS)
  await service.call('GET /users/me', { token: `${first}x` })
  assert.equal((await seen())[signInIdOf(first)], beforeMs, 'written behind, not with the call')
  await service.deps.signInUse.flush()
  assert.equal((await seen())[signInIdOf(first)], calledMs)
})

test('ended, expired and unused sign-ins are not listed', async (t) => {
  const strict = await startService({ SESSION_IDLE_DAYS: '2' })
  t.after(() => strict.close())
  const unused = await strict.signIn('cia@example.com')
  const ended = await strict.signIn('cia@example.com')
  await strict.call('POST /auth/sign-out', { token: ended })
  strict.clock.advance(2 * DAY_MS + 4 * MINUTE_MS)
  const used = await strict.signIn('cia@example.com')
  const ids = async () => (await listSessions(strict, used)).map(({ id }) => id)
  assert.deepEqual(await ids(), [signInIdOf(used), signInIdOf(unused)], 'the last use may be written minutes later')
  strict.clock.advance(MINUTE_MS)
  assert.deepEqual(await ids(), [signInIdOf(used)])
  assertError(await strict.call('GET /users/me', { token: unused }), 'UNAUTHORIZED')
  // A token lives as long as its sign-in: the row is asked with another one.
  await strict.deps.signInUse.flush()
  strict.clock.advance(DAY_MS)
  await strict.call('GET /users/me', { token: used })
  await strict.deps.signInUse.flush()
  strict.clock.advance(1.5 * DAY_MS)
  assert.deepEqual(await ids(), [signInIdOf(used)], 'use keeps it alive')
})

test('without SESSION_IDLE_DAYS an unused sign-in lives for its seven days', async () => {
  const token = await service.signIn('dan@example.com')
  service.clock.advance(7 * DAY_MS - MINUTE_MS)
  const other = await service.signIn('dan@example.com')
  assert.deepEqual(
    (await listSessions(service, other)).map(({ id }) => id),
    [signInIdOf(other), signInIdOf(token)],
  )
  service.clock.advance(MINUTE_MS)
  assert.deepEqual(
    (await listSessions(service, other)).map(({ id }) => id),
    [signInIdOf(other)],
  )
})

test('after each revocation of all sign-ins only later ones are live', async () => {
  const { db, call } = service
  const email = 'eva@example.com'
  const old = [await service.signIn(email), await service.signIn(email)]
  assert.equal((await listSessions(service, old[0]!)).length, 2)
  await call('POST /auth/tokens/revoke', { token: old[0]! })
  const token = await service.signIn(email)
  assert.deepEqual(
    (await listSessions(service, token)).map(({ id }) => id),
    [signInIdOf(token)],
  )
  const { id } = await userOf(db, email)
  const rows = await db.query.selectFrom('sign_ins').select('ended_at_ms').where('user_id', '=', id).execute()
  assert.deepEqual(
    rows.map((row) => row.ended_at_ms),
    [null, null, null],
    'no row is touched: they name an older tokenVersion',
  )
})

test('a token of a key sees the sign-ins of an unclaimed account only', async () => {
  const { token: unclaimed } = await service.signUp('fay@example.com')
  assert.deepEqual(await listSessions(service, unclaimed), [])
  const { owner } = await signUpAndClaim(service, 'gil@example.com')
  const ofKey = await tokenOf(service, await createKey(service, owner))
  assertError(await service.call('GET /auth/sessions', { token: ofKey }), 'SIGN_IN_REQUIRED')
})

test('a sign-in of an earlier version is not listed, and its token sees the others', async () => {
  const token = await service.signIn('hal@example.com')
  const { id } = await userOf(service.db, 'hal@example.com')
  const subject = { userId: id, role: 'USER', tokenVersion: 0, amr: 'magic_link', lifetimeSeconds: 3600 } as const
  const earlier = service.deps.accessTokens.issue(subject)
  const sessions = await listSessions(service, earlier)
  assert.deepEqual(
    sessions.map(({ id: signInId, current }) => [signInId, current]),
    [[signInIdOf(token), false]],
  )
})
