import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { after, before, beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'
import { getHeapSpaceStatistics } from 'node:v8'
import { CompiledQuery, sql } from 'kysely'
import { TransactionMisuseError } from '../../../src/database/database.ts'
import type { Database, PreparedQueries, Queries, QueryBuilder } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { prepared } from '../../../src/database/prepared.ts'
import type { Parameter } from '../../../src/database/prepared.ts'
import { SqliteDriver } from '../../../src/database/sqlite/driver.ts'
import { isSqliteUnavailable } from '../../../src/database/sqlite/errors.ts'
import { LogSync } from '../../../src/database/sqlite/log/log-sync.ts'
import { openSqlite } from '../../../src/database/sqlite/sqlite-database.ts'
import { createLog } from '../../../src/lib/log.ts'
import { temporaryFolder } from '../../support/files.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
const path = `${folder.path}/service.db`
const log = createLog('silent')
const background = { log, onLost: (error: Error) => assert.fail(error) }
let db: Database
let other: DatabaseSync

before(async () => {
  const migrating = openSqlite(path, { allowsOtherWaits: true })
  await migrate(migrating)
  await migrating.close()
  db = openSqlite(path, { background })
  other = new DatabaseSync(path, { timeout: 1000 })
})
beforeEach(() => other.exec('delete from mail_pauses'))
after(async () => {
  other.close()
  await db.close()
  folder.remove()
})

const pause = (at: Queries, email: string) =>
  at.query.insertInto('mail_pauses').values({ email, paused_at_ms: 1, mailed_at_ms: null }).execute()
const paused = async () =>
  (await db.query.selectFrom('mail_pauses').select('email').orderBy('email').execute()).map(({ email }) => email)
const neverCalled = () => Promise.reject(new Error('only PostgreSQL reads many in one statement'))
async function microtasks(count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) await Promise.resolve()
}
/** Otherwise a turn of the event loop may be over before its second transaction on a busy machine. */
function stopClock(t: TestContext): void {
  const nowMs = performance.now()
  t.mock.method(performance, 'now', () => nowMs)
}
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

test('a failed transaction undoes its own writes and no others', async () => {
  // The second time each transaction has a savepoint.
  for (let time = 1; time <= 2; time += 1) {
    other.exec('delete from mail_pauses')
    const outcomes = await Promise.allSettled([
      db.transaction((trx) => pause(trx, 'first')),
      db.transaction(async (trx) => {
        await pause(trx, 'undone')
        throw new Error('no')
      }),
      db.transaction(async (trx) => {
        await pause(trx, 'undone')
        await pause(trx, 'undone')
      }),
      db.transaction((trx) => pause(trx, 'last')),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(await paused(), ['first', 'last'])
  }
})

const isRefused = (error: unknown) => {
  assert.ok(isSqliteUnavailable(error), String(error))
  return false
}

/** One transaction that succeeds and others of the same turn that fail. @returns how often each ran */
async function runsBeside(to: Database, failing: readonly ((trx: Queries) => Promise<unknown>)[]): Promise<number[]> {
  await to.query.deleteFrom('mail_pauses').execute()
  const runs = [0, ...failing.map(() => 0)]
  const counted = (n: number, work: (trx: Queries) => Promise<unknown>) =>
    to.transaction((trx) => {
      runs[n] = (runs[n] ?? 0) + 1
      return work(trx)
    })
  const no = async (trx: Queries, work: (trx: Queries) => Promise<unknown>) => {
    await work(trx)
    throw new Error('no')
  }
  const [succeeded, ...failed] = await Promise.allSettled([
    counted(0, (trx) => pause(trx, 'first')),
    ...failing.map((work, n) => counted(n + 1, (trx) => no(trx, work))),
  ])
  assert.equal(succeeded.status, 'fulfilled')
  for (const outcome of failed) assert.equal(outcome.status === 'rejected' && outcome.reason.message, 'no')
  const stored = await to.query.selectFrom('mail_pauses').select('email').execute()
  assert.deepEqual(stored, [{ email: 'first' }])
  return runs
}

/** A database of its own. */
async function withOpened(name: string, work: (opened: Database) => Promise<void>): Promise<void> {
  const opened = openSqlite(`${folder.path}/${name}.db`, { background })
  try {
    await sql`create table mail_pauses (email text primary key, paused_at_ms int, mailed_at_ms int)`.execute(
      opened.query,
    )
    await work(opened)
  } finally {
    await opened.close()
  }
}

test('a failed transaction that changed something makes the others of its turn run again, but not again soon', async (t) => {
  stopClock(t)
  const changes = ['one', 'two', 'three'].map((email) => (trx: Queries) => pause(trx, email))
  await withOpened('undone', async (opened) => {
    assert.deepEqual(await runsBeside(opened, changes), [2, 2, 1, 1])
    assert.deepEqual(await runsBeside(opened, changes), [1, 1, 1, 1])
  })
})

test('a failed transaction that changed nothing makes no other run again', async (t) => {
  stopClock(t)
  const changesNothing = [
    (trx: Queries) => trx.query.selectFrom('mail_pauses').selectAll().execute(),
    (trx: Queries) => trx.query.deleteFrom('mail_pauses').where('email', '=', 'unknown').execute(),
    (trx: Queries) =>
      trx.query
        .insertInto('mail_pauses')
        .values({ email: 'first', paused_at_ms: 1, mailed_at_ms: null })
        .onConflict((conflict) => conflict.doNothing())
        .returning('email')
        .execute(),
  ]
  await withOpened('unchanged', async (opened) => {
    assert.deepEqual(await runsBeside(opened, changesNothing), [1, 1, 1, 1])
  })
})

test('a transaction that fails alone is undone and does not run again', async () => {
  await withOpened('alone', async (opened) => {
    let runs = 0
    const failing = opened.transaction(async (trx) => {
      runs += 1
      await pause(trx, 'undone')
      throw new Error('no')
    })
    await assert.rejects(failing, { message: 'no' })
    assert.equal(runs, 1)
    assert.deepEqual(await runsBeside(opened, []), [1])
  })
})

test('transactions of one turn are committed together, and none resolves before the commit', async (t) => {
  stopClock(t)
  const stored = () => Number(other.prepare('select count(*) as count from mail_pauses').get()?.['count'])
  const seen: number[] = []
  const writing = ['first', 'last'].map((email) =>
    db.transaction((trx) => pause(trx, email).then(() => seen.push(stored()))),
  )
  await Promise.race(writing)
  seen.push(stored())
  await Promise.all(writing)
  assert.deepEqual(seen, [0, 0, 2])
})

test('writes of one turn outside of transactions are committed together, when the turn ends', async (t) => {
  stopClock(t)
  const stored = () => Number(other.prepare('select count(*) as count from mail_pauses').get()?.['count'])
  const writing = ['first', 'last'].map((email) => pause(db, email))
  await microtasks(100)
  assert.equal(stored(), 0)
  await Promise.all(writing)
  assert.equal(stored(), 2)
})

test('a write outside of transactions runs again when another of its turn is undone', async (t) => {
  stopClock(t)
  await withOpened('beside', async (opened) => {
    const outcomes = await Promise.allSettled([
      pause(opened, 'alone'),
      opened.transaction(async (trx) => {
        await pause(trx, 'undone')
        throw new Error('no')
      }),
      pause(opened, 'later'),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    const stored = await opened.query.selectFrom('mail_pauses').select('email').orderBy('email').execute()
    assert.deepEqual(stored, [{ email: 'alone' }, { email: 'later' }])
  })
})

test('a write outside of transactions that fails undoes no other of its turn', async (t) => {
  stopClock(t)
  const outcomes = await Promise.allSettled(['first', 'first', 'last'].map((email) => pause(db, email)))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(await paused(), ['first', 'last'])
})

test('a write outside of transactions that fails because of one that is undone runs again', async (t) => {
  stopClock(t)
  await withOpened('because', async (opened) => {
    let runs = 0
    const outcomes = await Promise.allSettled([
      opened.transaction(async (trx) => {
        runs += 1
        if (runs === 1) await pause(trx, 'same')
      }),
      microtasks(30).then(() => pause(opened, 'same')),
      microtasks(60).then(() =>
        opened.transaction(async (trx) => {
          await pause(trx, 'undone')
          throw new Error('no')
        }),
      ),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    )
    assert.equal(runs, 2)
    assert.deepEqual(await opened.query.selectFrom('mail_pauses').select('email').execute(), [{ email: 'same' }])
  })
})

test('a write behind a transaction that is open when the database is closed is stored', async () => {
  const file = `${folder.path}/closing.db`
  const closing = openSqlite(file)
  await sql`create table mail_pauses (email text primary key, paused_at_ms int, mailed_at_ms int)`.execute(
    closing.query,
  )
  const ending: Promise<unknown>[] = []
  await closing.transaction(async (trx) => {
    await pause(trx, 'first')
    ending.push(closing.close(), pause(closing, 'last'))
    await pause(trx, 'second')
  })
  await Promise.all(ending)
  const reopened = new DatabaseSync(file)
  assert.equal(reopened.prepare('select count(*) as count from mail_pauses').get()?.['count'], 3)
  reopened.close()
})

test('a write that begins while the log is closed is committed before the file is closed', async () => {
  const file = new DatabaseSync(`${folder.path}/late.db`)
  file.exec('create table mail_pauses (email text primary key)')
  const driver = new SqliteDriver(file, { lockTimeoutMs: 0, allowsOtherWaits: false })
  const session = await driver.acquireConnection()
  let write: Promise<unknown> | undefined
  driver.useLog({
    committed: async () => {},
    refuseWhenFull() {},
    noteFull() {},
    noteRead() {},
    refuseAfterFailure() {},
    async close() {
      const insert = CompiledQuery.raw("insert into mail_pauses values ('late')")
      write = driver.execute(session, { ...insert, query: { kind: 'InsertQueryNode' } })
      await microtasks(30)
    },
  })
  await driver.destroy()
  await write
  const reopened = new DatabaseSync(`${folder.path}/late.db`)
  assert.equal(reopened.prepare('select count(*) as count from mail_pauses').get()?.['count'], 1)
  reopened.close()
})

test('a read outside of transactions finds only committed data', async () => {
  const writing = db.transaction((trx) => pause(trx, 'first'))
  const found = paused()
  assert.equal(
    (await found).length,
    Number(other.prepare('select count(*) as count from mail_pauses').get()?.['count']),
  )
  await writing
  assert.deepEqual(await paused(), ['first'])
})

test('reads between the steps of transactions do not split them', async () => {
  const reads: Promise<unknown>[] = []
  const writing = Array.from({ length: 50 }, async (_, n) => {
    for (let turns = 0; turns < n % 7; turns += 1) await Promise.resolve()
    reads.push(paused())
    await db.transaction((trx) => pause(trx, `n${n}`))
  })
  for (let step = 0; step < 500; step += 1) {
    await Promise.resolve()
    reads.push(paused())
  }
  await Promise.all([...writing, ...reads])
  assert.equal((await paused()).length, 50)
})

test('on a full disk each transaction of the group is undone and fails, and later ones run', async () => {
  const { page_count: pages } = other.prepare('pragma page_count').get() as { page_count: number }
  await sql.raw(`pragma max_page_count = ${pages}`).execute(db.query)
  const long = 'x'.repeat(100_000)
  const outcomes = await Promise.allSettled(
    ['first', long, 'last'].map((email) => db.transaction((trx) => pause(trx, email))),
  )
  // Not before a checkpoint has found room for the database.
  await assert.rejects(
    db.transaction((trx) => pause(trx, 'refused')),
    isSqliteUnavailable,
  )
  const largerFile = sql.raw('pragma max_page_count = 100000')
  await until(() => largerFile.execute(db.query).then(() => true, isRefused))
  const stored = await paused()
  const kept = outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [['first', long, 'last'][n]] : []))
  assert.deepEqual(stored, kept.toSorted())
  assert.equal(outcomes[1]?.status, 'rejected')
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.equal(isSqliteUnavailable(outcome.reason), true)
  await db.transaction((trx) => pause(trx, 'again'))
  assert.ok((await paused()).includes('again'))
})

test('transactions run in the order of their calls', async () => {
  const order: number[] = []
  const all = Array.from({ length: 250 }, (_, n) => n)
  await Promise.all(
    all.map((n) =>
      db.transaction(async (trx) => {
        await pause(trx, `n${n}`)
        order.push(n)
      }),
    ),
  )
  assert.deepEqual(order, all)
})

test('no write resolves before a sync of the log that started after its commit', async (t) => {
  const events: string[] = []
  const synced = Reflect.get(LogSync.prototype, 'synced')
  t.mock.method(LogSync.prototype, 'synced', async function noted(this: LogSync) {
    events.push('asked')
    await Reflect.apply(synced, this, [])
    events.push('synced')
  })
  await db.transaction((trx) => pause(trx, 'ana'))
  await pause(db, 'dan')
  assert.deepEqual(events, ['asked', 'synced', 'asked', 'synced'])
  await paused()
  assert.equal(events.length, 4)
})

test('transactions that changed nothing, and those rolled back, resolve after a sync that started after them', async (t) => {
  const released = Promise.withResolvers<void>()
  let syncs = 0
  const sync = () => {
    syncs += 1
    return released.promise
  }
  const slow = openSqlite(`${folder.path}/slow.db`, { background: { ...background, sync } })
  t.after(() => {
    released.resolve()
    return slow.close()
  })
  const done: string[] = []
  const all = [
    slow.transaction((trx) => sql`select 1`.execute(trx.query)).then(() => void done.push('read')),
    slow.transaction(async () => {}).then(() => void done.push('nothing')),
    slow.transaction(() => Promise.reject(new Error('no'))).catch(() => void done.push('rolled back')),
  ]
  for (let turns = 0; turns < 10; turns += 1) await turn()
  assert.deepEqual([syncs, done], [1, []])
  released.resolve()
  await Promise.all(all)
  assert.deepEqual(done.toSorted(), ['nothing', 'read', 'rolled back'])
})

test('a request waits for what it read outside of transactions, and for no later commit', async (t) => {
  const sync = Promise.withResolvers<void>()
  const slow = openSqlite(`${folder.path}/seen.db`, { background: { ...background, sync: () => sync.promise } })
  t.after(() => {
    sync.resolve()
    return slow.close()
  })
  const read = { readOne: (at: PreparedQueries, email: string) => findPause(at, email), readMany: neverCalled }
  const reads: Record<string, () => Promise<unknown>> = {
    nothing: async () => {},
    query: () => slow.query.selectFrom('mail_pauses').selectAll().execute(),
    batch: () => slow.readBatched(read, 'ana'),
  }
  const isWritten = Promise.withResolvers<void>()
  const began = Object.values(reads).map(
    (run) =>
      new Promise<boolean>((resolve) =>
        slow.noteReads(() => {
          void isWritten.promise.then(run).then(() => resolve(slow.pendingSync('all') !== undefined))
        }),
      ),
  )
  void sql`create table mail_pauses (email text)`.execute(slow.query)
  await turn()
  isWritten.resolve()
  assert.deepEqual(await Promise.all(began), [false, true, true])
  slow.noteReads(() => assert.notEqual(slow.pendingSync('all'), undefined, 'it began after the commit'))
  assert.notEqual(slow.pendingSync('all'), undefined, 'nothing was noted')
})

test('after a failed sync of the log, the loss is reported, and the write, every later write and the ping fail as unavailable', async (t) => {
  let isFailing = false
  const lost: Error[] = []
  const sync = () => (isFailing ? Promise.reject(new Error('EIO: i/o error')) : Promise.resolve())
  const doomed = openSqlite(`${folder.path}/doomed.db`, {
    allowsOtherWaits: true,
    background: { log, onLost: (error) => void lost.push(error), sync },
  })
  t.after(() => doomed.close())
  await migrate(doomed)
  await doomed.ping()
  isFailing = true
  await assert.rejects(pause(doomed, 'first'), isSqliteUnavailable)
  isFailing = false
  await assert.rejects(
    doomed.transaction((trx) => pause(trx, 'second')),
    isSqliteUnavailable,
  )
  await assert.rejects(doomed.ping(), isSqliteUnavailable)
  assert.deepEqual(
    await doomed.query.selectFrom('mail_pauses').select('email').where('email', '=', 'third').execute(),
    [],
  )
  assert.match(lost.map(({ message }) => message).join(), /^the write-ahead log could not be synced: EIO/)
})

test('a transaction that awaits anything but its statements is undone and fails, and the next one runs', async () => {
  await assert.rejects(
    db.transaction(async (trx) => {
      await pause(trx, 'waiting')
      await turn()
      await pause(trx, 'late')
    }),
    TransactionMisuseError,
  )
  await assert.rejects(
    db.transaction(async (trx) => {
      await pause(trx, 'waiting')
      await turn()
    }),
    TransactionMisuseError,
  )
  assert.deepEqual(await paused(), [])
  await db.transaction((trx) => pause(trx, 'next'))
  assert.deepEqual(await paused(), ['next'])
})

const findPause = prepared((query: QueryBuilder, email: Parameter<string>) =>
  query.selectFrom('mail_pauses').select('email').where('email', '=', email),
)

test('an ended transaction runs no further statement', async () => {
  let ended: Queries | undefined
  await db.transaction(async (trx) => {
    ended = trx
    await pause(trx, 'ana')
  })
  await assert.rejects(pause(ended as Queries, 'late'))
  await assert.rejects(findPause(ended as Queries, 'ana'), /transaction has ended/)
  assert.deepEqual(await paused(), ['ana'])
})

test('while writes are held back, they wait and reads go on', async () => {
  const driver = new SqliteDriver(other, { lockTimeoutMs: 0, allowsOtherWaits: false })
  const session = await driver.acquireConnection()
  const statement = (text: string, kind: 'SelectQueryNode' | 'InsertQueryNode') =>
    driver.execute(session, { ...CompiledQuery.raw(text), query: { kind } })
  const release = driver.holdWrites()
  const write = statement("insert into mail_pauses values ('held', 1, null)", 'InsertQueryNode')
  const beginning = driver.beginTransaction(session)
  for (let n = 0; n < 20; n++) {
    assert.deepEqual((await statement('select email from mail_pauses', 'SelectQueryNode')).rows, [])
    await turn()
  }
  release()
  await beginning
  await driver.rollbackTransaction(session)
  await write
  assert.deepEqual(await paused(), ['held'])
})

test('while another process holds the write lock, reads continue and the write waits', async () => {
  other.exec('begin immediate')
  let isWritten = false
  const write = db.transaction((trx) => pause(trx, 'patient')).then(() => (isWritten = true))
  for (let n = 0; n < 20; n++) {
    assert.deepEqual(await paused(), [])
    await turn()
  }
  assert.equal(isWritten, false)
  other.exec('commit')
  await write
  assert.deepEqual(await paused(), ['patient'])
})

test('a read that finds the database busy is tried again', async (t) => {
  await pause(db, 'ana')
  const all = Reflect.get(StatementSync.prototype, 'all')
  let attempts = 0
  t.mock.method(StatementSync.prototype, 'all', function busyOnce(this: StatementSync, ...values: never[]) {
    if (attempts++ % 2 === 0) throw Object.assign(new Error('database is locked'), { errcode: 5 })
    return Reflect.apply(all, this, values)
  })
  const read = { readOne: (at: PreparedQueries, email: string) => findPause(at, email), readMany: neverCalled }
  assert.deepEqual(await paused(), ['ana'])
  assert.deepEqual(await findPause(db, 'ana'), [{ email: 'ana' }])
  assert.ok((await db.readBatched(read, 'ana')) !== undefined)
  assert.equal(attempts, 6)
})

test('the timeout of a lock includes the time behind other writes', async (t) => {
  other.exec('begin immediate')
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const retries = t.mock.method(globalThis, 'setTimeout')
  const writes = Array.from({ length: 10 }, (_, n) => db.transaction((trx) => pause(trx, `n${n}`)))
  for (let n = 0; n < 10; n++) await turn()
  nowMs = 5001
  for (const write of writes) await assert.rejects(write, isSqliteUnavailable)
  assert.ok(retries.mock.callCount() < 10, 'the second and later writes were tried once')
  t.mock.restoreAll()
  other.exec('rollback')
})

test('a lock held longer than the timeout ends as unavailable, and queued transactions still run', async (t) => {
  other.exec('begin immediate')
  let nowMs = 0
  t.mock.method(performance, 'now', () => (nowMs += 1000))
  const writes = [db.transaction((trx) => pause(trx, 'refused')), db.transaction((trx) => pause(trx, 'also refused'))]
  for (const write of writes) await assert.rejects(write, isSqliteUnavailable)
  t.mock.restoreAll()
  other.exec('rollback')
  await db.transaction((trx) => pause(trx, 'next'))
  assert.deepEqual(await paused(), ['next'])
})

test('a long queue of transactions yields turns of the event loop', async () => {
  const over = new AbortController()
  const began = process.cpuUsage()
  const writes = Promise.all(
    Array.from({ length: 3000 }, (_, n) => db.transaction((trx) => pause(trx, `n${n}`))),
  ).finally(() => over.abort())
  let turns = 0
  while (!over.signal.aborted) {
    await turn()
    turns += 1
  }
  await writes
  const { user, system } = process.cpuUsage(began)
  const workMs = (user + system) / 1000
  assert.ok(turns > workMs / 25, `${turns} turns in ${workMs} ms of work`)
})

test('after a schema change by another process, each value is under its own column’s name', async () => {
  other.exec("create table things (id text, name text, v integer); insert into things values ('i', 'n', 1)")
  const all = async (at: Queries = db) => (await sql<object>`select * from things`.execute(at.query)).rows
  assert.deepEqual(await all(), [{ id: 'i', name: 'n', v: 1 }])
  other.exec("alter table things drop column name; alter table things add column x text default 'x'")
  assert.deepEqual(await all(), [{ id: 'i', v: 1, x: 'x' }])
  other.exec('alter table things rename column v to u')
  assert.deepEqual(await db.transaction(all), [{ id: 'i', u: 1, x: 'x' }])
  other.exec('drop table things')
})

test('when a transaction’s first statement fails at once, the next transaction still runs', async () => {
  await assert.rejects(
    db.transaction((trx) => sql`selec 1`.execute(trx.query)),
    /syntax error/,
  )
  await db.transaction((trx) => pause(trx, 'next'))
  assert.deepEqual(await paused(), ['next'])
})

test('every resolved write survives a crash of the process', async () => {
  const program = `
    import { openSqlite } from ${JSON.stringify(import.meta.resolve('../../../src/database/sqlite/sqlite-database.ts'))}
    const log = { debug() {}, warn() {} }
    const db = openSqlite(${JSON.stringify(path)}, { background: { log, onLost: process.exit } })
    await db.transaction((trx) => trx.query.insertInto('mail_pauses').values({ email: 'kept', paused_at_ms: 1, mailed_at_ms: null }).execute())
    console.log('written')
    setInterval(() => {}, 1000)`
  const writer = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(writer.stdout, 'data')
  writer.kill('SIGKILL')
  await once(writer, 'exit')
  assert.deepEqual(await paused(), ['kept'])
})

test('batched reads of one turn share a read transaction, and find nothing uncommitted', async (t) => {
  await pause(db, 'ana')
  const { mock } = t.mock.method(StatementSync.prototype, 'run')
  const batched: Database = openSqlite(path)
  const read = { readOne: (at: PreparedQueries, email: string) => findPause(at, email), readMany: neverCalled }
  const uncommitted = batched.transaction(async (trx) => {
    await pause(trx, 'ben')
    throw new Error('undone')
  })
  const [undone, ...rows] = await Promise.allSettled([
    uncommitted,
    ...['ana', 'ben', 'ana'].map((email) => batched.readBatched(read, email)),
  ])
  assert.equal(undone.status, 'rejected')
  assert.deepEqual(
    rows.map((row) => row.status === 'fulfilled' && row.value !== undefined),
    [true, false, true],
  )
  const begun = mock.calls.filter((call) => (call.this as StatementSync).sourceSQL === 'BEGIN')
  assert.equal(begun.length, 1)
  await batched.close()
})

test('a batched read that waits before its statement fails, and the next one runs', async () => {
  await pause(db, 'ana')
  let waits = true
  const read = {
    async readOne(at: PreparedQueries, email: string) {
      if (waits) await turn()
      return findPause(at, email)
    },
    readMany: neverCalled,
  }
  await assert.rejects(db.readBatched(read, 'ana'), TransactionMisuseError)
  waits = false
  assert.ok((await db.readBatched(read, 'ana')) !== undefined)
})

test('a read leaves no garbage that only a major collection frees', async () => {
  const usedBytes = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0
  await pause(db, 'ana')
  const READS = 10_000
  const growths: number[] = []
  for (let round = 0; round < 5; round++) {
    const usedBefore = usedBytes()
    for (let n = 0; n < READS; n++) await findPause(db, 'ana')
    growths.push((usedBytes() - usedBefore) / READS)
  }
  // The median: one round can promote what earlier tests left, and another can contain a major collection.
  const bytesPerRead = growths.toSorted((a, b) => a - b)[2]!
  assert.ok(bytesPerRead < 20, `${bytesPerRead} bytes for each read`)
})
