import type { Selectable } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'
import { prepared, preparedInTransaction } from '../../database/prepared.ts'
import type { Parameter, RowParameters } from '../../database/prepared.ts'
import type { MailKind, QueuedMailsTable } from '../../database/tables/mail-tables.ts'
import {
  dueMails,
  selectNextMails,
  withPlace,
  mailsWithOlderLink,
  changesByNewerMail,
} from '../../database/mail-queue-order.ts'
import type { Address, DueMailsQuery } from '../../database/mail-queue-order.ts'
import { mailKinds } from './mail-kinds.ts'

export type QueuedMail = Selectable<QueuedMailsTable>

/**
 * Queues a mail, or changes a waiting one of the same kind and address ({@link changesByNewerMail}). Its id is replaced,
 * so that a sender working on the old row finds nothing to delete and the new mail still goes out.
 */
export const enqueueMail = prepared((query: QueryBuilder, mail: RowParameters<QueuedMail>) =>
  query
    .insertInto('queued_mails')
    .values(withPlace(mail))
    .onConflict((conflict) => conflict.columns(['kind', 'email']).doUpdateSet(changesByNewerMail(mail))),
)

/**
 * Queues a notice of what happened since `tells_since_ms`. A waiting notice is merged with it: it reports since the
 * earlier of both times and is retried as long as the new one. Its id is replaced as above.
 */
export async function enqueueNotice(
  db: Queries,
  mail: QueuedMail & Readonly<{ tells_since_ms: number }>,
): Promise<void> {
  const { tells_since_ms, locale } = mail
  await db.query
    .insertInto('queued_mails')
    .values(withPlace(mail))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'email']).doUpdateSet((row) => ({
        ...changesByNewerMail(mail),
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

export function findMailsTo(db: Queries, email: string): Promise<QueuedMail[]> {
  return db.query.selectFrom('queued_mails').selectAll().where('email', '=', email).execute()
}

/**
 * Locks the mail's row and removes it from the line. A transaction that deletes the mail waits, and then also deletes what
 * was made for it.
 * @returns false when it is no longer queued
 */
export async function lockForSending(trx: Transaction, id: string): Promise<boolean> {
  return (await lockMail(trx, id)).length > 0
}

const lockMail = preparedInTransaction((query: QueryBuilder, id: Parameter<string>) =>
  query.updateTable('queued_mails').set({ turn_at_ms: null }).where('id', '=', id).returning('id'),
)

/** Deletes the queued mails to an address; without `kind`, of all kinds. */
export async function deleteMailsTo(trx: Transaction, email: string, kind?: MailKind): Promise<void> {
  await trx.query
    .deleteFrom('queued_mails')
    .where('email', '=', email)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as MailKind))
    .execute()
}

/**
 * Leases due mails: until the lease ends no other process gets them. The conditions are repeated in the update, so that
 * a process that chose the same row finds it leased.
 * @param lease `isOwnersOnly`: skips mails to unproven addresses; `taken`: mailboxes to skip
 * @returns `isMoreDue`: whether a mail may be due that was not leased
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
): Promise<Readonly<{ mails: QueuedMail[]; isMoreDue: boolean }>> {
  const found = await findDueMails(db, { nowMs: lease.nowMs, limit: lease.limit, lastRank: lease.isOwnersOnly ? 0 : 1 })
  const due = selectNextMails(found, lease.limit, lease.taken ?? new Set())
  const { nowMs, untilMs } = lease
  // If one fails, the others wait for the end of their lease.
  const mails = (await Promise.all(due.map(({ id }) => leaseMail(db, { id, nowMs, untilMs })))).flat()
  return { mails, isMoreDue: found.length > mails.length || mails.length === lease.limit }
}

const findDueMails = prepared((query: QueryBuilder, due: RowParameters<DueMailsQuery>) =>
  dueMails(query, due, Object.keys(mailKinds) as MailKind[]),
)

type Lease = Readonly<{ id: string; nowMs: number; untilMs: number }>

const leaseMail = prepared((query: QueryBuilder, { id, nowMs, untilMs }: RowParameters<Lease>) =>
  query
    // Skips a locked mail: waiting for one that is deleted with its account would delay the others.
    .with('free_mails', (free) =>
      free.selectFrom('queued_mails').select('id').where('id', '=', id).forUpdate().skipLocked(),
    )
    .updateTable('queued_mails')
    .set((row) => ({
      leased_until_ms: untilMs,
      attempts: row('attempts', '+', 1),
      // In line until it is composed: a newer request before that must not change its content.
      turn_at_ms: row.fn.coalesce('turn_at_ms', 'due_at_ms'),
    }))
    .where('id', 'in', (free) => free.selectFrom('free_mails').select('id'))
    .where((row) => row.or([row('leased_until_ms', 'is', null), row('leased_until_ms', '<=', nowMs)]))
    .returningAll(),
)

/** Ends the lease; the next attempt is due at `dueAtMs`. */
export async function postponeMail(db: Queries, id: string, dueAtMs: number): Promise<void> {
  await db.query
    .updateTable('queued_mails')
    .set({ due_at_ms: dueAtMs, leased_until_ms: null, turn_at_ms: null })
    .where('id', '=', id)
    .execute()
}

/** Ends the lease of a mail held until `untilMs`, and counts no attempt. Without `turnAtMs` it leaves the line. */
export async function holdMail(
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
 * Makes the mails to an address due that a pause held back. Locks all of its mails, and so waits for a sender that is
 * holding one back.
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
 * Deletes the mail of this kind to an address if it had at least one attempt: the person has received what it carries.
 * A mail requested since then has no attempt yet, and stays.
 */
export const deleteAttemptedMail = preparedInTransaction(
  (query: QueryBuilder, kind: Parameter<MailKind>, email: Parameter<string>) =>
    query.deleteFrom('queued_mails').where('kind', '=', kind).where('email', '=', email).where('attempts', '>', 0),
)

export const deleteMail = prepared((query: QueryBuilder, id: Parameter<string>) =>
  query.deleteFrom('queued_mails').where('id', '=', id),
)

/** Counts the mails of a mailbox that were held back, up to `limit`. */
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

/** At most one due mail to another proven address of the mailbox whose last link is older: it goes first. */
export const findMailsWithOlderLink = prepared((query: QueryBuilder, address: RowParameters<Address>) =>
  mailsWithOlderLink(query, address),
)

/** Deletes a batch of mails with a link to unproven addresses that were requested before a time and never tried. */
export async function deleteStaleMails(trx: Transaction, beforeMs: number, limit: number): Promise<void> {
  await deleteBatch(trx, {
    table: 'queued_mails',
    key: ['id'],
    orderedBy: 'created_at_ms',
    where: (row) =>
      row.and([
        row('turn_rank', '=', 1),
        row(row.fn.coalesce('kind', 'kind'), 'in', ['sign_in', 'email_change']),
        row('created_at_ms', '<', beforeMs),
        row('attempts', '=', 0),
      ]),
    limit,
  })
}
