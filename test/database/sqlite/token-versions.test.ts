/** Which commits change a user's `token_version`: an exchange waits for the syncs of those only. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { migrate } from '../../../src/database/migrate.ts'
import { openSqlite } from '../../../src/database/sqlite/sqlite-database.ts'
import type { SqliteDatabase } from '../../../src/database/sqlite/sqlite-database.ts'
import {
  incrementTokenVersion,
  insertUser,
  lockUser,
  renameUser,
  setEmail,
} from '../../../src/domain/users/user-store.ts'
import { createLog } from '../../../src/lib/log.ts'
import { userRow } from '../../support/accounts/rows.ts'
import { temporaryFolder } from '../../support/files.ts'

const folder = temporaryFolder()
let db: SqliteDatabase
let sync = Promise.withResolvers<void>()

before(async () => {
  const path = `${folder.path}/service.db`
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
  const isPending = (of: 'all' | 'token-versions') => db.pendingSync(of) !== undefined
  sync = Promise.withResolvers()
  const committed = db.transaction(work)
  while (!isPending('all')) await new Promise<void>((resolve) => void setImmediate(resolve))
  const during = isPending('token-versions')
  sync.resolve()
  await committed
  assert.equal(isPending('all'), false)
  return [during, isPending('token-versions')]
}

test('an exchange waits for the commit that raises a version, and for no other', async () => {
  const rollback = new Error('rolled back')
  assert.deepEqual(await waits((trx) => insertUser(trx, userRow('ana'))), [false, false])
  assert.deepEqual(await waits((trx) => lockUser(trx, 'id', 'ana')), [false, false])
  assert.deepEqual(await waits((trx) => renameUser(trx, 'ana', 'Ana')), [false, false])
  assert.deepEqual(await waits((trx) => incrementTokenVersion(trx, 'ana')), [true, false])
  assert.deepEqual(await waits((trx) => renameUser(trx, 'ana', 'Bea')), [false, false])
  assert.deepEqual(await waits((trx) => setEmail(trx, 'ana', 'new@example.com')), [true, false])
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
  while (db.pendingSync('token-versions') === undefined)
    await new Promise<void>((resolve) => void setImmediate(resolve))
  const renamed = db.transaction((trx) => renameUser(trx, 'ana', 'Dan'))
  await new Promise<void>((resolve) => void setImmediate(resolve))
  assert.notEqual(db.pendingSync('token-versions'), undefined)
  sync.resolve()
  await Promise.all([raised, renamed])
  assert.equal(db.pendingSync('token-versions'), undefined)
})
