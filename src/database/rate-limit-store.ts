/** The rate_limit_buckets table: token buckets shared by all processes. lib/token-bucket.ts computes the times. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { fullAtAfter, latestFullAt, stateOf } from '../lib/token-bucket.ts'
import type { BucketState, Take } from '../lib/token-bucket.ts'
import type { Queries, QueryBuilder, Transaction } from './database.ts'
import { deleteBatch } from './delete-batch.ts'
import { prepared, preparedInTransaction } from './prepared.ts'
import type { Parameter, RowParameters } from './prepared.ts'

/**
 * Takes a token from each bucket unless one of them refuses, in one round trip; PostgreSQL only. A call that is refused
 * because of concurrent calls may take tokens from all buckets but the last. Locks the rows in the order of the takes;
 * a call refused by the stored state locks none.
 */
export async function takeFromAll(db: Queries, takes: readonly Take[]): Promise<BucketState[]> {
  const last = takes.length
  const timesOf = (timeOf: (take: Take) => number | undefined) => sql`${takes.map(timeOf)}::bigint[]`
  const { rows } = await sql<Readonly<{ found_ms: number; taken_ms: number | null }>>`
    with takes as (
      select * from unnest(
        ${takes.map(({ key }) => key)}::text[],
        ${timesOf(({ nowMs }) => nowMs)},
        ${timesOf(({ refillMs }) => refillMs)},
        ${timesOf(({ takenUntilMs }) => takenUntilMs)},
        ${timesOf(({ lastFullAtMs }) => lastFullAtMs)},
        ${timesOf((take) => fullAtAfter(take, 0))}
      ) with ordinality as t (key, now_ms, refill_ms, taken_until_ms, last_ms, of_full_ms, place)
    ), found as (
      select key, full_at_ms, full_at_ms > taken_until_ms as is_refused from takes join rate_limit_buckets using (key)
    ), refused as (
      select from found where is_refused
    ), before as (
      ${takeIf(sql`place < ${last}`)}
    ), at_last as (
      ${takeIf(sql`place = ${last} and (select count(*) from before) = ${last - 1}`)}
    ), taken as (
      select * from before union all select * from at_last
    )
    select coalesce(found.full_at_ms, 0) as found_ms, taken.full_at_ms as taken_ms
    from takes left join found using (key) left join taken using (key) order by place`.execute(db.query)
  const results = takes.map((take, index) => ({
    take,
    foundMs: rows[index]?.found_ms ?? 0,
    takenMs: rows[index]?.taken_ms ?? undefined,
  }))
  const isRefused = results.some(({ take, foundMs }) => foundMs > take.takenUntilMs)
  const areOthersTaken = results.slice(0, -1).every(({ takenMs }) => takenMs !== undefined)
  return Promise.all(
    results.map(async ({ take, foundMs, takenMs }, index) => {
      const latestMs = latestFullAt(take)
      if (foundMs > latestMs) await lowerFullAt(db, take.key, latestMs)
      // A concurrent call took the last token.
      const isLost = takenMs === undefined && !isRefused && (index < last - 1 || areOthersTaken)
      return stateOf(take, { foundMs: isLost ? latestMs : Math.min(foundMs, latestMs), takenMs })
    }),
  )
}

// `fullAtAfter` in SQL, on the rows of `takes`.
const takeIf = (condition: RawBuilder<unknown>) => sql`
  insert into rate_limit_buckets as b (key, full_at_ms)
  select key, of_full_ms from takes where not exists (select from refused) and ${condition} order by place
  on conflict (key) do update set full_at_ms = (
    select case when next_ms > taken_until_ms then greatest(next_ms, last_ms) else next_ms end
    from (select *, greatest(b.full_at_ms, now_ms) + refill_ms as next_ms from takes where takes.key = b.key) as take
  )
  where b.full_at_ms <= (select taken_until_ms from takes where takes.key = b.key)
  returning key, full_at_ms`

const take = preparedInTransaction((query: QueryBuilder, { key, nowMs, refillMs, takenUntilMs }: RowParameters<Take>) =>
  query
    .insertInto('rate_limit_buckets')
    .values({ key, full_at_ms: sql<number>`cast(${nowMs} as bigint) + cast(${refillMs} as bigint)` })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          full_at_ms: sql<number>`case when rate_limit_buckets.full_at_ms > ${nowMs} then rate_limit_buckets.full_at_ms else ${nowMs} end + ${refillMs}`,
        })
        .where('rate_limit_buckets.full_at_ms', '<=', takenUntilMs),
    )
    .returning('full_at_ms'),
)

const readBucket = prepared((query: QueryBuilder, key: Parameter<string>) =>
  query.selectFrom('rate_limit_buckets').select('full_at_ms').where('key', '=', key),
)

/**
 * Takes one token if the needed number is available. Locks the bucket's row. Ignores `blockSeconds`.
 * @returns when enough tokens will be available, in epoch milliseconds; `undefined`: one was taken
 */
export async function takeToken(trx: Transaction, asked: Take): Promise<number | undefined> {
  return (await take(trx, asked)).length > 0 ? undefined : findWhenAvailable(trx, asked)
}

/** When the needed number of tokens is available, in epoch milliseconds; `undefined`: now. Takes none. */
export async function findWhenAvailable(db: Queries, asked: Take): Promise<number | undefined> {
  const foundMs = (await readBucket(db, asked.key))[0]?.full_at_ms ?? 0
  const fullAtMs = Math.min(foundMs, latestFullAt(asked))
  if (foundMs > fullAtMs) await lowerFullAt(db, asked.key, fullAtMs)
  return fullAtMs <= asked.takenUntilMs ? undefined : fullAtMs - asked.takenUntilMs + asked.nowMs
}

/** Lowers a full-at time that was stored before the clock was set back. */
export async function lowerFullAt(db: Queries, key: string, fullAtMs: number): Promise<void> {
  await db.query
    .updateTable('rate_limit_buckets')
    .set({ full_at_ms: fullAtMs })
    .where('key', '=', key)
    .where('full_at_ms', '>', fullAtMs)
    .execute()
}

/**
 * Deletes counters of earlier versions, which nothing writes.
 * @returns the number of deleted rows; fewer than `limit` when no more exist
 */
export function deleteExpiredWindows(db: Queries, nowMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'rate_limit_windows',
    key: ['key'],
    orderedBy: 'expire',
    where: (row) => row('expire', '<=', nowMs),
    limit,
  })
}

/** @returns the number of deleted rows; fewer than `limit` when no more exist */
export function deleteFullBuckets(db: Queries, nowMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'rate_limit_buckets',
    key: ['key'],
    orderedBy: 'full_at_ms',
    where: (row) => row('full_at_ms', '<=', nowMs),
    limit,
  })
}
