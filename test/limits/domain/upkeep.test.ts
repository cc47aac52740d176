/** Expired rows are swept in small batches: calls continue meanwhile, and neither side waits for the other's locks. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { KyselyPlugin } from 'kysely'
import { openTarget } from '../../../scripts/seed-target.ts'
import type { Rows } from '../../../scripts/seed-target.ts'
import { deleteEventsBefore } from '../../../src/domain/events/event-store.ts'
import { deleteAnswersBefore } from '../../../src/domain/idempotency/idempotency-store.ts'
import { deleteExpiredLinks } from '../../../src/domain/sign-in/magic-link-store.ts'
import { deleteExpiredSignIns } from '../../../src/domain/sign-in/sign-in-store.ts'
import { deleteExpiredCredentials } from '../../../src/domain/sign-in/spent-credential-store.ts'
import type { Database, Queries } from '../../../src/database/database.ts'
import { deleteExpiredWindows, deleteFullBuckets } from '../../../src/database/rate-limit-store.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { database as locationOf } from '../../../src/config/parsers.ts'
import { deleteExpiredButtons, deleteOldPauses } from '../../../src/domain/mails/mail-button-store.ts'
import { upkeep } from '../../../src/domain/upkeep.ts'
import { clusterUrl, openAt } from '../../support/database/database.ts'
import { signInRow } from '../../support/accounts/rows.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { userOf } from '../../support/database/state.ts'
import { upkeepAtOnce } from '../../support/process/upkeep-process.ts'
import { withPlugin } from '../../support/database/with-plugin.ts'

const DAY_MS = 24 * 3600 * 1000
const onPostgres = clusterUrl !== undefined
const email = 'ana@example.com'

let service: Service
let token: string
let userId: string
/** Retention of events, and of pauses of addresses without an account. */
let keptMs: number
before(async () => {
  service = await startService()
  token = await service.signIn(email)
  userId = (await userOf(service.db, email)).id
  keptMs = service.deps.config.eventsKeepDays * DAY_MS
})
after(() => service.close())

const swept = [
  'security_events',
  'sign_ins',
  'magic_links',
  'spent_credentials',
  'mail_buttons',
  'rate_limit_windows',
  'rate_limit_buckets',
  'mail_pauses',
  'idempotency_keys',
] as const

let made = 0

/** Adds `count` rows to each swept table. They expired by `expiredSinceMs`, each at its own time. */
async function addRows(count: number, expiredSinceMs: number): Promise<void> {
  const some = Array.from({ length: count }, (_, n) => ({ key: sha256(`${made + n}`), atMs: expiredSinceMs - n }))
  made += count
  const answer = { user_id: userId, request_hash: '', answer: '{}' }
  const button = { action: 'not_me', email, mail_kind: 'sign_in', mailed_at_ms: 0 }
  const rows: Record<(typeof swept)[number], Rows> = {
    security_events: some.map(({ key, atMs }) => ({
      id: key,
      user_id: userId,
      type: 'signed_in',
      at_ms: atMs - keptMs - 1,
      times: 1,
    })),
    sign_ins: some.map(({ key, atMs }) => ({ ...signInRow(key, { expires_at_ms: atMs - 7 * DAY_MS }) })),
    magic_links: some.map(({ key, atMs }) => ({ token_hash: key, email, expires_at_ms: atMs })),
    spent_credentials: some.map(({ key, atMs }) => ({ hash: key, expires_at_ms: atMs - DAY_MS - 1 })),
    mail_buttons: some.map(({ key, atMs }) => ({ ...button, token_hash: key, expires_at_ms: atMs })),
    rate_limit_windows: some.map(({ key, atMs }) => ({ key, points: 1, expire: atMs })),
    rate_limit_buckets: some.map(({ key, atMs }) => ({ key, full_at_ms: atMs })),
    idempotency_keys: some.map(({ key, atMs }) => ({ ...answer, key_hash: key, created_at_ms: atMs - DAY_MS })),
    mail_pauses: some.map(({ key, atMs }) => ({ email: `${key}@example.com`, paused_at_ms: atMs - keptMs - 1 })),
  }
  const target = await openTarget(locationOf(service.databaseUrl))
  for (const table of swept) await target.write(table, rows[table])
  await target.finish()
  await target.close()
}

async function countsOf(db: Database): Promise<number[]> {
  const counts: number[] = []
  for (const table of swept) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db.query)
    counts.push(rows[0]?.count ?? -1)
  }
  return counts
}

type Statement = Readonly<{ tookMs: number; rows: number }>

/**
 * The database with the duration and the changed rows of each statement recorded.
 * @param onSweep is called after each statement that changed rows
 */
function timed(db: Database, onSweep: () => void = () => {}): { db: Database; statements: Statement[] } {
  const statements: Statement[] = []
  const begun = new WeakMap<object, number>()
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      begun.set(queryId, performance.now())
      return node
    },
    async transformResult({ result, queryId }) {
      const tookMs = performance.now() - (begun.get(queryId) ?? 0)
      const rows = Number(result.numAffectedRows ?? 0n)
      statements.push({ tookMs, rows })
      if (rows > 0) onSweep()
      return result
    },
  }
  return { db: withPlugin(db, plugin), statements }
}

/** Calls a protected endpoint from several clients until `work` is done; returns the sorted durations. */
async function callDuring(work: Promise<unknown>): Promise<number[]> {
  const finished = new AbortController()
  const took: number[] = []
  const client = async () => {
    while (!finished.signal.aborted) {
      const fromMs = performance.now()
      const { status, text } = await service.call('GET /users/me', { token })
      assert.equal(status, 200, text)
      took.push(performance.now() - fromMs)
    }
  }
  const clients = [client(), client(), client(), client()]
  await work.finally(() => finished.abort())
  await Promise.all(clients)
  return took.sort((a, b) => a - b)
}

test('thousands of rows are swept in batches of 40 while protected calls continue', async (t) => {
  const each = 400
  const found = await countsOf(service.db)
  await addRows(each, service.clock.now())
  await addRows(10, service.clock.now() + 1000)
  const { db, statements } = timed(service.db)
  const startMs = performance.now()
  const took = await callDuring(upkeep({ ...service.deps, db }))
  const wholeMs = performance.now() - startMs
  assert.deepEqual(
    await countsOf(service.db),
    found.map((count) => count + 10),
    'unexpired rows stay',
  )

  const sweeps = statements.filter(({ rows }) => rows > 0)
  assert.equal(Math.max(...sweeps.map(({ rows }) => rows)), 40)
  assert.equal(sweeps.length, (each / 40) * swept.length)
  const slowestMs = Math.max(...sweeps.map(({ tookMs }) => tookMs))
  const p99Ms = took[Math.floor(took.length * 0.99)] ?? Infinity
  t.diagnostic(`slowest batch ${slowestMs.toFixed(1)} ms; ${took.length} calls, p99 ${p99Ms.toFixed(1)} ms`)
  // As one statement, the sweep would take nearly all of the time, and calls would wait as long.
  assert.ok(slowestMs < wholeMs / 2, `a batch took ${slowestMs} of ${wholeMs} ms`)
  assert.ok(took.length > 20, `only ${took.length} calls`)
  assert.ok(p99Ms < wholeMs / 2, `a call took ${p99Ms} of ${wholeMs} ms`)
})

test('a sweep ends when the service stops, and the next one does the rest', async () => {
  const { db, clock, deps } = service
  const found = await countsOf(db)
  await addRows(100, clock.now())
  const stopping = new AbortController()
  const stopped = timed(db, () => stopping.abort())
  await upkeep({ ...deps, db: stopped.db }, stopping.signal)
  assert.deepEqual(
    stopped.statements.map(({ rows }) => rows).filter((rows) => rows > 0),
    [40],
  )
  await upkeep(deps)
  assert.deepEqual(await countsOf(db), found)
})

test('two concurrent processes sweep everything without an error', async () => {
  const found = await countsOf(service.db)
  await addRows(240, service.clock.now())
  await upkeepAtOnce(service.databaseUrl, service.clock.now(), 2)
  assert.deepEqual(await countsOf(service.db), found)
})

test('a sweep skips rows that another transaction has locked', async (t) => {
  if (!onPostgres) return t.skip('SQLite has one writer at a time')
  const { clock, db } = service
  const found = await countsOf(db)
  await addRows(30, clock.now())
  const nowMs = clock.now()
  const sweeps: readonly ((db: Queries) => Promise<number>)[] = [
    (of) => deleteEventsBefore(of, nowMs - keptMs, 20),
    (of) => deleteExpiredSignIns(of, nowMs - 7 * DAY_MS, 20),
    (of) => deleteExpiredLinks(of, nowMs, 20),
    (of) => deleteExpiredCredentials(of, nowMs - DAY_MS, 20),
    (of) => deleteExpiredButtons(of, nowMs, 20),
    (of) => deleteExpiredWindows(of, nowMs, 20),
    (of) => deleteFullBuckets(of, nowMs, 20),
    (of) => deleteOldPauses(of, nowMs - keptMs, 20),
    (of) => deleteAnswersBefore(of, nowMs - DAY_MS, 20),
  ]
  const other = openAt(service.databaseUrl)
  for (const [index, sweep] of sweeps.entries()) {
    await other.transaction(async (trx) => {
      assert.equal(await sweep(trx), 20, `${swept[index]}`)
      // The other transaction is open until this ends, so waiting for it would never end.
      assert.equal(await sweep(db), 10, `${swept[index]}`)
    })
  }
  await other.close()
  assert.deepEqual(await countsOf(db), found)
})

test('an account with too many events loses the oldest, and no other account does', async () => {
  await service.signIn('pam@example.com')
  await service.signIn('quin@example.com')
  const [{ id: pamId }, other] = [
    await userOf(service.db, 'pam@example.com'),
    await userOf(service.db, 'quin@example.com'),
  ]
  const nowMs = service.clock.now()
  for (const id of [pamId, other.id]) {
    await sql`with recursive series(n) as (select 1 union all select n + 1 from series where n < cast(${id === pamId ? 100_250 : 300} as integer))
      insert into security_events (id, user_id, type, at_ms, times) select cast(${id} as text) || '-' || cast(n as text), ${id}, 'limit_hit', ${nowMs} - cast(n as bigint), 1 from series`.execute(
      service.db.query,
    )
  }
  await upkeep(service.deps)
  const left = async (id: string) =>
    service.db.query
      .selectFrom('security_events')
      .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min('at_ms').as('oldest')])
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow()
  assert.deepEqual([(await left(pamId)).count, (await left(pamId)).oldest], [100_000, nowMs - 99_998])
  assert.equal((await left(other.id)).count, 302)
})

test('a run looks at no events that are added meanwhile: there might always be more', async () => {
  let queries = 0
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      queries += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const deps = { ...service.deps, db: withPlugin(service.db, counting) }
  await upkeep(deps)
  const queriesBefore = queries
  await sql`with recursive series(n) as (select 1 union all select n + 1 from series where n < 4000)
    insert into security_events (id, user_id, type, at_ms, times) select 'later-' || cast(n as text), ${userId}, 'limit_hit', ${service.clock.now()} + cast(n as bigint), 1 from series`.execute(
    service.db.query,
  )
  await upkeep(deps)
  const more = queries - queriesBefore - queriesBefore
  assert.ok(more < 10, `${more} more queries, of 40 events each`)
})
