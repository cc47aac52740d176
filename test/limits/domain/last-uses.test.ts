import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createKeyUse } from '../../../src/domain/last-uses.ts'
import { shortestLongestBlock } from '../../support/process/event-loop.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const MAX_MS = 20
const ACCOUNTS = 2000
let service: Service

before(async () => {
  service = await startService()
  const { db } = service
  await sql`with recursive series(n) as (select 0 union all select n + 1 from series where n + 1 < ${sql.lit(ACCOUNTS)})
    insert into users (id, email, role, token_version, created_at_ms) select 'user-' || cast(n as text), cast(n as text) || '@example.com', 'USER', 0, 1 from series`.execute(
    db.query,
  )
  await sql`with recursive series(n) as (select 0 union all select n + 1 from series where n + 1 < ${sql.lit(ACCOUNTS)})
    insert into api_keys (id, user_id, name, key_id, secret_hash, created_at_ms)
    select 'key-' || cast(n as text), 'user-' || cast(n as text), 'A key', 'plk_' || cast(n as text), 'hash-' || cast(n as text), 1 from series`.execute(
    db.query,
  )
})
after(() => service.close())

test('writing uses of two thousand keys blocks for at most 20 ms', async (t) => {
  const { deps, db, clock } = service
  const keyUse = createKeyUse(deps)
  const flush = () => {
    clock.advance(120_000)
    for (let n = 0; n < ACCOUNTS; n += 1) keyUse.note(`key-${n}`, '203.0.113.9')
    return keyUse.flush()
  }
  const { cpuMs, wallMs } = await shortestLongestBlock([flush, flush, flush], MAX_MS)
  t.diagnostic(`${cpuMs.toFixed(1)} ms of CPU time, ${wallMs.toFixed(1)} ms`)
  assert.equal(
    (await db.query.selectFrom('api_keys').select('id').where('last_used_at_ms', '=', clock.now()).execute()).length,
    ACCOUNTS,
  )
  assert.ok(cpuMs <= MAX_MS, `${cpuMs} ms`)
  await keyUse.close()
})
