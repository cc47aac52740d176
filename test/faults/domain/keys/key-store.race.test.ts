/** Functions that change several keys lock them in id order, so they cannot deadlock. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { newUser } from '../../../../src/domain/users/claim.ts'
import { recordKeyUses } from '../../../../src/domain/keys/key-exchange-store.ts'
import { insertKey, quarantineKeys } from '../../../../src/domain/keys/key-store.ts'
import { insertUser } from '../../../../src/domain/users/user-store.ts'
import type { Transaction } from '../../../../src/database/database.ts'
import { newKey } from '../../../../src/domain/keys/new-key.ts'
import { clusterUrl } from '../../../support/database/database.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { until } from '../../../support/until.ts'

const skip = clusterUrl === undefined && 'SQLite has one write lock'
let service: Service
let other: Client
before(async () => {
  if (skip) return
  service = await startService()
  other = new Client({ connectionString: service.databaseUrl })
  await other.connect()
})
after(async () => {
  if (skip) return
  await other.end()
  await service.close()
})

/** A user whose keys lie in the table in reverse id order. */
async function prepare(name: string): Promise<Readonly<{ userId: string; ids: string[] }>> {
  const user = newUser(service.deps, { email: `${name}@example.com`, locale: 'en', name: null, claimedAtMs: 1 })
  const ids = [1, 2, 3].map((n) => `${name}-${n}`)
  await service.db.transaction(async (trx) => {
    await insertUser(trx, user)
    for (const id of ids.toReversed()) {
      await insertKey(trx, { ...newKey(service.deps, { userId: user.id, name: 'Key' }).row, id })
    }
  })
  return { userId: user.id, ids }
}

const changes: Readonly<
  Record<string, (trx: Transaction, userId: string, ids: readonly string[]) => Promise<unknown>>
> = {
  'quarantine of all keys': (trx, userId) => quarantineKeys(trx, userId, 1),
  'quarantine of some keys': (trx, userId, ids) => quarantineKeys(trx, userId, 1, ids.toReversed()),
  'recording of key uses': (trx, _, ids) =>
    recordKeyUses(
      trx,
      ids.toReversed().map((id) => ({ id, atMs: 1, network: '203.0.113.9' })),
    ),
}

for (const [what, change] of Object.entries(changes)) {
  test(`${what} waits for the first key without locking the others`, { skip }, async () => {
    const { userId, ids } = await prepare(what.replaceAll(' ', '-'))
    await other.query('begin')
    await other.query('select 1 from api_keys where id = $1 for update', [ids[0]])
    const changed = service.db.transaction((trx) => change(trx, userId, ids))
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => (await waiting.execute(service.db.query)).rows.length > 0, 'it waits')
    const free = await other.query('select id from api_keys where user_id = $1 order by id for update skip locked', [
      userId,
    ])
    await other.query('commit')
    assert.deepEqual(
      free.rows.map(({ id }) => id),
      ids,
    )
    await changed
  })
}
