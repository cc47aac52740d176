import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recordKeyUses } from '../../../src/domain/keys/key-exchange-store.ts'
import { findKeysOfUser, quarantineKeys } from '../../../src/domain/keys/key-store.ts'
import { createKey } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { databaseContent } from '../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const rowOf = (id: string) =>
  service.db.query.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()

test('keys of one millisecond are listed newest first', async () => {
  const { token, user, apiKey } = await service.signUp('ana@example.com')
  const made = [apiKey.id]
  for (let n = 0; n < 20; n++) made.push((await createKey(service, token)).apiKey.id)
  const listed = await findKeysOfUser(service.db, user.id, service.clock.now())
  assert.equal(new Set(listed.map((key) => key.created_at_ms)).size, 1)
  assert.deepEqual(
    listed.map((key) => key.id),
    made.toReversed(),
  )
})

test('a list contains the last hundred revoked keys, the last hundred expired keys, and every other key', async () => {
  const { user, apiKey } = await service.signUp('eva@example.com')
  const first = await rowOf(apiKey.id)
  assert.ok(first)
  const some = (what: string, end: 'revoked_at_ms' | 'expires_at_ms') =>
    Array.from({ length: 130 }, (_, n) => {
      const id = `${what} ${String(n).padStart(3, '0')}`
      return { ...first, id, key_id: id, created_at_ms: first.created_at_ms + n, [end]: n + 1 }
    })
  const [revoked, expired] = [some('revoked', 'revoked_at_ms'), some('expired', 'expires_at_ms')]
  await service.db.query
    .insertInto('api_keys')
    .values([...revoked, ...expired])
    .execute()
  const listed = (await findKeysOfUser(service.db, user.id, service.clock.now())).map((key) => key.id)
  const ended = Array.from({ length: 100 }, (_, n) => [revoked[129 - n]?.id, expired[129 - n]?.id]).flat()
  assert.deepEqual(listed, [...ended, apiKey.id])
})

test('the time of the last use never moves back, and the network is that of this use [K8]', async () => {
  const { apiKey } = await service.signUp('bob@example.com')
  for (const [used, expected] of [
    [2000, 2000],
    [1000, 2000],
    [2000, 2000],
    [2001, 2001],
  ] as const) {
    const use = { id: apiKey.id, atMs: used, network: `of ${used}` }
    await service.db.transaction((trx) => recordKeyUses(trx, [use]))
    const row = await rowOf(apiKey.id)
    assert.deepEqual([row?.last_used_at_ms, row?.last_used_network], [expected, `of ${expected}`])
  }
})

test('quarantine changes every unrevoked key of one user, and no other user’s', async () => {
  const { apiKey, token, user } = await service.signUp('dan@example.com')
  const revoked = await createKey(service, token)
  await service.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token })
  const { apiKeys } = await databaseContent(service.db)
  await service.db.transaction((trx) => quarantineKeys(trx, user.id, 5000))
  const afterwards = (await databaseContent(service.db)).apiKeys
  for (const [index, key] of apiKeys.entries()) {
    const waits = key.id === apiKey.id ? 5000 : null
    assert.deepEqual({ ...afterwards[index] }, { ...key, awaits_owner_at_ms: waits })
  }
})
