/** The mail queue's table: every query on it. */
import type { Selectable } from 'kysely'
import { compiledOnce } from '../db/compiled-once.ts'
import { inOneStatement } from '../db/db.ts'
import type { Db, DbTransaction, MailKind, QueuedMailsTable } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { mailKinds } from './mail-kinds.ts'

/** A mail that has to go out. */
export type QueuedMail = Selectable<QueuedMailsTable>

/** A row for a mail that is due at once, not stored yet. */
export function newMail(
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  mail: Readonly<{ kind: MailKind; email: string; locale: string; redirectTo?: string | undefined }>,
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
  }
}

/**
 * Queues a mail. One that waits for the same address and of the same kind is replaced, and so is its
 * id: a sender at work on the old row then finds nothing to delete, and the new one still goes out.
 */
export const enqueueMail = compiledOnce((db: Db, { kind, email, ...newer }: QueuedMail) =>
  db
    .insertInto('queued_mails')
    .values({ kind, email, ...newer })
    .onConflict((conflict) => conflict.columns(['kind', 'email']).doUpdateSet(newer)),
)

/**
 * Queues a mail that tells what happened since `tells_since_ms`: one that waits already tells this
 * too, since the earlier of both times, and is tried as long as the new one. Its id is replaced as above.
 */
export async function enqueueNotice(
  db: Db,
  mail: QueuedMail & Readonly<{ tells_since_ms: number }>,
): Promise<void> {
  const { kind, email, tells_since_ms, ...newer } = mail
  await db
    .insertInto('queued_mails')
    .values({ kind, email, tells_since_ms, ...newer })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'email']).doUpdateSet((row) => ({
        ...newer,
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
 * Whether a mail is still to go out: not taken out of the queue, and not replaced by a newer one. Locks its
 * row: whoever takes the mail out meanwhile waits, and then finds what was made for it, to take out too.
 */
export async function isQueued(trx: DbTransaction, id: string): Promise<boolean> {
  return (await lockMail(trx, id)).length > 0
}

const lockMail = compiledOnce((trx: DbTransaction, id: string) =>
  trx
    .updateTable('queued_mails')
    .set((row) => ({ attempts: row.ref('attempts') }))
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
 * Leases mails that are due: until the lease ends nobody else gets them. The conditions stand twice
 * so that, of two processes that chose the same row, the second finds it taken.
 */
export async function leaseDueMails(
  db: Db,
  lease: Readonly<{ nowMs: number; untilMs: number; limit: number }>,
): Promise<QueuedMail[]> {
  const due = await findDueMails(db, lease.nowMs, lease.limit)
  // An idle queue is only read: a write would wait for whoever holds the database's lock.
  if (due.length === 0) return []
  return inOneStatement(db, (at) => leaseMails(at, due, lease))
}

const findDueMails = compiledOnce((db: Db, nowMs: number, limit: number) =>
  db
    .selectFrom('queued_mails')
    .select('id')
    .where('due_at_ms', '<=', nowMs)
    // During an upgrade there may be others, which a newer process sends. Not as the column itself: SQLite would find
    // all mails of these kinds by it, and sort what gathered while the mail server was away for each that goes out.
    .where((row) => row.fn.coalesce('kind', 'kind'), 'in', Object.keys(mailKinds) as MailKind[])
    .where((row) => row.or([row('leased_until_ms', 'is', null), row('leased_until_ms', '<=', nowMs)]))
    .orderBy('due_at_ms')
    .limit(limit),
)

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
    .set((row) => ({ leased_until_ms: lease.untilMs, attempts: row('attempts', '+', 1) }))
    .where('id', 'in', (free) => free.selectFrom('free_mails').select('id'))
    .where((row) =>
      row.or([row('leased_until_ms', 'is', null), row('leased_until_ms', '<=', lease.nowMs)]),
    )
    .returningAll()
    .execute()
}

/** Gives a leased mail back, to be tried again at a later time. */
export async function postponeMail(db: Db, id: string, dueAtMs: number): Promise<void> {
  await db
    .updateTable('queued_mails')
    .set({ due_at_ms: dueAtMs, leased_until_ms: null })
    .where('id', '=', id)
    .execute()
}

/** Gives a leased mail back because its address wants peace until then: no attempt was made at it. */
export async function holdMailBack(trx: DbTransaction, id: string, untilMs: number): Promise<void> {
  await trx
    .updateTable('queued_mails')
    .set({ due_at_ms: untilMs, leased_until_ms: null, attempts: 0 })
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

/** The longest that a failed mail waits for its next attempt, with what chance adds; in milliseconds. */
const RETRIED_WITHIN_MS = 1.5 * Math.max(...Object.values(mailKinds).map(({ longestDelayMs }) => longestDelayMs))
/** How many waiting mails are counted: who asks is not to hold up the others. */
const MOST_COUNTED = 10_000

/**
 * Mails that are to go out now, failed attempts included, without what a pause holds back: how many, 10,000 at most, and
 * since when the oldest of them waits, in milliseconds.
 */
export async function findQueueFigures(db: Db, nowMs: number): Promise<{ length: number; oldestAgeMs: number }> {
  const { length, since } = await db
    .with('waiting_mails', (waiting) =>
      waiting
        .selectFrom('queued_mails')
        .select('created_at_ms')
        .where('due_at_ms', '<=', nowMs + RETRIED_WITHIN_MS)
        .where((row) => row.or([row('attempts', '>', 0), row('due_at_ms', '<=', nowMs)]))
        .orderBy('due_at_ms')
        .limit(MOST_COUNTED),
    )
    .selectFrom('waiting_mails')
    .select((row) => [row.fn.countAll<number>().as('length'), row.fn.min('created_at_ms').as('since')])
    .executeTakeFirstOrThrow()
  return { length, oldestAgeMs: since === null ? 0 : Math.max(0, nowMs - since) }
}
