/** What the guard reads stays prepared on its own connections to PostgreSQL, no call fails because it is gone, and no wait is for ever. */
import '../support/on-postgres.ts'
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { findTokenState } from '../../src/accounts/user-store.ts'
import type { Db } from '../../src/db/db.ts'
import { openDatabase } from '../../src/db/open.ts'
import { reserveOf } from '../../src/db/postgres.ts'
import { createLog } from '../../src/lib/log.ts'
import { database as locationOf } from '../../src/lib/setting-parsers.ts'
import { clusterUrl, openNewDatabase, PATIENT } from '../support/database.ts'
import type { OpenedDatabase } from '../support/database.ts'
import { stopwatch } from '../support/stopwatch.ts'

describe('a connection', { skip: clusterUrl === undefined && 'a file has none' }, () => {
  let database: OpenedDatabase
  let forCalls: Db
  let forGuard: Db
  const ana = { id: 'ana', email: 'ana@example.com', role: 'USER', token_version: 0, created_at_ms: 1 }
  beforeEach(async () => {
    database = await openNewDatabase()
    forCalls = database.db
    forGuard = reserveOf(forCalls)?.db as Db
    await forCalls.insertInto('users').values(ana).execute()
  })
  afterEach(() => database?.close())

  async function assertGuardReads() {
    const state = await findTokenState(forCalls, { userId: ana.id, apiKeyId: null, nowMs: 0 })
    assert.equal(state?.email, ana.email)
  }
  async function preparedOn(db: Db): Promise<string[]> {
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
    return rows.map(({ statement }) => statement)
  }
  const readsOf = (statements: readonly string[]) => statements.filter((statement) => /unnest.*"api_keys"/.test(statement))

  test('of the guard keeps what it is asked prepared, once; those of the other calls keep nothing', async () => {
    await assertGuardReads()
    await assertGuardReads()
    assert.equal(readsOf(await preparedOn(forGuard)).length, 1)
    await forCalls.selectFrom('users').selectAll().execute()
    assert.deepEqual(await preparedOn(forCalls), [])
  })

  test('of the guard answers all the same when what was prepared is gone, and keeps nothing from then on', async () => {
    await assertGuardReads()
    await sql`deallocate all`.execute(forGuard)
    await assertGuardReads()
    await assertGuardReads()
    assert.deepEqual(readsOf(await preparedOn(forGuard)), [])
  })

  test('of a transaction whose time is over before it commits lets its rows go at once', async () => {
    const hurried = openDatabase({ database: locationOf(database.url), databasePoolSize: 4 }, createLog('silent'), {
      ...PATIENT,
      answeredWithinMs: 1500,
    })
    const rename = (db: Db, name: string) => db.updateTable('users').set({ name }).where('id', '=', ana.id).execute()
    const late = hurried.transaction().execute(async (trx) => {
      await rename(trx, 'late')
      await sleep(1600)
    })
    await assert.rejects(late, /timeout/)
    const tookMs = stopwatch()
    await rename(forCalls, 'Ana')
    // The server itself would end it after three seconds.
    assert.ok(tookMs() < 1000)
    await hurried.destroy()
    assert.equal((await forCalls.selectFrom('users').select('name').executeTakeFirst())?.name, 'Ana')
  })

  test('of the guard answers all the same when a migration has changed the type of a column', async () => {
    await assertGuardReads()
    await sql`alter table users alter column email type varchar(400)`.execute(forCalls)
    await assertGuardReads()
  })
})
