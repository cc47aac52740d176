/** Which commits change access: an exchange waits for the syncs of those only. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import type { Transaction } from '../../../../src/database/database.ts'
import { migrate } from '../../../../src/database/migrate.ts'
import { openSqlite } from '../../../../src/database/sqlite/sqlite-database.ts'
import type { SqliteDatabase } from '../../../../src/database/sqlite/sqlite-database.ts'
import {
  incrementTokenVersion,
  insertUser,
  lockUser,
  renameUser,
  setEmail,
} from '../../../../src/domain/users/user-store.ts'
import { insertKey } from '../../../../src/domain/keys/key-store.ts'
import { createLog } from '../../../../src/lib/log.ts'
import { keyRow, userRow } from '../../../support/accounts/rows.ts'
import { temporaryFolder } from '../../../support/files.ts'

const folder = temporaryFolder()
const path = `${folder.path}/service.db`
let db: SqliteDatabase
let sync = Promise.withResolvers<void>()

before(async () => {
  const migrating = openSqlite(path, { allowsOtherWaits: true })
  await migrate(migrating)
  await migrating.close()
  const onLost = (error: Error) => assert.fail(error)
  db = openSqlite(path, { background: { log: createLog('silent'), onLost, sync: () => sync.promise } })
})
after(async () => {
  await db.close()
  folder.remove()
})

/** Whether an exchange waits while the transaction's sync lasts, and after it. */
async function waits(work: Parameters<SqliteDatabase['transaction']>[0]): Promise<[boolean, boolean]> {
  const isPending = (of: 'all' | 'access') => db.pendingSync(of) !== undefined
  sync = Promise.withResolvers()
  const committed = db.transaction(work)
  while (!isPending('all')) await new Promise<void>((resolve) => void setImmediate(resolve))
  const during = isPending('access')
  sync.resolve()
  await committed
  assert.equal(isPending('all'), false)
  return [during, isPending('access')]
}

test('an exchange waits for a commit that ends tokens or gives access back, and for no other', async () => {
  const rollback = new Error('rolled back')
  assert.deepEqual(await waits((trx) => insertUser(trx, userRow('ana'))), [false, false])
  assert.deepEqual(await waits((trx) => lockUser(trx, 'id', 'ana')), [false, false])
  assert.deepEqual(await waits((trx) => renameUser(trx, 'ana', 'Ana')), [false, false])
  assert.deepEqual(await waits((trx) => incrementTokenVersion(trx, 'ana')), [true, false])
  assert.deepEqual(await waits((trx) => renameUser(trx, 'ana', 'Bea')), [false, false])
  assert.deepEqual(await waits((trx) => setEmail(trx, 'ana', 'new@example.com')), [true, false])
  const setDisabled = (atMs: number | null) => (trx: Transaction) =>
    trx.query.updateTable('users').set({ disabled_at_ms: atMs }).where('id', '=', 'ana').execute()
  assert.deepEqual(await waits(setDisabled(1)), [false, false])
  assert.deepEqual(await waits(setDisabled(null)), [true, false])
  const setKey = (column: 'awaits_owner_at_ms' | 'revoked_at_ms', atMs: number | null) => (trx: Transaction) =>
    trx.query
      .updateTable('api_keys')
      .set({ [column]: atMs })
      .where('id', '=', 'key')
      .execute()
  assert.deepEqual(await waits((trx) => insertKey(trx, keyRow('key'))), [false, false])
  for (const column of ['awaits_owner_at_ms', 'revoked_at_ms'] as const) {
    assert.deepEqual(await waits(setKey(column, 1)), [false, false])
    assert.deepEqual(await waits(setKey(column, null)), [true, false])
  }
  await assert.rejects(
    db.transaction(async (trx) => {
      await renameUser(trx, 'ana', 'Cia')
      throw rollback
    }),
    rollback,
  )
})

test('an exchange waits for a raised version although a later commit, of which it read nothing, raised none', async () => {
  sync = Promise.withResolvers()
  const raised = db.transaction((trx) => incrementTokenVersion(trx, 'ana'))
  while (db.pendingSync('access') === undefined) await new Promise<void>((resolve) => void setImmediate(resolve))
  const renamed = db.transaction((trx) => renameUser(trx, 'ana', 'Dan'))
  await new Promise<void>((resolve) => void setImmediate(resolve))
  assert.notEqual(db.pendingSync('access'), undefined)
  sync.resolve()
  await Promise.all([raised, renamed])
  assert.equal(db.pendingSync('access'), undefined)
})

test('an exchange waits for a raised version also after another process changed the schema', async () => {
  const other = new DatabaseSync(path)
  other.exec('alter table users add column added text; create index users_by_name on users (name)')
  other.close()
  assert.deepEqual(await waits((trx) => renameUser(trx, 'ana', 'Eve')), [false, false])
  assert.deepEqual(await waits((trx) => incrementTokenVersion(trx, 'ana')), [true, false])
})
