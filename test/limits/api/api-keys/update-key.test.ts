/** `PATCH /auth/api-keys/:id` with production limits: widening sends mail, and narrowing must always be possible. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { updateKey as storeKey } from '../../../../src/domain/keys/key-store.ts'
import { storeRestrictions } from '../../../../src/domain/keys/restrictions/restrictions.ts'
import { lockUser } from '../../../../src/domain/users/user-store.ts'
import { createKey, updateKey } from '../../../support/accounts/keys.ts'
import { assertNothingHappens } from '../../../support/database/state.ts'
import { assertError } from '../../../support/http/answers.ts'
import { productionLimits } from '../../../support/http/limits.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

let service: Service

before(async () => {
  service = await startService({ ...productionLimits, RATE_LIMIT_KEY_CREATION: '3/1h' })
})
after(() => service.close())

test('a person widens keys as often as new ones are created, and narrows and renames them without a limit', async () => {
  const token = await service.signIn('ana@example.com')
  const key = await createKey(service, token)
  const restrictions = { scopes: ['keys:read', 'events:read'] }
  for (let n = 0; n < 2; n += 1) {
    await updateKey(service, token, key, { restrictions })
    await updateKey(service, token, key, { restrictions: null })
  }
  await updateKey(service, token, key, { restrictions })
  await assertNothingHappens(service, async () => {
    const widen = { token, body: { name: 'Wider', restrictions: null } }
    assertError(await service.call(`PATCH /auth/api-keys/${key.apiKey.id}`, widen), 'RATE_LIMITED')
  })
  const narrower = { name: 'Narrower', restrictions: { scopes: ['keys:read'] } }
  assert.equal((await updateKey(service, token, key, narrower)).name, 'Narrower')
})

const skip = process.env['TEST_POSTGRES_URL'] === undefined && 'one process reads the embedded database in turn'

test('a change that allows more only because the key was narrowed meanwhile is not made', { skip }, async () => {
  const token = await service.signIn('bob@example.com')
  const key = await createKey(service, token)
  const stored = storeRestrictions({ scopes: ['keys:read'] })
  const widen = () => service.call(`PATCH /auth/api-keys/${key.apiKey.id}`, { token, body: { restrictions: null } })
  const { waiting } = await service.db.transaction(async (trx) => {
    await lockUser(trx, 'email', 'bob@example.com')
    const sent = widen()
    // Until it has read the key and waits for this transaction, which may await nothing but its own statements.
    for (const end = performance.now() + 300; performance.now() < end;) await sql`select 1`.execute(trx.query)
    await storeKey(trx, key.apiKey.id, { restrictions: stored, effective_restrictions: stored })
    return { waiting: sent }
  })
  assertError(await waiting, 'UNAVAILABLE', /changed at the same time/)
  assert.equal((await widen()).status, 200)
})
