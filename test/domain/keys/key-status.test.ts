/** `statusOf` and the conditions in SQL agree on every combination of a key's times. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findFirstEnded } from '../../../src/domain/keys/key-end-store.ts'
import { statusOf } from '../../../src/domain/keys/key-status.ts'
import {
  countLiveKeys,
  findKeysOfUser,
  hasKeysAwaitingOwner,
  quarantineKeys,
} from '../../../src/domain/keys/key-store.ts'
import { findTokenState } from '../../../src/domain/users/user-token-state-store.ts'
import { keyRow, userRow } from '../../support/accounts/rows.ts'
import { openNewDatabase } from '../../support/database/database.ts'
import type { OpenedDatabase } from '../../support/database/database.ts'

const NOW_MS = 1_800_000_000_000

/** Each key has an account of its own. */
const keys = [null, NOW_MS - 1, NOW_MS].flatMap((revokedAtMs) =>
  [null, NOW_MS - 1, NOW_MS, NOW_MS + 1].flatMap((expiresAtMs) =>
    [null, NOW_MS - 1, NOW_MS].map((awaitsAtMs) => {
      const id = `revoked ${revokedAtMs} expires ${expiresAtMs} awaits ${awaitsAtMs}`
      const times = { revoked_at_ms: revokedAtMs, expires_at_ms: expiresAtMs, awaits_owner_at_ms: awaitsAtMs }
      return keyRow(id, { user_id: id, ...times })
    }),
  ),
)

let database: OpenedDatabase
before(async () => {
  database = await openNewDatabase()
  await database.db.query
    .insertInto('users')
    .values(keys.map(({ user_id: id }) => userRow(id)))
    .execute()
  await database.db.query.insertInto('api_keys').values(keys).execute()
})
after(() => database?.close())

test('every status occurs', () => {
  assert.deepEqual([...new Set(keys.map((key) => statusOf(key, NOW_MS)))].toSorted(), [
    'ACTIVE',
    'AWAITS_OWNER',
    'EXPIRED',
    'REVOKED',
  ])
})

for (const key of keys) {
  const { user_id: userId } = key
  const status = statusOf(key, NOW_MS)
  test(`${key.id}: ${status}`, async () => {
    const { db } = database
    const awaits = status === 'AWAITS_OWNER'
    assert.equal(await db.transaction((trx) => countLiveKeys(trx, userId, NOW_MS)), status === 'ACTIVE' ? 1 : 0)
    assert.equal(await hasKeysAwaitingOwner(db, userId, NOW_MS), awaits)
    const state = await findTokenState(db, { userId, apiKeyId: null, signInId: null, nowMs: NOW_MS })
    assert.equal(Boolean(state?.has_keys_awaiting), awaits)
    const isEnded = status === 'EXPIRED' || status === 'REVOKED'
    assert.equal((await findFirstEnded(db, userId, { expiredUntilMs: NOW_MS }, 1)).length, isEnded ? 1 : 0)
    assert.deepEqual(
      (await findKeysOfUser(db, userId, NOW_MS)).map(({ id }) => id),
      [key.id],
    )
    assert.equal(await db.transaction((trx) => quarantineKeys(trx, userId, NOW_MS)), isEnded ? 0 : 1)
  })
}
