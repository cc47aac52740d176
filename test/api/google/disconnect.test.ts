import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { eventsOf } from '../../support/mail/buttons.ts'
import { oneTap, startGoogleService } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { connect, connectedTo, disconnect, subjectsOf } from '../../support/google/identities.ts'
import { createKey, exchangesOf, statesOf } from '../../support/accounts/keys.ts'
import { assertNothingHappens, recipientsOf } from '../../support/database/state.ts'

let service: GoogleService
before(async () => void (service = await startGoogleService()))
after(() => service.close())

test('a disconnected Google account signs in to a new account; tokens and keys stay valid, the magic link still works, and the owner is notified', async () => {
  const email = 'ana@example.com'
  const token = await service.signIn(email)
  await connect(service, token, { sub: 'ana', email: 'ana@third.example' })
  const byGoogle = (await oneTap(service, { sub: 'ana', email: 'ana@third.example' })).body.token
  const key = await createKey(service, byGoogle)
  const earlier = (await recipientsOf(service)).length
  const answer = await disconnect(service, byGoogle)
  assert.deepEqual([answer.status, answer.body], [200, { connection: null }])

  assert.deepEqual(await subjectsOf(service, email), [])
  assert.deepEqual(await statesOf(service, [token, byGoogle]), [email, email])
  assert.deepEqual(await exchangesOf(service, [key]), ['works'])
  const event = { type: 'google_disconnected', detail: 'ana@third.example', client: '127.0.0.1' }
  assert.deepEqual((await eventsOf(service, email)).at(-1), event)
  assert.deepEqual((await recipientsOf(service)).slice(earlier), [email])
  const next = await oneTap(service, { sub: 'ana', email: 'ana@third.example' })
  assert.equal(next.body.user.email, 'ana@third.example')
  await service.signIn(email)
})

test('disconnecting nothing, or twice, changes nothing', async () => {
  const token = await service.signIn('bob@example.com')
  const nothing = await assertNothingHappens(service, () => disconnect(service, token))
  assert.deepEqual([nothing.status, nothing.body], [200, { connection: null }])
  await connect(service, token)
  await disconnect(service, token)
  await assertNothingHappens(service, () => disconnect(service, token))
})

test('another Google account can be connected afterwards, and the disconnected one to another account', async () => {
  const [cia, cora] = [await service.signIn('cia@example.com'), await service.signIn('cora@example.com')]
  await connect(service, cia, { sub: 'cia', email: 'cia@third.example' })
  await disconnect(service, cia)
  assert.equal((await connect(service, cora, { sub: 'cia', email: 'cia@third.example' })).status, 200)
  assert.equal((await connect(service, cia, { sub: 'cia2', email: 'cia2@third.example' })).status, 200)
  assert.equal(await connectedTo(service, cora), 'cia@third.example')
  assert.equal(await connectedTo(service, cia), 'cia2@third.example')
})

test('a token of a key and a sign-in of ten minutes ago are refused, and nothing changes', async () => {
  const email = 'dan@example.com'
  const token = await service.signIn(email)
  await connect(service, token, { sub: 'dan' })
  const { apiKey, keySecret } = await createKey(service, token)
  const exchanged = await service.call('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } })
  const refused = (held: string) => assertNothingHappens(service, () => disconnect(service, held))
  assertError(await refused(exchanged.body.token), 'SIGN_IN_REQUIRED')
  service.clock.advance(600_000)
  assertError(await refused(token), 'SIGN_IN_REQUIRED')
  assertError(await refused('x'), 'UNAUTHORIZED')
  assert.deepEqual(await subjectsOf(service, email), ['dan'])
})

test('no mail is sent while the account is unclaimed', async () => {
  const email = 'eva@third.example'
  const { token } = (await oneTap(service, { sub: 'eva', email })).body
  const earlier = (await recipientsOf(service)).length
  await disconnect(service, token)
  assert.equal((await connect(service, token, { sub: 'eva2' })).status, 200)
  assert.deepEqual((await recipientsOf(service)).slice(earlier), [])
})

test('deleting the account removes its connection: the Google account then gets a new account', async () => {
  const email = 'fay@gmail.com'
  const { token, user } = (await oneTap(service, { sub: 'fay', email })).body
  assert.equal((await service.call('DELETE /users/me', { token })).status, 200)
  const rows = await service.db.query.selectFrom('identities').selectAll().where('subject', '=', 'fay').execute()
  assert.deepEqual(rows, [])
  const again = await oneTap(service, { sub: 'fay', email })
  assert.notEqual(again.body.user.id, user.id)
  assert.deepEqual(await subjectsOf(service, email), ['fay'])
})
