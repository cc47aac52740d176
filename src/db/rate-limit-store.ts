/** The rate_limit_windows and rate_limit_buckets tables: counts that all processes share. */
import { CompiledQuery } from 'kysely'
import type { Db } from './db.ts'

/** What rate-limiter-flexible asks of a pool of `pg`, for the queries it makes of its own. */
export type WindowClient = Readonly<{
  query(query: Readonly<{ text: string; values: readonly unknown[] }>): Promise<{ rows: unknown[]; rowCount: number }>
}>

/** The table of fixed windows, to the library that counts in it. Statements have no name: a pooler would lose it. */
export function windowClient(db: Db): WindowClient {
  return {
    async query({ text, values }) {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]))
      return { rows, rowCount: rows.length }
    },
  }
}

/** All of it, as the rate limits take it. */
export function sharedCounts(db: Db) {
  return {
    windowClient: windowClient(db),
    buckets: {
      find: (key: string) => findBucket(db, key),
      take: (key: string, at: Parameters<typeof takeFromBucket>[2]) => takeFromBucket(db, key, at),
      empty: (key: string, fullAtMs: number) => emptyBucket(db, key, fullAtMs),
    },
  }
}

/** When a bucket is full again, in milliseconds since the epoch; `undefined`: it is full. */
export async function findBucket(db: Db, key: string): Promise<number | undefined> {
  const bucket = await db.selectFrom('rate_limit_buckets').select('full_at_ms').where('key', '=', key).executeTakeFirst()
  return bucket?.full_at_ms
}

/**
 * Takes one from a bucket, in one atomic statement.
 * @param refillMs how long one takes to come back
 * @param longestMs how long an empty bucket takes to be full; one that would take longer is of a clock that was set back
 * @returns when it is full again; `undefined`: there was none to take, and none is taken
 */
export async function takeFromBucket(
  db: Db,
  key: string,
  { nowMs, refillMs, longestMs }: Readonly<{ nowMs: number; refillMs: number; longestMs: number }>,
): Promise<number | undefined> {
  const taken = await db
    .insertInto('rate_limit_buckets')
    .values({ key, full_at_ms: nowMs + refillMs })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((row) => ({
          full_at_ms: row
            .case()
            .when('rate_limit_buckets.full_at_ms', '>', nowMs)
            .then(row('rate_limit_buckets.full_at_ms', '+', refillMs))
            .else(nowMs + refillMs)
            .end(),
        }))
        .where('rate_limit_buckets.full_at_ms', '<=', nowMs + longestMs - refillMs),
    )
    .returning('full_at_ms')
    .executeTakeFirst()
  return taken?.full_at_ms
}

/** Empties a bucket that a clock left fuller of debt than it can be. */
export async function emptyBucket(db: Db, key: string, fullAtMs: number): Promise<void> {
  await db
    .updateTable('rate_limit_buckets')
    .set({ full_at_ms: fullAtMs })
    .where('key', '=', key)
    .where('full_at_ms', '>', fullAtMs)
    .execute()
}

/**
 * Takes some counts out that are over, and passes over those that somebody counts in just now.
 * @returns how many; fewer than `limit`: there were no more
 */
export async function deleteExpiredWindows(db: Db, nowMs: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .with('windows_over', (over) =>
      over
        .selectFrom('rate_limit_windows')
        .select('key')
        .where('expire', '<=', nowMs)
        .orderBy('expire')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('rate_limit_windows')
    .where('key', 'in', (over) => over.selectFrom('windows_over').select('key'))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * Takes some buckets out that are full, in the same way.
 * @returns how many; fewer than `limit`: there were no more
 */
export async function deleteFullBuckets(db: Db, nowMs: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .with('full_buckets', (full) =>
      full
        .selectFrom('rate_limit_buckets')
        .select('key')
        .where('full_at_ms', '<=', nowMs)
        .orderBy('full_at_ms')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('rate_limit_buckets')
    .where('key', 'in', (full) => full.selectFrom('full_buckets').select('key'))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
