/** Transactions with the same subject that wait are committed together, and fail one by one. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { RunAgainError } from '../../../src/database/database.ts'
import type { Database, Transaction } from '../../../src/database/database.ts'
import { clusterUrl, openNewDatabase } from '../../support/database/database.ts'
import type { OpenedDatabase } from '../../support/database/database.ts'

describe('a group of transactions', { skip: clusterUrl === undefined && 'SQLite groups all commits of a turn' }, () => {
  let database: OpenedDatabase
  let db: Database
  before(async () => {
    database = await openNewDatabase()
    db = database.db
  })
  after(() => database?.close())

  type Work = (trx: Transaction) => Promise<unknown>

  /** Starts all at once, of different callers unless named. */
  function run(works: Readonly<Record<string, Work>>, locksBefore: readonly string[] = []) {
    return Promise.allSettled(
      Object.entries(works).map(([caller, work]) =>
        db.transaction(work, { contention: { subject: 'ana', caller, locksBefore: locksBefore.includes(caller) } }),
      ),
    )
  }
  const outcomes = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message))

  /** Inserts a user, and returns the id of the transaction that will commit. */
  const insert = (name: string) => async (trx: Transaction) => {
    const row = { id: name, email: `${name}@example.com`, role: 'USER', token_version: 0, created_at_ms: 1 }
    await trx.query.insertInto('users').values(row).execute()
    return transactionId(trx)
  }
  const transactionId = async (trx: Transaction) =>
    (await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(trx.query)).rows[0]?.id
  const insertAndFail = (name: string, error: Error) => async (trx: Transaction) => {
    await insert(name)(trx)
    throw error
  }
  const stored = async (prefix: string) =>
    (await db.query.selectFrom('users').select('id').where('id', 'like', `${prefix}%`).orderBy('id').execute()).map(
      ({ id }) => id,
    )

  test('shares one commit among those that wait for the first', async () => {
    let commits: number | undefined
    // On a busy machine the time of a group may be over before it has taken all.
    for (let attempt = 0; attempt < 10 && commits !== 1; attempt++) {
      const names = Array.from({ length: 9 }, (_, n) => `together${attempt}-${n}`)
      const ids = outcomes(await run(Object.fromEntries(names.map((name) => [name, insert(name)]))))
      commits = new Set(ids).size
      assert.deepEqual(await stored(`together${attempt}-`), names)
    }
    assert.equal(commits, 1)
  })

  test('commits nothing of a refused one that went on in the background', async () => {
    const late = Promise.withResolvers<unknown>()
    const goesOn = async (trx: Transaction) => {
      const background = (async () => {
        await transactionId(trx)
        await transactionId(trx)
        return insert('late1')(trx)
      })()
      background.then(late.resolve, late.reject)
      await Promise.reject(new Error('no'))
    }
    const refusal = assert.rejects(late.promise, /after the end of its transaction/)
    await run({ late0: insert('late0'), late1: goesOn, late2: insert('late2') })
    await refusal
    assert.deepEqual(await stored('late'), ['late0', 'late2'])
  })

  test('undoes only the one that fails, first, in the middle or last', async () => {
    const error = new Error('no')
    const results = await run({
      fails0: insertAndFail('fails0', error),
      fails1: insert('fails1'),
      fails2: insertAndFail('fails2', error),
      fails3: insert('fails3'),
      fails4: insertAndFail('fails4', error),
    })
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
    )
    assert.deepEqual(await stored('fails'), ['fails1', 'fails3'])
  })

  test('undoes only the one whose statement the server refuses', async () => {
    const results = await run({
      refused0: insert('refused0'),
      refused1: insert('refused0'),
      refused2: insert('refused2'),
    })
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(await stored('refused'), ['refused0', 'refused2'])
  })

  test('runs the one that conflicts again, in a transaction that it begins', async () => {
    let attempts = 0
    const ids = outcomes(
      await run({
        again0: insert('again0'),
        again1: async (trx) => {
          attempts += 1
          const id = await insert('again1')(trx)
          if (attempts === 1) throw new RunAgainError()
          return id
        },
        again2: insert('again2'),
      }),
    )
    assert.equal(attempts, 2)
    assert.equal(ids[1], ids[2])
    assert.notEqual(ids[0], ids[1])
    assert.deepEqual(await stored('again'), ['again0', 'again1', 'again2'])
  })

  test('never continues with one that takes locks before those of the subject', async () => {
    const ids = outcomes(
      await run({ lock0: insert('lock0'), lock1: insert('lock1'), lock2: insert('lock2') }, ['lock1']),
    )
    assert.notEqual(ids[0], ids[1])
    assert.equal(ids[1], ids[2])
  })

  test('acknowledges and refuses nothing that was not committed, and the next group works', async () => {
    const results = await run({
      lost0: insert('lost0'),
      lost1: insertAndFail('lost1', new Error('its own refusal')),
      lost2: (trx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx.query),
      lost3: insert('lost3'),
    })
    assert.ok(results.every(({ status }) => status === 'rejected'))
    assert.ok(!outcomes(results).includes('its own refusal'))
    assert.deepEqual(await stored('lost'), [])
    await run({ next0: insert('next0') })
    assert.deepEqual(await stored('next'), ['next0'])
  })
})
