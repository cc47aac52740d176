import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { findTokenState } from '../../../src/domain/users/user-token-state-store.ts'
import type { Database, Queries } from '../../../src/database/database.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { createLog } from '../../../src/lib/log.ts'
import { database as locationOf } from '../../../src/config/parsers.ts'
import { clusterUrl, openNewDatabase, PATIENT } from '../../support/database/database.ts'
import { onGuardConnection } from '../../support/postgres/guard-connection.ts'
import type { OpenedDatabase } from '../../support/database/database.ts'
import { stopwatch } from '../../support/process/stopwatch.ts'

describe('a connection', { skip: clusterUrl === undefined && 'the embedded database has no connections' }, () => {
  let database: OpenedDatabase
  let forCalls: Database
  const ana = { id: 'ana', email: 'ana@example.com', role: 'USER', token_version: 0, created_at_ms: 1 }
  beforeEach(async () => {
    database = await openNewDatabase()
    forCalls = database.db
    await forCalls.query.insertInto('users').values(ana).execute()
  })
  afterEach(() => database?.close())

  async function assertGuardReads() {
    const state = await findTokenState(forCalls, { userId: ana.id, apiKeyId: null, signInId: null, nowMs: 0 })
    assert.equal(state?.email, ana.email)
  }
  async function preparedOn(db: Queries): Promise<string[]> {
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db.query)
    return rows.map(({ statement }) => statement)
  }
  const readsOf = (statements: readonly string[]) =>
    statements.filter((statement) => /unnest.*"api_keys"/.test(statement))

  test('of the guard keeps each statement prepared, once; those of other calls keep none', async () => {
    await assertGuardReads()
    await assertGuardReads()
    assert.equal(readsOf(await onGuardConnection(forCalls, preparedOn)).length, 1)
    await forCalls.query.selectFrom('users').selectAll().execute()
    assert.deepEqual(await preparedOn(forCalls), [])
  })

  test('of the guard still answers when its prepared statement is gone, and prepares none from then on', async () => {
    await assertGuardReads()
    await onGuardConnection(forCalls, (db) => sql`deallocate all`.execute(db.query))
    await assertGuardReads()
    await assertGuardReads()
    assert.deepEqual(readsOf(await onGuardConnection(forCalls, preparedOn)), [])
  })

  test('of a transaction that times out before its commit releases its row locks at once', async () => {
    const hurried = openDatabase({ database: locationOf(database.url), databasePoolSize: 4 }, createLog('silent'), {
      ...PATIENT,
      answerTimeoutMs: 3000,
      allowsOtherWaits: true,
    })
    const rename = (db: Queries, name: string) =>
      db.query.updateTable('users').set({ name }).where('id', '=', ana.id).execute()
    const late = hurried.transaction(async (trx) => {
      await rename(trx, 'late')
      await sleep(3100)
    })
    await assert.rejects(late, /timeout/)
    const tookMs = stopwatch()
    await rename(forCalls, 'Ana')
    // The server itself would end it after six seconds, of which three are over.
    assert.ok(tookMs() < 2500)
    await hurried.close()
    assert.equal((await forCalls.query.selectFrom('users').select('name').executeTakeFirst())?.name, 'Ana')
  })

  test('of the guard still answers when a migration has changed a column’s type', async () => {
    await assertGuardReads()
    await sql`alter table users alter column email type varchar(400)`.execute(forCalls.query)
    await assertGuardReads()
  })
})
