/** The rate_limit_windows and rate_limit_buckets tables: counts that all processes share. */
import { sql } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from './database.ts'
import { deleteBatch } from './delete-batch.ts'
import { prepared, preparedWrite } from './prepared.ts'
import type { Parameter, RowParameters } from './prepared.ts'

/** A fixed window: `most` in `windowMs`, and the first above that begins a block of `blockMs`, if not 0. */
export type AskedWindow = Readonly<{ key: string; most: number; windowMs: number; blockMs: number }>

/** A token bucket: how long one takes to come back, and all of them; and the time by its clock. */
export type AskedBucket = Readonly<{ key: string; refillMs: number; longestMs: number; nowMs: number }>

/** What is counted at once: each window once, in this order, and then the bucket. */
export type Asked = Readonly<{ windows: readonly AskedWindow[]; nowMs: number; bucket?: AskedBucket | undefined }>

/** How each stands after it, in the order asked. */
export type Counted = Readonly<{
  windows: readonly Readonly<{ isCounted: boolean; points: number; expireMs: number | null }>[]
  /** When it is full again, by its clock; null: it is. */
  bucket?: Readonly<{ isTaken: boolean; fullAtMs: number | null }> | undefined
}>

/**
 * Counts one against each window and takes one from the bucket, if all of them accept; PostgreSQL only.
 * One statement: a call costs one round trip, and nobody sees a limit that is used up and not blocked yet.
 * Calls at the same moment may count against a window though a later one refuses them, never against the bucket.
 * Locks the rows of the windows in their order, then the bucket's; of a call that is refused anyway, none.
 */
export async function countTogether(db: Queries, { windows, nowMs, bucket }: Asked): Promise<Counted> {
  const now = sql`${nowMs}::bigint`
  const { key = null, refillMs = 0, longestMs = 0, nowMs: bucketNowMs = 0 } = bucket ?? {}
  const [bucketNow, refill, takenUntil] = [bucketNowMs, refillMs, bucketNowMs + longestMs - refillMs].map(
    (milliseconds) => sql`${milliseconds}::bigint`,
  )
  const { rows } = await sql<CountRow>`
    with asked as (
      select * from unnest(
        ${windows.map((window) => window.key)}::text[],
        ${windows.map(({ most }) => most)}::int[],
        ${windows.map(({ windowMs }) => windowMs)}::bigint[],
        ${windows.map(({ blockMs }) => blockMs)}::bigint[]
      ) with ordinality as a (key, most, window_ms, block_ms, place)
    ), looked as (
      select w.key, w.points, w.expire from asked join rate_limit_windows w using (key) where w.expire > ${now}
    ), looked_bucket as (
      select full_at_ms from rate_limit_buckets where key = ${key}::text and full_at_ms > ${bucketNow}
    ), refused as (
      select 1 from asked join looked using (key) where points >= most
      union all
      select 1 from looked_bucket where full_at_ms > ${takenUntil}
    ), counted as (
      insert into rate_limit_windows as w (key, points, expire)
      select key, 1, ${now} + window_ms from asked left join looked using (key)
      where not exists (select from refused) or (block_ms > 0 and points = most)
      order by place
      on conflict (key) do update set
        points = case when w.expire <= ${now} then 1 else w.points + 1 end,
        expire = case when w.expire <= ${now} then excluded.expire else coalesce(
          (select ${now} + block_ms from asked where asked.key = w.key and block_ms > 0 and most = w.points),
          w.expire
        ) end
      returning key, points, expire
    ), taken as (
      insert into rate_limit_buckets as b (key, full_at_ms)
      select ${key}::text, ${bucketNow} + ${refill}
      where ${key}::text is not null and not exists (select from refused)
        and not exists (select from asked left join counted using (key) where points is null or points > most)
      on conflict (key) do update set full_at_ms = greatest(b.full_at_ms, ${bucketNow}) + ${refill}
      where b.full_at_ms <= ${takenUntil}
      returning full_at_ms
    )
    select place, c.key is not null as is_counted, coalesce(c.points, l.points, 0) as points,
      coalesce(c.expire, l.expire) as at_ms
    from asked left join looked l using (key) left join counted c using (key)
    union all
    select 0, t.full_at_ms is not null, 0, coalesce(t.full_at_ms, l.full_at_ms)
    from (values (1)) as bucket left join taken t on true left join looked_bucket l on true
    order by place`.execute(db.query)
  const [ofBucket, ...ofWindows] = rows
  return {
    windows: ofWindows.map(({ is_counted, points, at_ms }) => ({ isCounted: is_counted, points, expireMs: at_ms })),
    bucket: ofBucket && bucket && { isTaken: ofBucket.is_counted, fullAtMs: ofBucket.at_ms },
  }
}

type CountRow = Readonly<{ is_counted: boolean; points: number; at_ms: number | null }>

/** Both, as the rate limits take them. */
export function countStore(db: Queries) {
  return {
    count: (asked: Asked) => countTogether(db, asked),
    emptyBucket: (key: string, fullAtMs: number) => emptyBucket(db, key, fullAtMs),
  }
}

/** A token bucket of which every process takes, and how many tokens have to be there for one to be taken. */
export type AskedTokens = Readonly<{ key: string; capacity: number; refillMs: number; needed: number; nowMs: number }>

type Taking = Readonly<{ key: string; nowMs: number; refillMs: number; firstFullAtMs: number; takenUntilMs: number }>

const take = preparedWrite((query: QueryBuilder, { key, nowMs, refillMs, firstFullAtMs, takenUntilMs }: RowParameters<Taking>) =>
  query
    .insertInto('rate_limit_buckets')
    .values({ key, full_at_ms: firstFullAtMs })
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
 * Takes a token, if as many as needed are there. Locks the bucket's row.
 * @returns when as many are there, in milliseconds; `undefined`: one was taken
 */
export async function takeToken(trx: Transaction, asked: AskedTokens): Promise<number | undefined> {
  const { key, capacity, refillMs, needed, nowMs } = asked
  const takenUntilMs = nowMs + (capacity - needed) * refillMs
  const taken = await take(trx, { key, nowMs, refillMs, firstFullAtMs: nowMs + refillMs, takenUntilMs })
  return taken.length > 0 ? undefined : findWhenFilled(trx, asked)
}

/** When as many tokens as needed are there, in milliseconds; `undefined`: now. Takes none. */
export async function findWhenFilled(db: Queries, asked: AskedTokens): Promise<number | undefined> {
  const { key, capacity, refillMs, needed, nowMs } = asked
  const fullAtMs = (await readBucket(db, key))[0]?.full_at_ms ?? 0
  // Later than an empty bucket can be: the clock was set back.
  if (fullAtMs > nowMs + capacity * refillMs) await emptyBucket(db, key, nowMs + capacity * refillMs)
  const filledAtMs = Math.min(fullAtMs, nowMs + capacity * refillMs) - (capacity - needed) * refillMs
  return filledAtMs <= nowMs ? undefined : filledAtMs
}

/** Empties a bucket that a clock left fuller of debt than it can be. */
export async function emptyBucket(db: Queries, key: string, fullAtMs: number): Promise<void> {
  await db
    .query.updateTable('rate_limit_buckets')
    .set({ full_at_ms: fullAtMs })
    .where('key', '=', key)
    .where('full_at_ms', '>', fullAtMs)
    .execute()
}

/** Deletes a batch of expired windows. @returns how many; fewer than `limit`: there were no more */
export function deleteExpiredWindows(db: Queries, nowMs: number, limit: number): Promise<number> {
  return deleteBatch(db, { table: 'rate_limit_windows', key: ['key'], orderedBy: 'expire', where: (row) => row('expire', '<=', nowMs), limit })
}

/** Deletes a batch of full buckets. @returns how many; fewer than `limit`: there were no more */
export function deleteFullBuckets(db: Queries, nowMs: number, limit: number): Promise<number> {
  return deleteBatch(db, { table: 'rate_limit_buckets', key: ['key'], orderedBy: 'full_at_ms', where: (row) => row('full_at_ms', '<=', nowMs), limit })
}
