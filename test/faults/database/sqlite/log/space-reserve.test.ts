/** Writes that meet a full disk, in one process; the service's are in test/system/disk-full.revocation.test.ts. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { isSqliteFull } from '../../../../../src/database/sqlite/errors.ts'
import { reserveStateOf } from '../../../../../src/database/sqlite/log/reserve-file.ts'
import { openSqlite } from '../../../../../src/database/sqlite/sqlite-database.ts'
import { createLog } from '../../../../../src/lib/log.ts'
import { cannotMount, mountSmallDisk } from '../../../../support/database/small-disk.ts'
import { until } from '../../../../support/until.ts'

type Queries = Readonly<{ query: unknown }>
const notesOf = ({ query }: Queries) => query as Kysely<{ notes: { text: string } }>
const insert = (db: Queries, text: string) => notesOf(db).insertInto('notes').values({ text })
/** Longer than all free space of the disk. */
const MUCH = 'x'.repeat(20_000_000)

async function openOnFullDisk(t: TestContext) {
  const disk = mountSmallDisk(40)
  const path = join(disk.path, 'a.db')
  const lines: string[] = []
  const log = createLog('error', { write: (line) => void lines.push(line) })
  const db = openSqlite(path, { background: { log, onLost: assert.fail } })
  t.after(async () => {
    await db.close()
    disk.remove()
  })
  await sql`create table notes (text text)`.execute(db.query)
  await until(() => reserveStateOf(path) === 'whole', 'the reserve is whole')
  disk.fill(400)
  return { db, path, lines }
}

test('a write outside of transactions tells the operator of the full disk', { skip: cannotMount }, async (t) => {
  const { db, lines } = await openOnFullDisk(t)
  assert.equal((await db.space())?.isFull, false)
  await assert.rejects(insert(db, MUCH).execute(), isSqliteFull)
  assert.equal((await db.space())?.isFull, true)
  assert.match(lines.join(''), /no space left: free \d+ MB in /)
  const isWritten = async () => (await Promise.allSettled([insert(db, 'short').execute()]))[0].status === 'fulfilled'
  await until(isWritten, 'a short write is accepted')
  assert.equal((await db.space())?.isFull, false)
})

test(
  'without a reserve a revocation does not fail with a larger write of its commit',
  { skip: cannotMount },
  async (t) => {
    const { db, path } = await openOnFullDisk(t)
    rmSync(`${path}-reserve`)
    const revoke = (text: string) => db.transaction((trx) => insert(trx, text).execute(), { isRevocation: true })
    // The first one begins late, because it starts Kysely.
    await revoke('first')
    const [revoked, written] = await Promise.allSettled([
      revoke('second'),
      db.transaction((trx) => insert(trx, MUCH).execute()),
    ])
    assert.ok(written.status === 'rejected' && isSqliteFull(written.reason))
    assert.equal(revoked.status, 'fulfilled')
    assert.deepEqual(await notesOf(db).selectFrom('notes').select('text').execute(), [
      { text: 'first' },
      { text: 'second' },
    ])
  },
)
