import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sizesOf, seed } from '../../../scripts/seed.ts'
import { seedRows } from '../../../scripts/seed-rows.ts'
import { openTarget } from '../../../scripts/seed-target.ts'
import { statusOf } from '../../../src/domain/keys/key-status.ts'
import { database as locationOf } from '../../../src/config/parsers.ts'
import { openNewDatabase } from '../../support/database/database.ts'
import type { OpenedDatabase } from '../../support/database/database.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { databaseContent } from '../../support/database/state.ts'
import { until } from '../../support/until.ts'

let service: Service
let other: OpenedDatabase
before(async () => {
  service = await startService()
  other = await openNewDatabase('empty')
})
after(async () => {
  await other.close()
  await service.close()
})

const nowMs = Date.UTC(2030, 0, 1)

function rowsOf(size: Readonly<{ users: number; keys: number; seed: number }>) {
  const rows: [string, object][] = []
  Array.from(seedRows({ ...size, nowMs }, (table, row) => void rows.push([table, row])))
  return rows
}

const countOf = (rows: readonly [string, object][], table: string) => rows.filter(([name]) => name === table).length

test('the same seed yields the same rows, another one other rows', () => {
  const size = { users: 40, keys: 100, seed: 7 }
  assert.deepEqual(rowsOf(size), rowsOf(size))
  assert.notDeepEqual(rowsOf({ ...size, seed: 8 }), rowsOf(size))
})

test('a seed has exactly the requested numbers of users and keys', () => {
  for (const [users, keys] of [
    [1, 0],
    [1, 3],
    [99, 1],
    [101, 250],
    [250, 749],
  ] as const) {
    const rows = rowsOf({ users, keys, seed: 1 })
    assert.deepEqual([countOf(rows, 'users'), countOf(rows, 'api_keys')], [users, keys])
  }
})

test('a service works with seeded rows: keys are in every state, and the named key is valid', async () => {
  const { clock, db } = service
  const size = { users: 300, keys: 900, seed: 1, nowMs: clock.now() }
  const target = await openTarget(locationOf(service.databaseUrl))
  const { rows, working } = await seed(target, size)
  const sizes = await sizesOf(target)
  await target.close()
  assert.equal(
    sizes.reduce((sum, table) => sum + table.rows, 0),
    rows,
  )
  for (const { table, tableBytes, indexBytes } of sizes) {
    assert.ok((tableBytes ?? 0) > 0 && (indexBytes ?? 0) > 0, table)
  }

  const keys = await db.query.selectFrom('api_keys').selectAll().execute()
  const states = new Set(keys.map((key) => statusOf(key, clock.now())))
  assert.deepEqual([...states].sort(), ['ACTIVE', 'AWAITS_OWNER', 'EXPIRED', 'REVOKED'])
  const users = await db.query.selectFrom('users').select('claimed_at_ms').execute()
  assert.equal(new Set(users.map((user) => user.claimed_at_ms === null)).size, 2, 'claimed and unclaimed')

  const exchanged = await service.call('POST /auth/api/token', { body: { ...working } })
  assert.equal(exchanged.status, 200, exchanged.text)
  const me = await service.call('GET /users/me', { token: exchanged.body.token })
  assert.equal(me.status, 200, me.text)
  assert.deepEqual(service.smtp.mails, [])
})

test('a database with rows is refused and stays unchanged', async () => {
  await service.signUp('ana@example.com')
  await until(async () => (await service.db.query.selectFrom('queued_mails').select('id').execute()).length === 0)
  const found = await databaseContent(service.db)
  const target = await openTarget(locationOf(service.databaseUrl))
  await assert.rejects(seed(target, { users: 5, keys: 5, seed: 2, nowMs }), /not empty: users has rows/)
  await target.close()
  assert.deepEqual(await databaseContent(service.db), found)
})

test('the script fills the database of DATABASE_URL once, reports its work, and fails the second time', async () => {
  const script = fileURLToPath(new URL('../../../scripts/seed.ts', import.meta.url))
  const run = () =>
    promisify(execFile)(process.execPath, [script, '--users', '30', '--keys', '60'], {
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: other.url },
    })
  const { stdout } = await run()
  assert.match(stdout, /rows\/s/)
  assert.match(stdout, /^users +30 /m)
  assert.match(stdout, /^api_keys +60 /m)
  await assert.rejects(run(), ({ code, stderr }) => {
    assert.equal(code, 1)
    assert.equal(stderr, 'Not seeded: the database is not empty: users has rows\n')
    return true
  })
  assert.equal((await other.db.query.selectFrom('users').select('id').execute()).length, 30)
})
