import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { oneTap, startGoogleService } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { connect, disconnect } from '../../support/google/identities.ts'
import { createKey, tokenOf } from '../../support/accounts/keys.ts'
import { assertNothingHappens } from '../../support/database/state.ts'

const ROUTE = 'GET /auth/google/connection'
let service: GoogleService
before(async () => void (service = await startGoogleService()))
after(() => service.close())

const look = async (token: string) => (await assertNothingHappens(service, () => service.call(ROUTE, { token }))).body

test('the connection has an address and a time, also for a token of a key; it is null if there is none, and never has the subject', async () => {
  const ana = await service.signIn('ana@example.com')
  const bob = await service.signIn('bob@example.com')
  assert.deepEqual(await look(ana), { connection: null })
  const connectedAt = new Date(service.clock.now()).toISOString()
  await connect(service, ana, { sub: 'ana', email: 'ana@gmail.com' })
  service.clock.advance(5000)
  const expected = { connection: { email: 'ana@gmail.com', connectedAt } }
  assert.deepEqual(await look(ana), expected)
  assert.deepEqual(await look(await tokenOf(service, await createKey(service, ana))), expected)
  assert.deepEqual(await look(bob), { connection: null })
  await oneTap(service, { sub: 'ana', email: 'ana-new@gmail.com' })
  assert.deepEqual(await look(ana), { connection: { email: 'ana-new@gmail.com', connectedAt } })
  await disconnect(service, ana)
  assert.deepEqual(await look(ana), { connection: null })
})

test('a missing or invalid token is refused', async () => {
  const token = await service.signIn('cia@example.com')
  await service.call('POST /auth/tokens/revoke', { token })
  assertError(await service.call(ROUTE, { token }), 'UNAUTHORIZED')
  assertError(await service.call(ROUTE), 'UNAUTHORIZED')
})
