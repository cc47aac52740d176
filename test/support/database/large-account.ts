import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Queries } from '../../../src/database/database.ts'
import { MAX_KEYS_ON_RECORD } from '../../../src/domain/keys/key-history.ts'
import { newKeyId, newKeySecret } from '../../../src/domain/keys/key-secret.ts'
import { MAX_NETWORKS } from '../../../src/domain/keys/restrictions/restrictions.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { systemRandom } from '../../../src/lib/random.ts'

export type AccountSize = Readonly<{ keys: number; makers: number; events: number; links: number; answers: number }>

/** The first `LIVE` keys work. Most of the others are revoked or expired. */
export const LIVE = 15
/** The next `WAITING` keys await the owner's decision. */
const WAITING = 5

/** On a busy machine, inserting a million rows in one statement exceeds the statement timeout. */
const ROWS_PER_STATEMENT = 50_000

const DAY_MS = 24 * 3600 * 1000

export type LargeAccount = Readonly<{
  id: string
  email: string
  /** The record id of a key; the first `LIVE` have credentials. */
  keyId(n: number): string
  credentials: readonly Readonly<{ keyId: string; keySecret: string }>[]
  linkId(n: number): string
}>

/** Key 0 made all other keys, which also made each other. `isClaimed`: whether the address is proven. */
export async function makeLargeAccount(
  db: Queries,
  name: string,
  size: AccountSize,
  { nowMs, isClaimed = true }: Readonly<{ nowMs: number; isClaimed?: boolean }>,
): Promise<LargeAccount> {
  const id = `user-${name}`
  // Literals: PostgreSQL types a parameter in a VALUES list as text.
  const now = sql.lit(nowMs)
  const yesterday = sql.lit(nowMs - DAY_MS)
  const claimedAtMs = isClaimed ? sql.lit(nowMs - 200 * DAY_MS) : sql`cast(null as bigint)`
  const email = `${name}@example.com`
  await sql`insert into users (id, email, role, name, token_version, claimed_at_ms, created_at_ms)
    values (${id}, ${email}, 'USER', 'Ana', 0, ${claimedAtMs}, ${nowMs - 300 * DAY_MS})`.execute(db.query)
  const text = (prefix: string, n = sql`n`) => sql`${sql.lit(`${name}-${prefix}-`)} || cast(${n} as text)`
  // Spread evenly over half a year, ending at the current time.
  const atMs = (count: number) =>
    sql`${now} - cast(n as bigint) * ${sql.lit(Math.floor((180 * DAY_MS) / Math.max(count, 1)))}`
  const fill = async (table: string, columns: string, count: number, values: RawBuilder<unknown>) => {
    for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
      const until = Math.min(count, from + ROWS_PER_STATEMENT)
      await sql`with recursive series(n) as (select ${sql.lit(from)} union all select n + 1 from series where n + 1 < ${sql.lit(until)})
        insert into ${sql.table(table)} (${sql.raw(columns)}) select ${values} from series`.execute(db.query)
    }
  }

  const creator = text('key', sql`n / 2`)
  // As many networks as a key may have, and others for each key.
  const networks = Array.from(
    { length: MAX_NETWORKS - 1 },
    (_, k) => sql`'"10.' || n % 250 || '.${sql.raw(String(k))}.0/24"'`,
  )
  const restrictions = sql`'{"networks":["127.0.0.0/8",' || ${sql.join(networks, sql` || ',' || `)} || ']}'`
  // As many keys as an account may have; key 0 is changed.
  const restrictionsOfMost = sql`case when n between 1 and ${sql.lit(MAX_KEYS_ON_RECORD - 1)} then ${restrictions} end`
  await fill(
    'api_keys',
    'id, user_id, name, key_id, secret_hash, created_at_ms, awaits_owner_at_ms, revoked_at_ms, expires_at_ms, creator_id, family_id, restrictions, effective_restrictions',
    size.keys,
    sql`
    ${text('key')}, ${id}, 'A key', ${text('plk')}, ${text('hash')}, ${atMs(size.keys)},
    case when n between ${LIVE} and ${LIVE + WAITING - 1} then ${now} end,
    case when n >= ${LIVE + WAITING} and n % 3 > 0 then ${atMs(size.keys)} end,
    case when n >= ${LIVE + WAITING} and n % 3 = 0 then ${atMs(size.keys)} end,
    case when n > 0 then ${creator} end, case when n > 0 then ${text('key', sql.lit(0))} end,
    ${restrictionsOfMost}, ${restrictionsOfMost}`,
  )
  const credentials = Array.from({ length: LIVE }, () => ({
    keyId: newKeyId(systemRandom),
    keySecret: newKeySecret(systemRandom),
  }))
  for (const [n, { keyId, keySecret }] of credentials.entries()) {
    const change = { key_id: keyId, secret_hash: sha256(keySecret) }
    await db.query.updateTable('api_keys').set(change).where('id', '=', `${name}-key-${n}`).execute()
  }
  const perKey = Math.max(1, Math.round(size.makers / size.keys))
  await fill(
    'key_makers',
    'id, user_id, key_id, how, maker_key_id, sign_in_id, at_ms',
    size.makers,
    sql`
    ${text('maker')}, ${id}, ${text('key', sql`n / ${sql.lit(perKey)}`)},
    case when n % ${sql.lit(perKey)} = 0 then 'created' else 'rotated' end,
    case when n % ${sql.lit(perKey)} < 3 then ${text('key', sql`(n / ${sql.lit(perKey)}) / 2`)} end,
    case when n % ${sql.lit(perKey)} >= 3 then ${text('sign-in', sql`n / 50`)} end,
    ${atMs(size.makers)}`,
  )
  const types = [
    'signed_in',
    'key_created',
    'key_revoked',
    'limit_hit',
    'sign_in_refused',
    'key_leaked',
    'tokens_revoked',
    'key_rotated',
    'exchange_refused',
    'not_me',
  ]
  const typeOf = sql`case n % 10 ${sql.join(
    types.map((type, n) => sql`when ${sql.lit(n)} then ${sql.lit(type)}`),
    sql` `,
  )} end`
  await fill(
    'security_events',
    'id, user_id, type, at_ms, client, api_key_id, times',
    size.events,
    sql`
    ${text('event')}, ${id}, ${typeOf}, ${atMs(size.events)}, '192.0.2.1', ${text('key', sql`n % ${sql.lit(size.keys)}`)}, 1`,
  )
  // The newest have titles whose compatible decomposition is eighteen times as long.
  const title = sql`case when n < 3000 then ${sql.lit('\ufdfa'.repeat(100))} else 'Lunch' end`
  await fill(
    'payment_links',
    'id, user_id, api_key_id, title, reference, amount, currency, created_at_ms, expires_at_ms, deactivated_at_ms, claimed_at_ms',
    size.links,
    sql`
    ${text('link')}, ${id}, ${text('key', sql`n % ${sql.lit(size.keys)}`)}, ${title}, ${text('INV', sql`n / 100`)}, 1050, 'RON', ${atMs(size.links)},
    case when n % 3 = 0 then ${yesterday} end, case when n % 3 = 1 then ${yesterday} end, ${claimedAtMs}`,
  )
  await fill(
    'idempotency_keys',
    'user_id, key_hash, request_hash, answer, created_at_ms',
    size.answers,
    sql`
    ${id}, ${text('idempotency')}, '', '{}', ${now} - cast(n as bigint)`,
  )
  return { id, email, keyId: (n) => `${name}-key-${n}`, credentials, linkId: (n) => `${name}-link-${n}` }
}
