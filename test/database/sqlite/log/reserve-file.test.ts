/** The reserve of space beside the database; full disks are in test/system/disk-full.revocation.test.ts. */
import assert from 'node:assert/strict'
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { fillReserve, releaseSlice, reserveStateOf } from '../../../../src/database/sqlite/log/reserve-file.ts'
import { openSqlite } from '../../../../src/database/sqlite/sqlite-database.ts'
import type { SqliteDatabase } from '../../../../src/database/sqlite/sqlite-database.ts'
import { createLog } from '../../../../src/lib/log.ts'
import { temporaryFolder } from '../../../support/files.ts'
import { until } from '../../../support/until.ts'

const RESERVE_BYTES = 8 * 1024 * 1024
const SLICE_BYTES = 256 * 1024

let folder: ReturnType<typeof temporaryFolder>
let path: string
let reserve: string
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder.path, 'test.db')
  reserve = `${path}-reserve`
})
afterEach(() => folder.remove())

const sizeOf = (file: string) => statSync(file).size
const openService = () => openSqlite(path, { background: { log: createLog('silent'), onLost: assert.fail } })
const write = (db: SqliteDatabase, options = {}) =>
  db.transaction((trx) => sql`create table if not exists notes (text text)`.execute(trx.query), options)

test('is made by a service, for its owner only, and not by a command', async () => {
  await openSqlite(path).close()
  assert.ok(!existsSync(reserve))
  assert.equal(releaseSlice(path), false)
  const service = openService()
  await until(() => reserveStateOf(path) === 'whole')
  await service.close()
  assert.deepEqual([sizeOf(reserve), statSync(reserve).mode & 0o777], [RESERVE_BYTES, 0o600])
})

test('is released in slices until nothing is left', () => {
  openSqlite(path)
  fillReserve(path)
  for (let left = RESERVE_BYTES; left > 0; left -= SLICE_BYTES) {
    assert.equal(sizeOf(reserve), left)
    assert.equal(releaseSlice(path), true)
    assert.equal(reserveStateOf(path), 'released')
  }
  assert.equal(releaseSlice(path), false)
})

test('that was released refuses all writes but revocations, and is made whole when there is space', async () => {
  await openSqlite(path).close()
  fillReserve(path)
  releaseSlice(path)
  const service = openService()
  // The thread looks once the event loop turns.
  const refused = write(service)
  const revoked = write(service, { isRevocation: true })
  await assert.rejects(refused, { errcode: 13 })
  await revoked
  await until(() => reserveStateOf(path) === 'whole')
  await until(async () => (await service.space())?.isFull === false)
  await write(service)
  await service.close()
})

test('that a command released is noticed and made whole by the service', async () => {
  const service = openService()
  await until(() => reserveStateOf(path) === 'whole')
  releaseSlice(path)
  await until(async () => {
    await write(service).catch(() => {})
    await sql`pragma user_version = 0`.execute(service.query)
    return reserveStateOf(path) === 'whole'
  })
  await write(service)
  await service.close()
})

test('that somebody deleted refuses nothing, and is made again', async () => {
  const service = openService()
  await until(() => reserveStateOf(path) === 'whole')
  rmSync(reserve)
  await write(service)
  await until(async () => {
    await sql`pragma user_version = 0`.execute(service.query)
    return reserveStateOf(path) === 'whole'
  })
  await service.close()
})
