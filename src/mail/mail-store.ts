/** The mail queue's table: every query on it. */
import type { Selectable } from 'kysely'
import { compiledOnce } from '../db/compiled-once.ts'
import { inOneStatement } from '../db/db.ts'
import type { Db, DbTransaction, MailKind, QueuedMailsTable } from '../db/db.ts'
import { dueMails, figuresOf, firstInLine, inLine, mailsBefore, newerOf } from '../db/mail-lines.ts'
import type { Address, Looking } from '../db/mail-lines.ts'
import type { Deps } from '../deps.ts'
import { mailboxOf } from '../lib/email-address.ts'
import { clientNetworks } from '../lib/network.ts'
import { mailKinds } from './mail-kinds.ts'

/** A mail that has to go out. */
export type QueuedMail = Selectable<QueuedMailsTable>

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

/**
 * Queues a mail that tells what happened since `tells_since_ms`: one that waits already tells this
 * too, since the earlier of both times, and is tried as long as the new one. Its id is replaced as above.
 */
export async function enqueueNotice(db: Db, mail: QueuedMail & Readonly<{ tells_since_ms: number }>): Promise<void> {
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
  trx.updateTable('queued_mails').set({ turn_at_ms: null }).where('id', '=', id).returning('id'),
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
 * Leases mails that are due: until the lease ends nobody else gets them. The conditions stand twice
 * so that, of two processes that chose the same row, the second finds it taken.
 * @param lease `isOwnersOnly`: those to addresses that nobody has proven stay where they are; `taken`: mailboxes that wait
 */
export async function leaseDueMails(
  db: Db,
  lease: Readonly<{ nowMs: number; untilMs: number; limit: number; isOwnersOnly?: boolean; taken?: ReadonlySet<string | null> }>,
): Promise<QueuedMail[]> {
  const found = await findDueMails(db, { nowMs: lease.nowMs, limit: lease.limit, lastRank: lease.isOwnersOnly ? 0 : 1 })
  const due = firstInLine(found, lease.limit, lease.taken ?? new Set())
  // An idle queue is only read: a write would wait for whoever holds the database's lock.
  if (due.length === 0) return []
  const leased = await inOneStatement(db, (at) => leaseMails(at, due, lease))
  // The database gives them in any order, and the first of them takes the token that is there.
  return due.flatMap(({ id }) => leased.filter((mail) => mail.id === id))
}

const findDueMails = compiledOnce((db: Db, looking: Looking) => dueMails(db, looking, Object.keys(mailKinds) as MailKind[]))

function leaseMails(
  db: Db,
  due: readonly Pick<QueuedMail, 'id'>[],
  lease: Readonly<{ nowMs: number; untilMs: number }>,
): Promise<QueuedMail[]> {
  return db
    // Those that nobody has locked: mails are locked one by one, and a sender who waits for one that goes
    // with its account would keep the others from it.
    .with('free_mails', (free) =>
      free
        .selectFrom('queued_mails')
        .select('id')
        .where('id', 'in', due.map(({ id }) => id))
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
    .where((row) =>
      row.or([row('leased_until_ms', 'is', null), row('leased_until_ms', '<=', lease.nowMs)]),
    )
    .returningAll()
    .execute()
}

/** Gives a leased mail back, to be tried again at a later time. */
export async function postponeMail(db: Db, id: string, dueAtMs: number): Promise<void> {
  await db.updateTable('queued_mails').set({ due_at_ms: dueAtMs, leased_until_ms: null, turn_at_ms: null }).where('id', '=', id).execute()
}

/** Gives a leased mail back that may not go out before then: no attempt was made at it. Without `turnAtMs` it leaves the line. */
export async function holdMailBack(trx: DbTransaction, id: string, untilMs: number, turnAtMs: number | null = null): Promise<void> {
  await trx
    .updateTable('queued_mails')
    .set({ due_at_ms: untilMs, held_until_ms: untilMs, leased_until_ms: null, turn_at_ms: turnAtMs, attempts: 0 })
    .where('id', '=', id)
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

/** How many mails of a mailbox were held back and wait: `limit` at most. */
export async function countHeldMails(db: Db, mailbox: string, limit: number): Promise<number> {
  const held = await db
    .selectFrom('queued_mails')
    .select('id')
    .where('mailbox', '=', mailbox)
    .where('held_until_ms', 'is not', null)
    .limit(limit)
    .execute()
  return held.length
}

/** Due mails to other proven addresses of a mailbox whose last link is older: it is their turn. One at most. */
export const findMailsBefore = compiledOnce((db: Db, address: Address) => mailsBefore(db, address))

/** Deletes some sign-in mails to addresses nobody has proven that were asked for before a time, and never tried. */
export async function deleteStaleMails(trx: DbTransaction, beforeMs: number, limit: number): Promise<void> {
  await trx
    .with('stale_mails', (stale) =>
      stale
        .selectFrom('queued_mails')
        .select('id')
        .where('turn_rank', '=', 1)
        .where((row) => row.fn.coalesce('kind', 'kind'), '=', 'sign_in')
        .where('created_at_ms', '<', beforeMs)
        .where('attempts', '=', 0)
        .orderBy('created_at_ms')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('queued_mails')
    .where('id', 'in', (stale) => stale.selectFrom('stale_mails').select('id'))
    .execute()
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
export async function findQueueFigures(db: Db, nowMs: number, isOwnersOnly = false): Promise<{ length: number; oldestAgeMs: number }> {
  const { length, since } = await figuresOf(db, { nowMs, retriedUntilMs: nowMs + RETRIED_WITHIN_MS, limit: MOST_COUNTED, isOwnersOnly }).executeTakeFirstOrThrow()
  return { length: Math.min(length, MOST_COUNTED), oldestAgeMs: since === null ? 0 : Math.max(0, nowMs - since) }
}
