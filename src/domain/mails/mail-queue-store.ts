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

/** Deletes the queued mails to an address; without `kind`, of all kinds. */
export async function deleteMailsTo(trx: Transaction, email: string, kind?: MailKind): Promise<void> {
  await trx.query
    .deleteFrom('queued_mails')
    .where('email', '=', email)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as MailKind))
    .execute()
}

/** A mail that may be leased; `at_ms`: its place in line, or the time since which it is due. */
export type DueMail = Readonly<{ id: string; at_ms: number }>

/**
 * The due mails that are next, at most one to a mailbox.
 * @param query `isOwnersOnly`: skips mails to unproven addresses
 * @returns `isMoreDue`: whether others may be due
 */
export async function findDueMails(
  db: Queries,
  { nowMs, limit, isOwnersOnly }: Readonly<{ nowMs: number; limit: number; isOwnersOnly: boolean }>,
): Promise<Readonly<{ mails: DueMail[]; isMoreDue: boolean }>> {
  const found = await findFirstDue(db, { nowMs, limit, lastRank: isOwnersOnly ? 0 : 1 })
  const mails = selectNextMails(found, limit)
  return { mails, isMoreDue: found.length > mails.length || mails.length === limit }
}

const findFirstDue = prepared((query: QueryBuilder, due: RowParameters<DueMailsQuery>) =>
  dueMails(query, due, Object.keys(mailKinds) as MailKind[]),
)

type Lease = Readonly<{ id: string; nowMs: number; untilMs: number }>

/**
 * Leases a mail if it is due: until the lease ends no other process gets it. Takes it out of line, so that a newer request
 * does not change its content, and locks its row: a transaction that deletes it waits, and then also deletes what was made
 * for it.
 */
export const leaseMail = preparedInTransaction((query: QueryBuilder, { id, nowMs, untilMs }: RowParameters<Lease>) =>
  query
    // Skips a locked mail: waiting for one that is deleted with its account would delay the others.
    .with('free_mails', (free) =>
      free.selectFrom('queued_mails').select('id').where('id', '=', id).forUpdate().skipLocked(),
    )
    .updateTable('queued_mails')
    .set((row) => ({ leased_until_ms: untilMs, attempts: row('attempts', '+', 1), turn_at_ms: null }))
    .where('id', 'in', (free) => free.selectFrom('free_mails').select('id'))
    // Another process may have held it back or postponed it since it was found.
    .where('due_at_ms', '<=', nowMs)
    .where((row) => row.or([row('leased_until_ms', 'is', null), row('leased_until_ms', '<=', nowMs)]))
    .returningAll(),
)

/** Ends the lease of this attempt; the next one is due at `dueAtMs`. A lease of a later attempt stays. */
export async function postponeMail(
  db: Queries,
  { id, attempts }: Pick<QueuedMail, 'id' | 'attempts'>,
  dueAtMs: number,
): Promise<void> {
  await db.query
    .updateTable('queued_mails')
    .set({ due_at_ms: dueAtMs, leased_until_ms: null, turn_at_ms: null })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}

/** Ends the lease of a mail held until `untilMs`, and counts no attempt. Without a place (`turnAtMs`) it leaves the line. */
export async function holdMail(trx: Transaction, id: string, untilMs: number, turnAtMs: number | null): Promise<void> {
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

/** Makes a batch of mails due that were queued after `afterMs`, except locked ones. @returns how many */
export async function makeDueFromFuture(db: Queries, afterMs: number, nowMs: number, limit: number): Promise<number> {
  const { numUpdatedRows } = await db.query
    .with('batch', (some) =>
      some
        .selectFrom('queued_mails')
        .select('id')
        .where('turn_rank', 'in', [0, 1])
        .where('created_at_ms', '>', afterMs)
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('queued_mails')
    .set({ created_at_ms: nowMs, due_at_ms: nowMs, held_until_ms: null, leased_until_ms: null })
    .where('id', 'in', (some) => some.selectFrom('batch').select('id'))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
