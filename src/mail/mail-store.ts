/** The mail queue's table: every query on it. */
import { sql } from 'kysely'
import type { RawBuilder, Selectable } from 'kysely'
import { compiledOnce } from '../db/compiled-once.ts'
import type { Db, DbTransaction, MailKind, QueuedMailsTable } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { mailboxOf } from '../lib/email-address.ts'
import { clientNetworks } from '../lib/network.ts'
import { mailKinds } from './mail-kinds.ts'

/** A mail that has to go out. */
export type QueuedMail = Selectable<QueuedMailsTable>

/** How far apart the mails of one network stand in line: nobody's second goes before somebody else's first. */
const TURN_MS = 60_000
/** How far ahead the last place in line is: one has had its turn before nobody waits for it any more. */
const LAST_TURN_MS = 30 * TURN_MS

/** A row for a mail that is due at once, not stored yet. @param mail `ip`: whose request causes it, if that needs no proof */
export function newMail(
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  mail: Readonly<{ kind: MailKind; email: string; locale: string; redirectTo?: string | undefined; ip?: string }>,
): QueuedMail {
  const nowMs = clock.now()
  return {
    id: random.uuid(),
    kind: mail.kind,
    email: mail.email,
    redirect_to: mail.redirectTo ?? null,
    locale: mail.locale,
    attempts: 0,
    due_at_ms: nowMs,
    leased_until_ms: null,
    created_at_ms: nowMs,
    tells_since_ms: null,
    mailbox: mailboxOf(mail.email),
    network: mail.ip === undefined ? null : clientNetworks(mail.ip).wide,
    turn_rank: 0,
    turn_at_ms: nowMs,
    held_until_ms: null,
  }
}

/**
 * Queues a mail. One that waits for the same address and of the same kind becomes the newer one but for what it
 * says: where it leads and in which language stays, or a stranger's request could change an owner's. One that is
 * being sent for the first time has said that already. The id is replaced: a sender at work on the old row then
 * finds nothing to delete, and the new one still goes out.
 */
export const enqueueMail = compiledOnce((db: Db, mail: QueuedMail) =>
  db
    .insertInto('queued_mails')
    .values(inLine(mail))
    .onConflict((conflict) => conflict.columns(['kind', 'email']).doUpdateSet(newerOf(mail))),
)

// Its place is after the other mails of its network; of a mail that no stranger caused, now. Its rank is asked of
// the account in the same way for every address, so that nobody can tell the answer.
function inLine(mail: QueuedMail) {
  const ofOwner = sql<number>`(select count(*) from users where email = ${mail.email} and claimed_at_ms is not null and disabled_at_ms is null)`
  const afterOthers = sql<number>`(select max(at_ms) from (
    select cast(${mail.turn_at_ms} as bigint) as at_ms
    union all
    select max(turn_at_ms) + ${sql.lit(TURN_MS)} from queued_mails
    where network = ${mail.network} and turn_at_ms <= cast(${mail.turn_at_ms} as bigint) + ${sql.lit(LAST_TURN_MS)}
  ) as places)`
  return { ...mail, turn_rank: sql<number>`1 - ${ofOwner}`, turn_at_ms: afterOthers }
}

function newerOf({ id, attempts, due_at_ms, leased_until_ms, created_at_ms, held_until_ms }: QueuedMail) {
  const now = sql<number>`cast(${created_at_ms} as bigint)`
  const isBeingSent = sql`queued_mails.attempts = 1 and queued_mails.turn_at_ms is null and queued_mails.leased_until_ms > ${now}`
  const ofWaiting = (column: 'redirect_to' | 'locale') =>
    sql<string>`case when ${isBeingSent} then excluded.${sql.ref(column)} else queued_mails.${sql.ref(column)} end`
  // What its mailbox's budget holds back keeps its place: of two addresses of a mailbox each has its turn.
  const isHeldBack = sql`queued_mails.attempts = 0 and queued_mails.turn_rank = excluded.turn_rank
    and queued_mails.held_until_ms > ${now} and queued_mails.held_until_ms < ${now} + ${sql.lit(LAST_TURN_MS)}`
  const unlessHeldBack = <T>(column: keyof QueuedMail, newer: RawBuilder<T>) =>
    sql<T>`case when ${isHeldBack} then queued_mails.${sql.ref(column)} else ${newer} end`
  return {
    id,
    attempts,
    leased_until_ms,
    due_at_ms: unlessHeldBack('due_at_ms', sql<number>`cast(${due_at_ms} as bigint)`),
    created_at_ms: unlessHeldBack('created_at_ms', now),
    held_until_ms: unlessHeldBack('held_until_ms', sql<number | null>`cast(${held_until_ms} as bigint)`),
    redirect_to: ofWaiting('redirect_to'),
    locale: ofWaiting('locale'),
    turn_rank: sql<number>`excluded.turn_rank`,
    // Whichever is earlier: a network with many mails must not put off one that somebody else asked for.
    turn_at_ms: unlessHeldBack(
      'turn_at_ms',
      sql<number>`case when queued_mails.turn_at_ms < excluded.turn_at_ms then queued_mails.turn_at_ms else excluded.turn_at_ms end`,
    ),
  }
}

/**
 * Queues a mail that tells what happened since `tells_since_ms`: one that waits already tells this
 * too, since the earlier of both times, and is tried as long as the new one. Its id is replaced as above.
 */
export async function enqueueNotice(
  db: Db,
  mail: QueuedMail & Readonly<{ tells_since_ms: number }>,
): Promise<void> {
  const { tells_since_ms, locale } = mail
  await db
    .insertInto('queued_mails')
    .values(inLine(mail))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'email']).doUpdateSet((row) => ({
        ...newerOf(mail),
        locale,
        tells_since_ms: row
          .case()
          .when('queued_mails.tells_since_ms', '<', tells_since_ms)
          .then(row.ref('queued_mails.tells_since_ms'))
          .else(tells_since_ms)
          .end(),
      })),
    )
    .execute()
}

/** The mails that wait for an address. */
export function findMailsTo(db: Db, email: string): Promise<QueuedMail[]> {
  return db.selectFrom('queued_mails').selectAll().where('email', '=', email).execute()
}

/**
 * Whether a mail is still to go out: not taken out of the queue, and not replaced by a newer one. Takes it out of
 * line: it is being sent. Locks its row: whoever takes the mail out meanwhile waits, and then finds what was made
 * for it, to take out too.
 */
export async function isQueued(trx: DbTransaction, id: string): Promise<boolean> {
  return (await lockMail(trx, id)).length > 0
}

const lockMail = compiledOnce((trx: DbTransaction, id: string) =>
  trx
    .updateTable('queued_mails')
    .set({ turn_at_ms: null })
    .where('id', '=', id)
    .returning('id'),
)

/** Takes the mails of a kind to an address out of the queue; no kind: all. */
export async function deleteMailsTo(trx: DbTransaction, email: string, kind?: MailKind): Promise<void> {
  await trx
    .deleteFrom('queued_mails')
    .where('email', '=', email)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as MailKind))
    .execute()
}

/**
 * Lets the mails to an address go that a pause held back. Locks all of its mails: a sender that is holding
 * one back at this moment is waited for.
 */
export async function releaseMailsTo(trx: DbTransaction, email: string, nowMs: number): Promise<void> {
  await trx
    .updateTable('queued_mails')
    .set((row) => ({
      due_at_ms: row
        .case()
        .when(row.and([row('attempts', '=', 0), row('due_at_ms', '>', nowMs)]))
        .then(nowMs)
        .else(row.ref('due_at_ms'))
        .end(),
    }))
    .where('email', '=', email)
    .execute()
}

/**
 * Takes out the mail of this kind to an address that at least one attempt was made at: the person has
 * got what it carries. One that was asked for since then has no attempt yet, and stays.
 */
export const deleteAttemptedMail = compiledOnce((trx: DbTransaction, kind: MailKind, email: string) =>
  trx.deleteFrom('queued_mails').where('kind', '=', kind).where('email', '=', email).where('attempts', '>', 0),
)

/** Takes a mail out of the queue. */
export const deleteMail = compiledOnce((db: Db, id: string) => db.deleteFrom('queued_mails').where('id', '=', id))

/** The longest that a failed mail waits for its next attempt, with what chance adds; in milliseconds. */
const RETRIED_WITHIN_MS = 1.5 * Math.max(...Object.values(mailKinds).map(({ longestDelayMs }) => longestDelayMs))
/** How many waiting mails are counted: who asks is not to hold up the others. */
const MOST_COUNTED = 10_000

/**
 * Mails that are to go out now, failed attempts included, without what is held back on purpose: how many, 10,000 at
 * most, and since when the oldest of them waits, in milliseconds.
 * @param isOwnersOnly whether those to addresses nobody has proven are held back
 */
export async function findQueueFigures(
  db: Db,
  nowMs: number,
  isOwnersOnly = false,
): Promise<{ length: number; oldestAgeMs: number }> {
  const some = () =>
    db
      .selectFrom('queued_mails')
      .select((row) => row.fn.coalesce('held_until_ms', 'created_at_ms').as('since_ms'))
      .limit(MOST_COUNTED)
  const line = (rank: number) => some().where('turn_rank', '=', sql.lit(rank)).where('turn_at_ms', '>', sql.lit(0))
  const outOfLine = some()
    .where('turn_at_ms', 'is', null)
    .where('due_at_ms', '<=', nowMs + RETRIED_WITHIN_MS)
    .where((row) => row.or([row('attempts', '>', 0), row('due_at_ms', '<=', nowMs)]))
  const all = (of: typeof outOfLine, name: string) => db.selectFrom(of.as(name)).select('since_ms')
  const waiting = all(line(0), 'owners').unionAll(all(outOfLine, 'tried'))
  const { length, since } = await db
    .selectFrom((isOwnersOnly ? waiting : waiting.unionAll(all(line(1), 'others'))).as('waiting_mails'))
    .select((row) => [row.fn.countAll<number>().as('length'), row.fn.min('since_ms').as('since')])
    .executeTakeFirstOrThrow()
  return { length: Math.min(length, MOST_COUNTED), oldestAgeMs: since === null ? 0 : Math.max(0, nowMs - since) }
}
