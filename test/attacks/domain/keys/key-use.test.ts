import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startService } from '../../../support/service.ts'
import { userOf } from '../../../support/database/state.ts'
import { isPostgres, addTriggers } from '../../../support/database/triggers.ts'
import { turnsDuring } from '../../../support/process/event-loop-turns.ts'

test('the use of 10,000 keys is written in id order, yielding to other work after every hundred', async () => {
  const service = await startService()
  const { db, clock, deps } = service
  try {
    await service.signIn('ana@example.com')
    const { id: userId } = await userOf(db, 'ana@example.com')
    await sql`
      with recursive numbers (n) as (select 10000 union all select n + 1 from numbers where n < 19999)
      insert into api_keys (id, user_id, name, key_id, secret_hash, created_at_ms)
      select 'key ' || n, ${userId}, 'API key', 'plk_' || n, '', 1 from numbers
    `.execute(db.query)
    await sql`create table writes (n ${sql.raw(isPostgres(db) ? 'serial' : 'integer')} primary key, id text)`.execute(
      db.query,
    )
    const run = 'insert into writes (id) values (new.id)'
    await addTriggers(db, { on: 'after update', table: 'api_keys', run })
    for (let n = 19_999; n >= 10_000; n -= 1) deps.keyUse.note(`key ${n}`, '203.0.113.9')
    const turns = await turnsDuring(() => deps.keyUse.flush())
    assert.ok(turns >= 99, `${turns} turns`)
    const { rows } = await sql<{ id: string }>`select id from writes order by n`.execute(db.query)
    assert.deepEqual(
      rows.map(({ id }) => id),
      Array.from({ length: 10_000 }, (_, n) => `key ${n + 10_000}`),
    )
    const times = await db.query.selectFrom('api_keys').select('last_used_at_ms').distinct().execute()
    assert.deepEqual(
      times.map((row) => row.last_used_at_ms),
      [clock.now()],
    )
  } finally {
    await service.close()
  }
})
