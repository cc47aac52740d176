/** The mail queue's table, as senders see it: whose turn it is, and what waits for a later time. */
import { sql } from 'kysely'
import { compiledOnce } from '../db/compiled-once.ts'
import { inOneStatement } from '../db/db.ts'
import type { Db, DbTransaction, MailKind } from '../db/db.ts'
import { mailKinds } from './mail-kinds.ts'
import type { QueuedMail } from './mail-store.ts'

/**
 * Leases mails that are due: until the lease ends nobody else gets them. The conditions stand twice
 * so that, of two processes that chose the same row, the second finds it taken.
 * @param lease `isOwnersOnly`: those to addresses that nobody has proven stay where they are
 */
export async function leaseDueMails(
  db: Db,
  lease: Readonly<{ nowMs: number; untilMs: number; limit: number; isOwnersOnly?: boolean }>,
): Promise<QueuedMail[]> {
  const found = await findDueMails(db, { nowMs: lease.nowMs, limit: lease.limit, lastRank: lease.isOwnersOnly ? 0 : 1 })
  // One of a mailbox at a time: the first in line is to get the token that both wait for.
  const due = [...new Map(found.toSorted(byTurn).toReversed().map((mail) => [mail.mailbox ?? mail.id, mail])).values()].toSorted(byTurn).slice(0, lease.limit)
  // An idle queue is only read: a write would wait for whoever holds the database's lock.
  if (due.length === 0) return []
  return inOneStatement(db, (at) => leaseMails(at, due, lease))
}

type Due = Readonly<{ turn_rank: number; at_ms: number; created_at_ms: number }>

function byTurn(one: Due, other: Due): number {
  return one.turn_rank - other.turn_rank || one.at_ms - other.at_ms || one.created_at_ms - other.created_at_ms
}

type Looking = Readonly<{ nowMs: number; limit: number; lastRank: number }>

/** The first of each line, and of what waits out of line for a time that has come; each by an index, however long it is. */
const findDueMails = compiledOnce((db: Db, { nowMs, limit, lastRank }: Looking) => {
  const free = () =>
    db
      .selectFrom('queued_mails')
      .where('due_at_ms', '<=', nowMs)
      // During an upgrade there may be others, which a newer process sends. Not as the column itself: SQLite would find
      // all mails of these kinds by it, and sort what gathered while the mail server was away for each that goes out.
      .where((row) => row.fn.coalesce('kind', 'kind'), 'in', Object.keys(mailKinds) as MailKind[])
      .where((row) => row.or([row('leased_until_ms', 'is', null), row('leased_until_ms', '<=', nowMs)]))
      .where('turn_rank', '<=', lastRank)
      .limit(limit)
  const line = (rank: number) =>
    free()
      .select((row) => ['id', 'turn_rank', row.ref('turn_at_ms').$notNull().as('at_ms'), 'created_at_ms', 'mailbox'])
      .where('turn_rank', '=', sql.lit(rank))
      .where('turn_at_ms', '>', sql.lit(0))
      .orderBy('turn_at_ms')
  const outOfLine = free()
    .select(['id', 'turn_rank', 'due_at_ms as at_ms', 'created_at_ms', 'mailbox'])
    .where('turn_at_ms', 'is', null)
    .orderBy('due_at_ms')
    .orderBy('created_at_ms')
  const all = (of: typeof outOfLine | ReturnType<typeof line>, name: string) => db.selectFrom(of.as(name)).selectAll()
  return all(line(0), 'owners').unionAll(all(line(1), 'others')).unionAll(all(outOfLine, 'waiting'))
})

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
  await db
    .updateTable('queued_mails')
    .set({ due_at_ms: dueAtMs, leased_until_ms: null, turn_at_ms: null })
    .where('id', '=', id)
    .execute()
}

/** Gives a leased mail back because it may not go out before then: no attempt was made at it. */
export async function holdMailBack(trx: DbTransaction, id: string, untilMs: number): Promise<void> {
  await trx
    .updateTable('queued_mails')
    .set({ due_at_ms: untilMs, held_until_ms: untilMs, leased_until_ms: null, turn_at_ms: null, attempts: 0 })
    .where('id', '=', id)
    .execute()
}

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
