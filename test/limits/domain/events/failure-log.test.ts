import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createFailureLog } from '../../../../src/domain/events/failure-log.ts'
import { shortestLongestBlock } from '../../../support/process/event-loop.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

const MAX_MS = 20
const ACCOUNTS = 2000
let service: Service

before(async () => {
  service = await startService()
  await sql`with recursive series(n) as (select 0 union all select n + 1 from series where n + 1 < ${sql.lit(ACCOUNTS)})
    insert into users (id, email, role, token_version, created_at_ms) select 'user-' || cast(n as text), cast(n as text) || '@example.com', 'USER', 0, 1 from series`.execute(
    service.db.query,
  )
})
after(() => service.close())

test('writing failures of two thousand accounts blocks for at most 20 ms', async (t) => {
  const { deps, db } = service
  const failureLog = createFailureLog(deps)
  const flush = (client: string) => () => {
    for (let n = 0; n < ACCOUNTS; n += 1)
      failureLog.note({
        type: 'sign_in_refused',
        who: { by: 'email', value: `${n}@example.com` },
        client,
        browser: null,
      })
    return failureLog.flush()
  }
  const runs = [flush('192.0.2.1'), flush('192.0.2.1'), flush('192.0.2.2')]
  // All of them: new events, repeated ones, and those of another network.
  const { cpuMs, wallMs } = await shortestLongestBlock(runs, 0)
  t.diagnostic(`${cpuMs.toFixed(1)} ms of CPU time, ${wallMs.toFixed(1)} ms`)
  assert.equal((await db.query.selectFrom('security_events').select('id').execute()).length, 2 * ACCOUNTS)
  assert.ok(cpuMs <= MAX_MS, `${cpuMs} ms`)
  await failureLog.close()
})
