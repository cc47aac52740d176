/** The mail queue's table: every query on it. */
import type { Selectable } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'
import { prepared, preparedWrite } from '../../database/prepared.ts'
import type { Parameter, RowParameters } from '../../database/prepared.ts'
import type { MailKind, QueuedMailsTable } from '../../database/tables/mail-tables.ts'
import { dueMails, figuresOf, firstInLine, inLine, mailsBefore, newerOf } from '../../database/mail-lines.ts'
import type { Address, Looking } from '../../database/mail-lines.ts'
import { mailKinds } from './mail-kinds.ts'

/** A mail that has to go out. */
export type QueuedMail = Selectable<QueuedMailsTable>

/**
 * Queues a mail. One that waits for the same address and of the same kind becomes the newer one but for what it
 * says: where it leads and in which language stays, or a stranger's request could change an owner's. One that is
 * being sent for the first time has said that already. The id is replaced: a sender at work on the old row then
 * finds nothing to delete, and the new one still goes out.
 */
export const enqueueMail = prepared((query: QueryBuilder, mail: RowParameters<QueuedMail>) =>
  query
    .insertInto('queued_mails')
    .values(inLine(mail))
    .onConflict((conflict) => conflict.columns(['kind', 'email']).doUpdateSet(newerOf(mail))),
)

/**
 * Queues a mail that tells what happened since `tells_since_ms`: one that waits already tells this
 * too, since the earlier of both times, and is tried as long as the new one. Its id is replaced as above.
 */
export async function enqueueNotice(
  db: Queries,
  mail: QueuedMail & Readonly<{ tells_since_ms: number }>,
): Promise<void> {
  const { tells_since_ms, locale } = mail
  await db.query
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
export function findMailsTo(db: Queries, email: string): Promise<QueuedMail[]> {
  return db.query.selectFrom('queued_mails').selectAll().where('email', '=', email).execute()
}

/**
 * Whether a mail is still queued under this id. Takes it out of line: it is being sent. Locks its row, so that a
 * transaction that deletes the mail waits, and then finds what was made for it, to delete too.
 */
export async function isQueued(trx: Transaction, id: string): Promise<boolean> {
  return (await lockMail(trx, id)).length > 0
}

const lockMail = preparedWrite((query: QueryBuilder, id: Parameter<string>) =>
  query.updateTable('queued_mails').set({ turn_at_ms: null }).where('id', '=', id).returning('id'),
)

/** Takes the mails of a kind to an address out of the queue; no kind: all. */
export async function deleteMailsTo(trx: Transaction, email: string, kind?: MailKind): Promise<void> {
  await trx.query
    .deleteFrom('queued_mails')
    .where('email', '=', email)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as MailKind))
    .execute()
}

/**
 * Leases mails that are due: until the lease ends nobody else gets them. The conditions stand twice
 * so that, of two processes that chose the same row, the second finds it taken.
 * @param lease `isOwnersOnly`: those to addresses that nobody has proven stay where they are; `taken`: mailboxes that wait
 */
export async function leaseDueMails(
  db: Queries,
  lease: Readonly<{
    nowMs: number
    untilMs: number
    limit: number
    isOwnersOnly?: boolean
    taken?: ReadonlySet<string | null>
  }>,
): Promise<QueuedMail[]> {
  const found = await findDueMails(db, { nowMs: lease.nowMs, limit: lease.limit, lastRank: lease.isOwnersOnly ? 0 : 1 })
  const due = firstInLine(found, lease.limit, lease.taken ?? new Set())
  // An idle queue is only read: a write would wait for whoever holds the database's lock.
  if (due.length === 0) return []
  const leased = await leaseMails(db, due, lease)
  // The database gives them in any order, and the first of them takes the token that is there.
  return due.flatMap(({ id }) => leased.filter((mail) => mail.id === id))
}

const findDueMails = prepared((query: QueryBuilder, looking: RowParameters<Looking>) =>
  dueMails(query, looking, Object.keys(mailKinds) as MailKind[]),
)

function leaseMails(
  db: Queries,
  due: readonly Pick<QueuedMail, 'id'>[],
  lease: Readonly<{ nowMs: number; untilMs: number }>,
): Promise<QueuedMail[]> {
  return db.query // with its account would keep the others from it. // Those that nobody has locked: mails are locked one by one, and a sender who waits for one that goes
    .with('free_mails', (free) =>
      free
        .selectFrom('queued_mails')
        .select('id')
        .where(
          'id',
          'in',
          due.map(({ id }) => id),
        )
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('queued_mails')
    .set((row) => ({
      leased_until_ms: lease.untilMs,
      attempts: row('attempts', '+', 1),
      // In line until it is made: what comes before that must not change what it says.
      turn_at_ms: row.fn.coalesce('turn_at_ms', 'due_at_ms'),
    }))
    .where('id', 'in', (free) => free.selectFrom('free_mails').select('id'))
    .where((row) => row.or([row('leased_until_ms', 'is', null), row('leased_until_ms', '<=', lease.nowMs)]))
    .returningAll()
    .execute()
}

/** Gives a leased mail back, to be tried again at a later time. */
export async function postponeMail(db: Queries, id: string, dueAtMs: number): Promise<void> {
  await db.query
    .updateTable('queued_mails')
    .set({ due_at_ms: dueAtMs, leased_until_ms: null, turn_at_ms: null })
    .where('id', '=', id)
    .execute()
}

/** Gives a leased mail back that may not go out before then: no attempt was made at it. Without `turnAtMs` it leaves the line. */
export async function holdMailBack(
  trx: Transaction,
  id: string,
  untilMs: number,
  turnAtMs: number | null = null,
): Promise<void> {
  await trx.query
    .updateTable('queued_mails')
    .set({ due_at_ms: untilMs, held_until_ms: untilMs, leased_until_ms: null, turn_at_ms: turnAtMs, attempts: 0 })
    .where('id', '=', id)
    .execute()
}

/**
 * Lets the mails to an address go that a pause held back. Locks all of its mails: a sender that is holding
 * one back at this moment is waited for.
 */
export async function releaseMailsTo(trx: Transaction, email: string, nowMs: number): Promise<void> {
  await trx.query
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
export const deleteAttemptedMail = preparedWrite(
  (query: QueryBuilder, kind: Parameter<MailKind>, email: Parameter<string>) =>
    query.deleteFrom('queued_mails').where('kind', '=', kind).where('email', '=', email).where('attempts', '>', 0),
)

/** Takes a mail out of the queue. */
export const deleteMail = prepared((query: QueryBuilder, id: Parameter<string>) =>
  query.deleteFrom('queued_mails').where('id', '=', id),
)

/** How many mails of a mailbox were held back and wait: `limit` at most. */
export async function countHeldMails(db: Queries, mailbox: string, limit: number): Promise<number> {
  const held = await db.query
    .selectFrom('queued_mails')
    .select('id')
    .where('mailbox', '=', mailbox)
    .where('held_until_ms', 'is not', null)
    .limit(limit)
    .execute()
  return held.length
}

/** Due mails to other proven addresses of a mailbox whose last link is older: it is their turn. One at most. */
export const findMailsBefore = prepared((query: QueryBuilder, address: RowParameters<Address>) =>
  mailsBefore(query, address),
)

/** Deletes a batch of sign-in mails to addresses nobody has proven that were asked for before a time, and never tried. */
export async function deleteStaleMails(trx: Transaction, beforeMs: number, limit: number): Promise<void> {
  await deleteBatch(trx, {
    table: 'queued_mails',
    key: ['id'],
    orderedBy: 'created_at_ms',
    where: (row) =>
      row.and([
        row('turn_rank', '=', 1),
        row(row.fn.coalesce('kind', 'kind'), '=', 'sign_in'),
        row('created_at_ms', '<', beforeMs),
        row('attempts', '=', 0),
      ]),
    limit,
  })
}

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
  db: Queries,
  nowMs: number,
  isOwnersOnly = false,
): Promise<{ length: number; oldestAgeMs: number }> {
  const { length, since } = await figuresOf(db, {
    nowMs,
    retriedUntilMs: nowMs + RETRIED_WITHIN_MS,
    limit: MOST_COUNTED,
    isOwnersOnly,
  }).executeTakeFirstOrThrow()
  return { length: Math.min(length, MOST_COUNTED), oldestAgeMs: since === null ? 0 : Math.max(0, nowMs - since) }
}
