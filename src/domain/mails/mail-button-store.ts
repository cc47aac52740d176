import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'
import { preparedInTransaction, preparedRow } from '../../database/prepared.ts'
import type { Parameter, RowParameters } from '../../database/prepared.ts'
import type { MailButtonsTable, MailPausesTable } from '../../database/tables/tables.ts'
import { mailboxKeyOf } from '../../database/tables/mail-tables.ts'

export type MailButton = Selectable<MailButtonsTable>

/** Pauses the mails that strangers can cause. */
export type MailPause = Selectable<MailPausesTable>

/** Call it when the mail that carries the button is sent. */
export const insertButton = preparedInTransaction((query: QueryBuilder, button: RowParameters<MailButton>) =>
  query.insertInto('mail_buttons').values(button),
)

/** The unexpired button with this token hash, used or not; none of a disabled account. */
export function findButton(
  db: Queries,
  action: MailButton['action'],
  tokenHash: string,
  nowMs: number,
): Promise<MailButton | undefined> {
  return db.query
    .selectFrom('mail_buttons')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('action', '=', action)
    .where('expires_at_ms', '>', nowMs)
    .where(sql`(select disabled_at_ms from users where users.email = mail_buttons.email)`, 'is', null)
    .executeTakeFirst()
}

/** The address that a sign-in link was mailed to, even if the link is used up. */
export async function findAddressOfLink(db: Queries, linkHash: string): Promise<string | undefined> {
  const button = await db.query
    .selectFrom('mail_buttons')
    .select('email')
    .where('link_hash', '=', linkHash)
    .executeTakeFirst()
  return button?.email
}

/** Marks a button as used: of concurrent callers only one gets `true`. Locks its row. */
export async function markUsed(trx: Transaction, tokenHash: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await trx.query
    .updateTable('mail_buttons')
    .set({ used_at_ms: nowMs })
    .where('token_hash', '=', tokenHash)
    .where('used_at_ms', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks all buttons of this kind in mails to an address as used. Locks their rows. */
export async function markAllUsed(
  trx: Transaction,
  action: MailButton['action'],
  email: string,
  nowMs: number,
): Promise<void> {
  await trx.query
    .updateTable('mail_buttons')
    .set({ used_at_ms: nowMs })
    .where('email', '=', email)
    .where('action', '=', action)
    .where('used_at_ms', 'is', null)
    .execute()
}

/** Records which sign-in used a link, for the "not me" button of the same mail. Locks that button's row. */
export const recordSignIn = preparedInTransaction(
  (query: QueryBuilder, linkHash: Parameter<string>, signInId: Parameter<string>) =>
    query.updateTable('mail_buttons').set({ sign_in_id: signInId }).where('link_hash', '=', linkHash),
)

/** Deletes a batch of expired buttons. @returns rows deleted; fewer than `limit` when none are left */
export function deleteExpiredButtons(db: Queries, nowMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'mail_buttons',
    key: ['token_hash'],
    orderedBy: 'expires_at_ms',
    where: (row) => row('expires_at_ms', '<=', nowMs),
    limit,
  })
}

export const findPause = preparedRow((query: QueryBuilder, email: Parameter<string>) =>
  query.selectFrom('mail_pauses').selectAll().where('email', '=', email),
)

/** The pause shared by all unproven addresses of a mailbox. */
export const findMailboxPause = (db: Queries, email: string): Promise<MailPause | undefined> =>
  findPause(db, mailboxKeyOf(email))

/** Pauses an address and the unproven addresses of its mailbox. An existing pause stays. */
export async function insertPause(trx: Transaction, email: string, nowMs: number): Promise<void> {
  await trx.query
    .insertInto('mail_pauses')
    .values([email, mailboxKeyOf(email)].map((paused) => ({ email: paused, paused_at_ms: nowMs, mailed_at_ms: null })))
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute()
}

/**
 * Records that a mail went out to a paused address, and does nothing for any other. It counts only if a mail made since
 * the pause began offers to end it: a link in an earlier mail is void.
 */
export async function recordMailDuringPause(trx: Transaction, email: string, nowMs: number): Promise<void> {
  await countMail(trx, email, mailboxKeyOf(email), nowMs)
}

const countMail = preparedInTransaction(
  (query: QueryBuilder, email: Parameter<string>, mailboxKey: Parameter<string>, nowMs: Parameter<number>) =>
    query
      .updateTable('mail_pauses')
      .set({ mailed_at_ms: nowMs })
      .where('email', 'in', [email, mailboxKey])
      .where((row) =>
        row.exists(
          row
            .selectFrom('mail_buttons')
            .select('token_hash')
            .where('mail_buttons.email', '=', email)
            .where('action', '=', 'resume_mail')
            .whereRef('mail_buttons.mailed_at_ms', '>=', 'mail_pauses.paused_at_ms'),
        ),
      ),
)

/** Ends the pause of an address and of its mailbox. */
export async function deletePause(trx: Transaction, email: string): Promise<void> {
  await trx.query
    .deleteFrom('mail_pauses')
    .where('email', 'in', [email, mailboxKeyOf(email)])
    .execute()
}

export function findButtonsOf(db: Queries, email: string): Promise<MailButton[]> {
  return db.query.selectFrom('mail_buttons').selectAll().where('email', '=', email).orderBy('mailed_at_ms').execute()
}

/** Deletes the buttons in mails to an address; without `action`, all of them. */
export async function deleteButtonsOf(trx: Transaction, email: string, action?: MailButton['action']): Promise<void> {
  await trx.query
    .deleteFrom('mail_buttons')
    .where('email', '=', email)
    .$if(action !== undefined, (query) => query.where('action', '=', action as MailButton['action']))
    .execute()
}

/**
 * Deletes a batch of old pauses without an account, whose deletion would remove them.
 * @returns rows deleted; fewer than `limit` when none are left
 */
export function deleteOldPauses(db: Queries, beforeMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'mail_pauses',
    key: ['email'],
    orderedBy: 'paused_at_ms',
    where: (row) =>
      row.and([
        row('paused_at_ms', '<', beforeMs),
        // Not a join: most pauses have an account, and PostgreSQL would read all accounts for it.
        row(sql`(select users.id from users where users.email = mail_pauses.email)`, 'is', null),
      ]),
    limit,
  })
}
