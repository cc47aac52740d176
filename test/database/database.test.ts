/** The contract of `Database`, tested on the embedded database and on PostgreSQL. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CompiledQuery } from 'kysely'
import type { BatchedRead } from '../../src/database/batched-read.ts'
import { readOnly } from '../../src/database/batched-read.ts'
import { TransactionMisuseError } from '../../src/database/database.ts'
import type { Database, Queries, QueryBuilder } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/open.ts'
import { prepared } from '../../src/database/prepared.ts'
import type { Parameter } from '../../src/database/prepared.ts'
import { createLog } from '../../src/lib/log.ts'
import { database as locationOf } from '../../src/config/parsers.ts'
import { openAt, openNewDatabase, PATIENT } from '../support/database/database.ts'
import type { OpenedDatabase } from '../support/database/database.ts'

let database: OpenedDatabase
let db: Database
before(async () => {
  database = await openNewDatabase()
  db = database.db
})
after(() => database.close())

const user = (email: string) => ({
  id: `id of ${email}`,
  email,
  role: 'USER',
  name: null,
  token_version: 0,
  claimed_at_ms: null,
  created_at_ms: 1,
})
const addUser = (to: Queries, email: string) => to.query.insertInto('users').values(user(email)).execute()

async function emails(of: Queries): Promise<string[]> {
  return (await of.query.selectFrom('users').select('email').execute()).map(({ email }) => email)
}

test('statements that fail for other reasons than damage do not make it damaged', async () => {
  await addUser(db, 'damaged@example.com')
  await assert.rejects(addUser(db, 'damaged@example.com'))
  await assert.rejects(db.kysely.executeQuery(CompiledQuery.raw('select from where')))
  assert.equal(db.damage(), undefined)
})

describe('transaction', () => {
  test('rolls back on any failure, and throws it to the caller', async () => {
    const failure = new Error('no')
    await assert.rejects(
      db.transaction(async (trx) => {
        await addUser(trx, 'undone@example.com')
        throw failure
      }),
      (error: unknown) => error === failure,
    )
    assert.ok(!(await emails(db)).includes('undone@example.com'))
  })

  test('rolls back earlier statements when one fails', async () => {
    await assert.rejects(
      db.transaction(async (trx) => {
        await addUser(trx, 'twice@example.com')
        await addUser(trx, 'twice@example.com')
      }),
      /unique/i,
    )
    assert.ok(!(await emails(db)).includes('twice@example.com'))
  })

  test('returns the result of its work once everything is committed', async () => {
    const given = await db.transaction(async (trx) => {
      await addUser(trx, 'kept@example.com')
      return 'done'
    })
    assert.equal(given, 'done')
    assert.ok((await emails(db)).includes('kept@example.com'))
  })

  test('shows its writes to itself, and to others only as a whole', async () => {
    const seen: number[] = []
    const rounds = Array.from({ length: 10 }, (_, round) =>
      db
        .transaction(async (trx) => {
          await addUser(trx, `turn-${round}-a@example.com`)
          await addUser(trx, `turn-${round}-b@example.com`)
          const own = (await emails(trx)).filter((email) => email.startsWith(`turn-${round}-`))
          assert.equal(own.length, 2)
          if (round % 2 === 1) throw new Error('every second one fails')
        })
        .catch(() => {}),
    )
    const reader = Array.from({ length: 10 }, async () => void seen.push((await emails(db)).length % 2))
    const parity = (await emails(db)).length % 2
    await Promise.all([...rounds, ...reader])
    assert.deepEqual(new Set(seen), new Set([parity]))
    assert.equal((await emails(db)).filter((email) => email.startsWith('turn-')).length, 10)
  })

  test('leaves the database usable after a failure', async () => {
    await db.transaction(() => Promise.reject(new Error('no'))).catch(() => {})
    await db.transaction((trx) => addUser(trx, 'next@example.com'))
    assert.ok((await emails(db)).includes('next@example.com'))
  })
})

/** Opens the database like another process of the service. */
const openAsService = () =>
  openDatabase({ database: locationOf(database.url), databasePoolSize: 4 }, createLog('silent'), PATIENT)
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe('a transaction that awaits anything but its own statements', () => {
  test('is undone and fails, and the next one runs', async (t) => {
    const strict = openAsService()
    t.after(() => strict.close())
    const awaitElse = strict.transaction(async (trx) => {
      await addUser(trx, 'misused@example.com')
      await turn()
      await turn()
      await addUser(trx, 'misused too@example.com')
    })
    await assert.rejects(awaitElse, TransactionMisuseError)
    await strict.transaction((trx) => addUser(trx, 'well used@example.com'))
    const found = await emails(strict)
    assert.deepEqual(
      found.filter((email) => email.includes('used')),
      ['well used@example.com'],
    )
  })
})

describe('a write', () => {
  test('is visible to every other connection when its promise resolves', async (t) => {
    const other = openAt(database.url)
    t.after(() => other.close())
    await addUser(db, 'plain@example.com')
    assert.ok((await emails(other)).includes('plain@example.com'))
    await db.transaction((trx) => addUser(trx, 'in a transaction@example.com'))
    assert.ok((await emails(other)).includes('in a transaction@example.com'))
  })
})

describe('a batched read', () => {
  const one = prepared((query: QueryBuilder, email: Parameter<string>) =>
    query.selectFrom('users').select(['id', 'email']).where('email', '=', email),
  )
  let asked: string[][] = []
  const byEmail: BatchedRead<string, { id: string; email: string }> = {
    readOne: one,
    async readMany(on, all) {
      asked.push([...all])
      const rows = await on.query
        .selectFrom('users')
        .select(['id', 'email', readOnly])
        .where('email', 'in', all)
        .execute()
      return rows.map((row) => Object.assign(row, { position: all.indexOf(row.email) + 1 }))
    },
    isSame: (a, b) => a === b,
  }
  const failing: BatchedRead<string, { id: string }> = {
    readOne: () => Promise.reject(new Error('no')),
    readMany: () => Promise.reject(new Error('no')),
  }

  test('answers each question separately, and gives undefined for missing rows', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `many-${n}@example.com`)
    for (const name of names.slice(0, 40)) await addUser(db, name)
    asked = []
    const answers = await Promise.all(names.map((name) => db.readBatched(byEmail, name)))
    assert.deepEqual(
      answers.map((answer) => answer?.email),
      names.map((name, n) => (n < 40 ? name : undefined)),
    )
    assert.deepEqual(asked, db.dialect === 'postgres' ? [names] : [], 'one statement on PostgreSQL')
  })

  test('is executed once for two equal questions in a row, and both callers get the answer', async () => {
    asked = []
    const answers = await Promise.all([1, 2].map(() => db.readBatched(byEmail, 'many-1@example.com')))
    assert.deepEqual(
      answers.map((answer) => answer?.email),
      ['many-1@example.com', 'many-1@example.com'],
    )
    assert.deepEqual(asked, db.dialect === 'postgres' ? [['many-1@example.com']] : [])
  })

  test('is never answered from before the question', async () => {
    for (let n = 0; n < 20; n++) {
      const name = `fresh-${n}@example.com`
      const earlier = db.readBatched(byEmail, name)
      await addUser(db, name)
      assert.equal((await db.readBatched(byEmail, name))?.email, name)
      await earlier
    }
  })

  test('sees the writes of its own transaction only', async () => {
    const name = 'unseen@example.com'
    let outside: Promise<unknown> | undefined
    const undone = db.transaction(async (trx) => {
      await addUser(trx, name)
      outside = db.readBatched(byEmail, name)
      assert.equal((await trx.readBatched(byEmail, name))?.email, name)
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    assert.equal(await outside, undefined)
  })

  test('rejects for each caller when it fails, and the next one is executed again', async () => {
    const outcomes = await Promise.allSettled(['a', 'b'].map((name) => db.readBatched(failing, name)))
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal((await db.readBatched(byEmail, 'many-1@example.com'))?.email, 'many-1@example.com')
  })
})

describe('health', () => {
  test('ping resolves; pools and clock are reported for a server only', async () => {
    await db.ping()
    const isServer = db.dialect === 'postgres'
    assert.equal(db.pools().length, isServer ? 2 : 0)
    const serverTimeMs = await db.serverTimeMs()
    assert.equal(typeof serverTimeMs, isServer ? 'number' : 'undefined')
  })
})

describe('close', () => {
  test('keeps committed data, waits for the current transaction, and rejects later calls', async (t) => {
    const closing = openAsService()
    const begun = Promise.withResolvers<void>()
    const write = closing.transaction((trx) => {
      begun.resolve()
      return addUser(trx, 'at the end@example.com')
    })
    await begun.promise
    const closed = closing.close()
    await write
    await closed
    await closing.close()
    await assert.rejects(emails(closing))
    await assert.rejects(closing.transaction((trx) => addUser(trx, 'too late@example.com')))
    await assert.rejects(closing.ping())
    const again = openAt(database.url)
    t.after(() => again.close())
    const found = await emails(again)
    assert.ok(found.includes('at the end@example.com') && !found.includes('too late@example.com'))
  })
})
