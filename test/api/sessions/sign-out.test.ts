import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { listSessions, signInIdOf } from '../../support/accounts/sessions.ts'
import { createKey, statesOf, tokenOf } from '../../support/accounts/keys.ts'
import { assertNothingHappens, databaseContent, userOf } from '../../support/database/state.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const signOut = (token: string, body?: object) => service.call('POST /auth/sign-out', { token, ...(body && { body }) })

test('only the sign-in of the token ends, at once, and the answer is exactly { ok: true }', async () => {
  const email = 'ana@example.com'
  const [here, there] = [await service.signIn(email), await service.signIn(email)]
  const ofKey = await tokenOf(service, await createKey(service, here))
  const answer = await signOut(here)
  assert.deepEqual([answer.status, answer.body], [200, { ok: true }])
  assert.deepEqual(await statesOf(service, [here, there, ofKey]), ['UNAUTHORIZED', email, email])
  assert.deepEqual(
    (await listSessions(service, there)).map(({ id }) => id),
    [signInIdOf(there)],
  )
  const ended = (await databaseContent(service.db)).events.filter(({ type }) => type === 'signed_out')
  assert.deepEqual(
    ended.map((event) => [event.sign_in_id, event.by_sign_in_id]),
    [[signInIdOf(here), signInIdOf(here)]],
  )
  assertError(await signOut(here), 'UNAUTHORIZED')
})

test('a token of a key has no sign-in to end, on a claimed and on an unclaimed account', async () => {
  const owner = await service.signIn('bob@example.com')
  const ofKey = await tokenOf(service, await createKey(service, owner))
  const { token } = await service.signUp('cia@example.com')
  for (const one of [ofKey, token]) {
    const answer = await assertNothingHappens(service, () => signOut(one))
    assertError(answer, 'SIGN_IN_REQUIRED', /from an API key, not from a sign-in/)
  }
  assert.deepEqual(await statesOf(service, [owner]), ['bob@example.com'])
})

test('a token of an earlier version works until it signs out, and ends no other', async () => {
  const email = 'dan@example.com'
  const token = await service.signIn(email)
  const { id } = await userOf(service.db, email)
  const subject = { userId: id, role: 'USER', tokenVersion: 0, amr: 'magic_link', lifetimeSeconds: 3600 } as const
  const [earlier, another] = [service.deps.accessTokens.issue(subject), service.deps.accessTokens.issue(subject)]
  assert.deepEqual(await statesOf(service, [earlier, another]), [email, email])
  assert.equal((await signOut(earlier)).status, 200)
  assert.deepEqual(await statesOf(service, [earlier, another, token]), ['UNAUTHORIZED', email, email])
})

test('a body with fields is refused, and the sign-in goes on', async () => {
  const token = await service.signIn('eva@example.com')
  assertError(await signOut(token, { everywhere: true }), 'VALIDATION_FAILED')
  assert.deepEqual(await statesOf(service, [token]), ['eva@example.com'])
})
