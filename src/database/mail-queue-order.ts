/**
 * The mail queue's order, as query parts for src/domain/mails/mail-queue-store.ts (docs/decisions/0029). There are two
 * lines, one per rank (`turn_rank`); all of rank 0 goes first. A mail's place in its line is a time (`turn_at_ms`): the
 * earliest has the next turn. A mail without a place is out of line and waits for `due_at_ms`.
 */
import { sql } from 'kysely'
import type { Expression, RawBuilder } from 'kysely'
import type { Queries, QueryBuilder } from './database.ts'
import type { RowParameters } from './prepared.ts'
import type { MailKind, QueuedMailsTable } from './tables/mail-tables.ts'

/** Distance between the places of one network's mails: its second mail never precedes another network's first. */
const TURN_MS = 60_000
/** A mail held back within this time of now keeps its place. */
const KEPT_MS = 30 * TURN_MS

// Literals, so that each line's query can use its index.
const ranks = [sql.lit(0), sql.lit(1)] as const

/**
 * Adds the mail's place and rank. Its place is the later of two: `TURN_MS` after its network's last waiting mail; the
 * earlier of now and the head of the line. The head may be long past, so a new mail waits for one mail per network and
 * not for a flood's whole backlog. The rank is queried the same way for every address, so that the caller cannot
 * observe it.
 */
export function withPlace(mail: QueuedMailsTable | RowParameters<QueuedMailsTable>) {
  const ofOwner = sql`(select count(*) from users where email = ${mail.email} and claimed_at_ms is not null and disabled_at_ms is null)`
  // It was proven before the account changed its address: a flood must not delay the undo.
  const ofFormerOwner = sql`(select count(*) from address_changes where old_email = ${mail.email} and undo_until_ms > ${mail.created_at_ms} and ended_at_ms is null)`
  const head = sql`(select min(at_ms) from (
    select cast(${mail.turn_at_ms} as bigint) as at_ms union all ${firstPlaceOf(0)} union all ${firstPlaceOf(1)}
  ) as heads)`
  const afterOthers = sql<number>`(select max(at_ms) from (
    select ${head} as at_ms
    union all
    select max(turn_at_ms) + ${sql.lit(TURN_MS)} from queued_mails where network = ${mail.network}
  ) as places)`
  return {
    ...mail,
    turn_rank: sql<number>`case when ${ofOwner} + ${ofFormerOwner} > 0 then 0 else 1 end`,
    turn_at_ms: afterOthers,
  }
}

const firstPlaceOf = (rank: number) =>
  sql`select min(turn_at_ms) from queued_mails where turn_rank = ${ranks[rank]} and turn_at_ms > 0`

/** The changes that a newer mail for the same address makes to the waiting one. */
export function changesByNewerMail({
  id,
  attempts,
  due_at_ms,
  leased_until_ms,
  created_at_ms,
  held_until_ms,
  asked_at_ms,
}: QueuedMailsTable | RowParameters<QueuedMailsTable>) {
  const now = sql<number>`cast(${created_at_ms} as bigint)`
  const isBeingSent = sql`queued_mails.attempts = 1 and queued_mails.turn_at_ms is null and queued_mails.leased_until_ms > ${now}`
  // Otherwise a stranger's request could change the owner's. A mail in its first attempt was composed with its own.
  const ofWaiting = (column: 'redirect_to' | 'locale' | 'network') =>
    sql<string>`case when ${isBeingSent} then excluded.${sql.ref(column)} else queued_mails.${sql.ref(column)} end`
  // A mail that its mailbox's budget holds back keeps its place, so that two addresses of a mailbox take turns.
  const isHeldBack = sql`queued_mails.attempts = 0 and queued_mails.turn_rank = excluded.turn_rank
    and queued_mails.held_until_ms between ${now} - ${sql.lit(KEPT_MS)} and ${now} + ${sql.lit(KEPT_MS)}`
  const unlessHeldBack = <T>(column: keyof QueuedMailsTable, newer: RawBuilder<T>) =>
    sql<T>`case when ${isHeldBack} then queued_mails.${sql.ref(column)} else ${newer} end`
  // Otherwise the mail would tell the owner's network and browser as a stranger's, or the reverse. A time of creation
  // after the last known request is that of an older version's request, whose browser is unknown.
  const isAskedAlike = sql`${isBeingSent} or (queued_mails.asked_by_several = 0
    and queued_mails.asked_at_ms >= queued_mails.created_at_ms
    and queued_mails.network is not distinct from excluded.network
    and queued_mails.browser is not distinct from excluded.browser)`
  return {
    id,
    attempts,
    leased_until_ms,
    due_at_ms: unlessHeldBack('due_at_ms', sql<number>`cast(${due_at_ms} as bigint)`),
    created_at_ms: unlessHeldBack('created_at_ms', now),
    held_until_ms: unlessHeldBack('held_until_ms', sql<number | null>`cast(${held_until_ms} as bigint)`),
    redirect_to: ofWaiting('redirect_to'),
    locale: ofWaiting('locale'),
    network: ofWaiting('network'),
    browser: sql<string | null>`case when ${isAskedAlike} then excluded.browser end`,
    asked_at_ms,
    asked_by_several: sql<number>`case when ${isAskedAlike} then 0 else 1 end`,
    turn_rank: sql<number>`excluded.turn_rank`,
    // The earlier place: a network with many mails must not delay a mail that another network asked for.
    turn_at_ms: unlessHeldBack(
      'turn_at_ms',
      sql<number>`case when queued_mails.turn_at_ms < excluded.turn_at_ms then queued_mails.turn_at_ms else excluded.turn_at_ms end`,
    ),
  }
}

export type DueMailsQuery = Readonly<{ nowMs: number; limit: number; lastRank: number }>

/** The first due mails of each line and outside the lines. Each part reads an index, so its cost is bounded. */
export function dueMails(
  query: QueryBuilder,
  { nowMs, limit, lastRank }: RowParameters<DueMailsQuery>,
  kinds: readonly MailKind[],
) {
  const free = () =>
    query
      .selectFrom('queued_mails')
      .where('due_at_ms', '<=', nowMs)
      // During an upgrade the queue may contain kinds that only a newer process can send. `coalesce` keeps SQLite from
      // using the index by kind, which would sort the whole backlog for every mail sent.
      .where((row) => row.fn.coalesce('kind', 'kind'), 'in', kinds)
      .where((row) => row.or([row('leased_until_ms', 'is', null), row('leased_until_ms', '<=', nowMs)]))
      .where('turn_rank', '<=', lastRank)
      .limit(limit)
  const line = (rank: 0 | 1) =>
    free()
      .select((row) => ['id', 'turn_rank', row.ref('turn_at_ms').$notNull().as('at_ms'), 'created_at_ms', 'mailbox'])
      .where('turn_rank', '=', ranks[rank])
      .where('turn_at_ms', '>', sql.lit(0))
      .orderBy('turn_at_ms')
  const outOfLine = free()
    .select(['id', 'turn_rank', 'due_at_ms as at_ms', 'created_at_ms', 'mailbox'])
    .where('turn_at_ms', 'is', null)
    .orderBy('due_at_ms')
    .orderBy('created_at_ms')
  const all = (of: typeof outOfLine | ReturnType<typeof line>, name: string) =>
    query.selectFrom(of.as(name)).selectAll()
  return all(line(0), 'owners')
    .unionAll(all(line(1), 'others'))
    .unionAll(all(outOfLine, 'waiting'))
}

export type Address = Readonly<{ mailbox: string; email: string; nowMs: number }>

const lastLinkEndsMs = (address: string | Expression<string>) =>
  sql<number>`coalesce((select max(expires_at_ms) from magic_links where magic_links.email = ${address}), 0)`

/**
 * Mails for the same mailbox's budget, to other proven addresses whose last link is older. Ordered by request time
 * alone, an attacker with good timing could give one address two turns.
 */
export function mailsWithOlderLink(query: QueryBuilder, { mailbox, email, nowMs }: RowParameters<Address>) {
  return query
    .selectFrom('queued_mails')
    .select('id')
    .where('mailbox', '=', mailbox)
    .where('email', '!=', email)
    .where((row) => row.fn.coalesce('kind', 'kind'), '=', 'sign_in')
    .where((row) => row.fn.coalesce('turn_rank', 'turn_rank'), '=', 0)
    .where('attempts', '<=', 1)
    .where('due_at_ms', '<=', nowMs)
    .where((row) => lastLinkEndsMs(row.ref('queued_mails.email')), '<', lastLinkEndsMs(email))
    .limit(1)
}

type Due = Readonly<{ id: string; mailbox: string | null; turn_rank: number; at_ms: number; created_at_ms: number }>

/** The mails to send next, at most one per mailbox: the first in line gets the token that several wait for. */
export function selectNextMails(found: readonly Due[], limit: number): Due[] {
  const firstOf = new Map<string, Due>()
  for (const mail of found.toSorted(byRankAndPlace)) {
    const mailbox = mail.mailbox ?? mail.id
    if (!firstOf.has(mailbox)) firstOf.set(mailbox, mail)
  }
  return [...firstOf.values()].slice(0, limit)
}

function byRankAndPlace(one: Due, other: Due): number {
  return one.turn_rank - other.turn_rank || one.at_ms - other.at_ms || one.created_at_ms - other.created_at_ms
}

/** The number of mails to send now, up to `limit` per line, and the time since which the oldest waits. */
export function queueStats(
  db: Queries,
  {
    nowMs,
    retriedUntilMs,
    limit,
    isOwnersOnly,
  }: Readonly<{ nowMs: number; retriedUntilMs: number; limit: number; isOwnersOnly: boolean }>,
) {
  const some = () =>
    db.query
      .selectFrom('queued_mails')
      .select((row) => row.fn.coalesce('held_until_ms', 'created_at_ms').as('since_ms'))
      .limit(limit)
  const line = (rank: 0 | 1) => some().where('turn_rank', '=', ranks[rank]).where('turn_at_ms', '>', sql.lit(0))
  const outOfLine = some()
    .where('turn_at_ms', 'is', null)
    .where('due_at_ms', '<=', retriedUntilMs)
    .where((row) => row.or([row('attempts', '>', 0), row('due_at_ms', '<=', nowMs)]))
  const all = (of: typeof outOfLine, name: string) => db.query.selectFrom(of.as(name)).select('since_ms')
  const waiting = all(line(0), 'owners').unionAll(all(outOfLine, 'tried'))
  return db.query
    .selectFrom((isOwnersOnly ? waiting : waiting.unionAll(all(line(1), 'others'))).as('waiting_mails'))
    .select((row) => [row.fn.countAll<number>().as('length'), row.fn.min('since_ms').as('since')])
}
