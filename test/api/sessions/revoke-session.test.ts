import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { upkeep } from '../../../src/domain/upkeep.ts'
import { assertError } from '../../support/http/answers.ts'
import { listSessions, revokeSession, signInIdOf } from '../../support/accounts/sessions.ts'
import { createKey, signUpAndClaim, statesOf, tokenOf } from '../../support/accounts/keys.ts'
import { assertNothingHappens, databaseContent } from '../../support/database/state.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const DAY_MS = 24 * 3600 * 1000
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('the token of an ended sign-in is refused at once; other sign-ins and keys, also those it made, keep working', async () => {
  const email = 'ana@example.com'
  const [lost, here] = [await service.signIn(email), await service.signIn(email)]
  const key = await createKey(service, lost)
  const ofKey = await tokenOf(service, key)
  const listed = (await listSessions(service, here)).find(({ id }) => id === signInIdOf(lost))

  const answer = await revokeSession(service, here, signInIdOf(lost))
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { session: listed })
  assert.deepEqual(await statesOf(service, [lost, here, ofKey]), ['UNAUTHORIZED', email, email])
  assert.deepEqual(
    (await listSessions(service, here)).map(({ id }) => id),
    [signInIdOf(here)],
  )
  const { events } = await databaseContent(service.db)
  const ended = events.filter(({ type }) => type === 'signed_out')
  assert.deepEqual(
    ended.map((event) => [event.sign_in_id, event.by_sign_in_id, event.detail]),
    [[signInIdOf(lost), signInIdOf(here), null]],
  )
})

test('ending it again changes nothing and gets the same response; ending the caller’s own works once', async () => {
  const [lost, here] = [await service.signIn('bob@example.com'), await service.signIn('bob@example.com')]
  const first = await revokeSession(service, here, signInIdOf(lost))
  const second = await assertNothingHappens(service, () => revokeSession(service, here, signInIdOf(lost)))
  assert.equal(second.text, first.text)

  const own = await revokeSession(service, here, signInIdOf(here))
  assert.deepEqual([own.status, own.body.session.current], [200, true])
  assertError(await revokeSession(service, here, signInIdOf(here)), 'UNAUTHORIZED')
})

test('a sign-in of another account, an unknown and a malformed id get the same 404, and nothing changes', async () => {
  const token = await service.signIn('cia@example.com')
  const stranger = await service.signIn('dan@example.com')
  for (const id of [signInIdOf(stranger), 'unknown', '%00', 'x'.repeat(90)]) {
    const answer = await assertNothingHappens(service, () => revokeSession(service, token, id))
    assertError(answer, 'NOT_FOUND')
  }
  assert.deepEqual(await statesOf(service, [stranger]), ['dan@example.com'])
})

test('a week after its seven days the upkeep deletes its row, not before, and then it is unknown', async () => {
  const old = signInIdOf(await service.signIn('eva@example.com'))
  service.clock.advance(14 * DAY_MS - 1)
  await upkeep(service.deps)
  const here = await service.signIn('eva@example.com')
  assert.equal((await revokeSession(service, here, old)).status, 200)
  service.clock.advance(1)
  await upkeep(service.deps)
  assertError(await revokeSession(service, here, old), 'NOT_FOUND')
  assert.deepEqual(await statesOf(service, [here]), ['eva@example.com'])
})

test('on a claimed account a token of a key can end no sign-in; on an unclaimed one it can', async () => {
  const { owner } = await signUpAndClaim(service, 'fay@example.com')
  const ofKey = await tokenOf(service, await createKey(service, owner))
  const refused = await assertNothingHappens(service, () => revokeSession(service, ofKey, signInIdOf(owner)))
  assertError(refused, 'SIGN_IN_REQUIRED')
  assert.deepEqual(await statesOf(service, [owner]), ['fay@example.com'])
  const { token } = await service.signUp('gil@example.com')
  assertError(await revokeSession(service, token, 'unknown'), 'NOT_FOUND')
})
