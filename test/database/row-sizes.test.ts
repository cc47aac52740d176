/** The bytes per row that docs/retention.md states, with all indexes, are those of the real schema. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../../src/database/database.ts'
import type { Tables } from '../../src/database/tables/tables.ts'
import { newKeyId } from '../../src/domain/keys/key-secret.ts'
import { sha256 } from '../../src/lib/hash.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { keyRow, signInRow, userRow } from '../support/accounts/rows.ts'
import { clusterUrl, openNewDatabase } from '../support/database/database.ts'

const ROWS = 1500
const BATCH = 100
const DAY_MS = 24 * 3600 * 1000
const nowMs = Date.UTC(2030, 0, 1)
const column = clusterUrl === undefined ? 1 : 2
const page = readFileSync(new URL('../../docs/retention.md', import.meta.url), 'utf8')

const { uuid } = systemRandom
const owners = Array.from({ length: ROWS }, () => uuid())
const ownerOf = (n: number) => owners[(n * 7919) % ROWS] ?? ''
const atMs = (n: number) => nowMs - (ROWS - n) * 60_000

/** In the order of the page's table. */
const rows: Readonly<Record<string, (n: number) => Partial<{ [T in keyof Tables]: Tables[T] }>>> = {
  account: (n) => ({
    users: userRow(owners[n] ?? '', {
      email: `firstname.lastname-${n}@example.com`,
      name: 'Firstname Lastname',
      claimed_at_ms: atMs(n),
      created_at_ms: atMs(n),
    }),
  }),
  'Google identity': (n) => ({
    identities: {
      issuer: 'https://accounts.google.com',
      subject: `1101694844742763${10_000 + n}`,
      user_id: ownerOf(n),
      email: `firstname.lastname-${n}@example.com`,
      connected_at_ms: atMs(n),
      sign_in_id: uuid(),
    },
  }),
  'API key with its maker': (n) => {
    const id = uuid()
    return {
      api_keys: keyRow(id, {
        user_id: ownerOf(n),
        name: 'Production',
        key_id: newKeyId(systemRandom),
        secret_hash: sha256(id),
        created_at_ms: atMs(n),
        last_used_at_ms: atMs(n),
        last_used_network: '203.0.113.9',
      }),
      key_makers: {
        id: `${id} created ${uuid()} 20000`,
        user_id: ownerOf(n),
        key_id: id,
        how: 'created',
        maker_key_id: null,
        sign_in_id: uuid(),
        at_ms: atMs(n),
        last_at_ms: atMs(n),
      },
    }
  },
  'revoked key, swept': (n) => ({ revoked_keys: { id: uuid(), revoked_at_ms: atMs(n) } }),
  'security event': (n) => ({
    security_events: {
      id: uuid(),
      user_id: ownerOf(n),
      type: 'signed_in',
      at_ms: atMs(n),
      client: '203.0.113.9',
      api_key_id: null,
      by_api_key_id: null,
      sign_in_id: uuid(),
      by_sign_in_id: null,
      detail: 'magic_link',
      times: 1,
      browser: 'Chrome on Windows',
    },
  }),
  'sign-in': (n) => ({
    sign_ins: signInRow(uuid(), {
      user_id: ownerOf(n),
      created_at_ms: atMs(n),
      expires_at_ms: atMs(n) + 7 * DAY_MS,
      last_seen_at_ms: atMs(n),
    }),
  }),
  'payment link': (n) => ({
    payment_links: {
      id: uuid(),
      user_id: ownerOf(n),
      api_key_id: uuid(),
      title: 'Website design',
      reference: `INV-2030-${n}`,
      amount: 245_000,
      currency: 'RON',
      created_at_ms: atMs(n),
      expires_at_ms: nowMs + 30 * DAY_MS,
      deactivated_at_ms: null,
      claimed_at_ms: atMs(0),
    },
  }),
  'deleted account': (n) => {
    const id = uuid()
    return {
      users: userRow(id, { email: id, name: null, locale: null, claimed_at_ms: null, deleted_at_ms: atMs(n) }),
    }
  },
  'exchange rates of a day': (n) => ({
    exchange_rates: { currency: 'EUR', date: new Date(n * DAY_MS).toISOString().slice(0, 10), ron_per_unit: '4.9770' },
  }),
}

async function bytesOf(db: Database): Promise<number> {
  const size =
    clusterUrl === undefined
      ? sql<{ bytes: number }>`select (page_count - freelist_count) * page_size as bytes
          from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select sum(pg_total_relation_size(oid))::bigint as bytes
          from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`
  return Number((await size.execute(db.query)).rows[0]?.bytes)
}

test('a row of each kind takes the bytes that the page states, give or take a quarter', async (t) => {
  const { db, close } = await openNewDatabase()
  try {
    for (const [name, rowOf] of Object.entries(rows)) {
      const before = await bytesOf(db)
      await db.transaction(async (trx) => {
        for (let n = 0; n < ROWS; n += BATCH) {
          const batch = Array.from({ length: BATCH }, (_, of) => rowOf(n + of))
          for (const table of Object.keys(batch[0] ?? {}) as (keyof Tables)[])
            await trx.query
              .insertInto(table as 'users')
              .values(batch.map((row) => row[table] as never))
              .execute()
        }
      })
      const perDay = name === 'exchange rates of a day' ? 2 : 1
      const bytes = (perDay * ((await bytesOf(db)) - before)) / ROWS
      t.diagnostic(`${name}: ${bytes.toFixed(0)} bytes`)
      const line = page.split('\n').find((one) => one.startsWith(`| ${name} |`))
      const stated = Number(line?.split('|')[column + 1]?.trim().replace(',', ''))
      assert.ok(Math.abs(stated - bytes) <= bytes / 4, `${name}: ${bytes} bytes, the page states ${stated}`)
    }
  } finally {
    await close()
  }
})
