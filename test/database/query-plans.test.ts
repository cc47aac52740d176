/** Every query of every store uses an index: no growing table is scanned. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { seed } from '../../scripts/seed.ts'
import { openTarget } from '../../scripts/seed-target.ts'
import type { Rows } from '../../scripts/seed-target.ts'
import { findEventsOfTypes } from '../../src/domain/events/event-store.ts'
import { findTokenState } from '../../src/domain/users/user-token-state-store.ts'
import { sha256 } from '../../src/lib/hash.ts'
import { database as locationOf } from '../../src/config/parsers.ts'
import { clusterUrl, openNewDatabase } from '../support/database/database.ts'
import type { OpenedDatabase } from '../support/database/database.ts'
import { indexesOf, recorded, statementsOf, wholeReadsOf } from '../support/database/query-plans.ts'
import { storeCalls, stores } from '../support/database/store-calls.ts'
import type { StoreCalls } from '../support/database/store-calls.ts'

const DAY_MS = 24 * 3600 * 1000
const nowMs = Date.UTC(2030, 0, 1)
const onPostgres = clusterUrl !== undefined
// PostgreSQL rightly scans small tables; on the embedded database the plans depend on the indexes alone.
const users = onPostgres ? 10_000 : 200

/** Functions without a statement of their own. */
const askNothing = new Set(['newMail', 'statusOfPaymentLink', 'identitiesBefore'])
/** Functions that the embedded database never runs, because it counts in memory. */
const onServersOnly = new Set(['takeFromAll'])

/** Functions that sort one account's keys, which are few. */
const sortFew = new Set(['findKeysOfUser'])

let database: OpenedDatabase
let calls: Record<string, StoreCalls>

before(async () => {
  database = await openNewDatabase()
  const { db } = database
  const target = await openTarget(locationOf(database.url))
  await seed(target, { users, keys: users, seed: 1, nowMs })
  // More rows than in a healthy service: the day after an outage and an attack.
  const some = Array.from({ length: users }, (_, n) => ({
    n,
    email: `somebody-${n}@example.com`,
    atMs: nowMs + (n - users / 2) * 1000,
  }))
  const mail = { kind: 'signup_notice', locale: 'en', attempts: 0, created_at_ms: nowMs }
  const rows: Record<string, Rows> = {
    queued_mails: some.map(({ n, email, atMs }) => ({ ...mail, id: `m${n}`, email, due_at_ms: atMs })),
    spelled_mailboxes: some.map(({ n, email }) => ({ email, mailbox: `mailbox-${n}@example.com` })),
    mail_pauses: some.map(({ email, atMs }) => ({ email, paused_at_ms: atMs - 365 * DAY_MS })),
    magic_links: some.map(({ n, email, atMs }) => ({ token_hash: sha256(`${n}`), email, expires_at_ms: atMs })),
    spent_credentials: some.map(({ n, atMs }) => ({ hash: sha256(`${n}`), expires_at_ms: atMs - DAY_MS })),
    rate_limit_windows: some.map(({ n, atMs }) => ({ key: `window-${sha256(`${n}`)}`, points: 1, expire: atMs })),
    rate_limit_buckets: some.map(({ n, atMs }) => ({ key: sha256(`${n}`), full_at_ms: atMs })),
    account_changes: some.map(({ n, atMs }) => ({ user_id: `u${n}`, kind: 'deleted', at_ms: atMs, position: atMs })),
  }
  const ids = await db.query.selectFrom('users').select(['id', 'claimed_at_ms']).orderBy('id').execute()
  const link = {
    title: 'Lunch',
    amount: 1050,
    currency: 'RON',
    expires_at_ms: null,
    deactivated_at_ms: null,
    claimed_at_ms: null,
  }
  const ownerOf = (n: number) => ids[n % 20]?.id ?? ''
  rows['payment_links'] = some.map(({ n, atMs }) => ({
    ...link,
    id: `p${n}`,
    user_id: ownerOf(n),
    api_key_id: null,
    reference: `INV-${n}`,
    created_at_ms: atMs,
  }))
  rows['idempotency_keys'] = some.map(({ n, atMs }) => ({
    user_id: ownerOf(n),
    key_hash: sha256(`${n}`),
    request_hash: '',
    answer: '{}',
    created_at_ms: atMs,
  }))
  rows['address_changes'] = some.map(({ n, email, atMs }) => ({
    id: `c${n}`,
    user_id: ownerOf(n),
    old_email: email,
    new_email: `new-${email}`,
    sign_in_id: `s${n}`,
    token_version: n,
    asked_at_ms: atMs,
    expires_at_ms: atMs,
    confirmed_at_ms: atMs,
    undo_until_ms: atMs + 7 * DAY_MS,
    identities: '[]',
    kept_until_ms: atMs + 7 * DAY_MS,
    deletion_asked_at_ms: n % 100 === 0 ? atMs : null,
  }))
  rows['authorization_requests'] = some.map(({ n, atMs }) => ({
    id: `r${n}`,
    user_id: ownerOf(n),
    client_id: 'https://client.example/client.json',
    redirect_uri: 'https://client.example/callback',
    code_challenge: '',
    scope: 'account:read',
    resource: 'api',
    expires_at_ms: atMs,
    code_hash: sha256(`${n}`),
  }))
  // Twenty-seven years of banking days.
  const day = (n: number) => new Date(nowMs - n * DAY_MS).toISOString().slice(0, 10)
  rows['exchange_rates'] = ['EUR', 'GBP'].flatMap((currency) =>
    some.map(({ n }) => ({ currency, date: day(n), ron_per_unit: '5' })),
  )
  for (const [table, those] of Object.entries(rows)) await target.write(table, those)
  await target.finish()
  await target.close()
  calls = await storeCalls(db, nowMs)
})
after(() => database.close())

/** Statements that read too much, by function. */
async function wholeReads(of: Record<string, StoreCalls>): Promise<string[]> {
  const { db } = database
  const found: string[] = []
  for (const functions of Object.values(of)) {
    for (const [name, some] of Object.entries(functions)) {
      if (!onPostgres && onServersOnly.has(name)) continue
      for (const call of [some].flat()) {
        const statements = await statementsOf(db, call)
        assert.ok(statements.length > 0, `${name} asks nothing`)
        for (const statement of statements) {
          const reads = (await wholeReadsOf(db, statement, onPostgres)).filter(
            (read) => !sortFew.has(name) || !/ORDER BY/.test(read),
          )
          found.push(...reads.map((read) => `${name}: ${read}`))
        }
      }
    }
  }
  return found
}

test('the list of calls includes every function of every store', () => {
  assert.deepEqual(Object.keys(stores).sort(), globSync('src/**/*-store.ts').sort())
  for (const [file, store] of Object.entries(stores)) {
    const functions = Object.entries(store).filter(
      ([name, value]) => typeof value === 'function' && !askNothing.has(name),
    )
    assert.deepEqual(Object.keys(calls[file] ?? {}).sort(), functions.map(([name]) => name).sort(), file)
  }
})

test('no query scans a growing table, or sorts all that an index finds to return a few', async () => {
  assert.deepEqual(await wholeReads(calls), [])
})

test('the events of a type are found by an index that has the type', async () => {
  const [statement] = await statementsOf(database.db, (trx) =>
    findEventsOfTypes(trx, 'u1', { after: { atMs: nowMs, id: 'e1' }, limit: 51, types: ['not_me', 'renamed'] }),
  )
  assert.ok(statement)
  assert.deepEqual(await indexesOf(database.db, statement, onPostgres), ['security_events_of_kind'])
})

test('the batched query for many protected calls does neither', async (t) => {
  if (!onPostgres) return t.skip('the embedded database is asked call by call')
  const { db } = database
  const tokens = await db.query.selectFrom('api_keys').select(['id', 'user_id']).limit(10).execute()
  const statements = await recorded(db, (recording) =>
    Promise.all(
      tokens.map(({ id, user_id }) =>
        findTokenState(recording, { userId: user_id, apiKeyId: id, signInId: null, nowMs: 0 }),
      ),
    ),
  )
  assert.equal(statements.length, 1)
  for (const statement of statements) {
    assert.deepEqual(await wholeReadsOf(db, statement, onPostgres), [], statement.sql)
  }
})

test('a missing index is detected', async () => {
  await sql`drop index magic_links_by_expiry`.execute(database.db.query)
  const found = await wholeReads(calls)
  assert.ok(found.length > 0)
  assert.deepEqual(new Set(found.map((read) => read.split(':')[0])), new Set(['deleteExpiredLinks']))
})
