/** The buttons in mails, and the addresses whose holders asked for peace: every query on both tables. */
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'
import { prepared, preparedWrite } from '../../database/prepared.ts'
import type { Parameter, RowParameters } from '../../database/prepared.ts'
import type { MailButtonsTable, MailPausesTable } from '../../database/tables/tables.ts'
import { mailboxKeyOf } from '../../database/tables/mail-tables.ts'

/** A button in a mail. */
export type MailButton = Selectable<MailButtonsTable>

/** A pause of the mails that strangers can cause. */
export type MailPause = Selectable<MailPausesTable>

/** Adds a button, as the mail that carries it is sent. */
export const insertButton = preparedWrite((query: QueryBuilder, button: RowParameters<MailButton>) =>
  query.insertInto('mail_buttons').values(button),
)

/** The unexpired button with this token hash, pressed or not, of no disabled account; reading it changes nothing. */
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

/** Whose mail a sign-in link came in, even where the link itself is used up. */
export async function findAddressOfLink(db: Queries, linkHash: string): Promise<string | undefined> {
  const button = await db.query
    .selectFrom('mail_buttons')
    .select('email')
    .where('link_hash', '=', linkHash)
    .executeTakeFirst()
  return button?.email
}

/** Presses a button: of any number of callers at once, one gets `true`. Locks its row. */
export async function markUsed(trx: Transaction, tokenHash: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await trx.query
    .updateTable('mail_buttons')
    .set({ used_at_ms: nowMs })
    .where('token_hash', '=', tokenHash)
    .where('used_at_ms', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Remembers which sign-in used a link, for the "not me" of the same mail. Locks that button's row. */
export const recordSignIn = preparedWrite(
  (query: QueryBuilder, linkHash: Parameter<string>, signInId: Parameter<string>) =>
    query.updateTable('mail_buttons').set({ sign_in_id: signInId }).where('link_hash', '=', linkHash),
)

/** Deletes a batch of expired buttons. @returns how many; fewer than `limit`: there were no more */
export function deleteExpiredButtons(db: Queries, nowMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'mail_buttons',
    key: ['token_hash'],
    orderedBy: 'expires_at_ms',
    where: (row) => row('expires_at_ms', '<=', nowMs),
    limit,
  })
}

const readPause = prepared((query: QueryBuilder, email: Parameter<string>) =>
  query.selectFrom('mail_pauses').selectAll().where('email', '=', email),
)

/** The pause of an address, if it has one. */
export async function findPause(db: Queries, email: string): Promise<MailPause | undefined> {
  return (await readPause(db, email))[0]
}

/** The pause of all addresses of a mailbox that nobody has proven, if one of them was paused. */
export const findMailboxPause = (db: Queries, email: string): Promise<MailPause | undefined> =>
  findPause(db, mailboxKeyOf(email))

/** Pauses an address and the unproven ones of its mailbox; where they are paused already, that pause stays. */
export async function insertPause(trx: Transaction, email: string, nowMs: number): Promise<void> {
  await trx.query
    .insertInto('mail_pauses')
    .values([email, mailboxKeyOf(email)].map((paused) => ({ email: paused, paused_at_ms: nowMs, mailed_at_ms: null })))
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute()
}

/**
 * Writes that a mail went out to a paused address; does nothing for any other, and nothing where no mail
 * was made since the pause began that offers its end: one that was on its way by then carries a void link.
 */
export async function recordMailDuringPause(trx: Transaction, email: string, nowMs: number): Promise<void> {
  await countMail(trx, email, mailboxKeyOf(email), nowMs)
}

const countMail = preparedWrite(
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

/** Lifts the pause of an address, and of its mailbox. */
export async function deletePause(trx: Transaction, email: string): Promise<void> {
  await trx.query
    .deleteFrom('mail_pauses')
    .where('email', 'in', [email, mailboxKeyOf(email)])
    .execute()
}

/** Every button of an address. */
export function findButtonsOf(db: Queries, email: string): Promise<MailButton[]> {
  return db.query.selectFrom('mail_buttons').selectAll().where('email', '=', email).orderBy('mailed_at_ms').execute()
}

/** Takes every button of an address out. */
export async function deleteButtonsOf(trx: Transaction, email: string): Promise<void> {
  await trx.query.deleteFrom('mail_buttons').where('email', '=', email).execute()
}

/**
 * Deletes a batch of pauses older than a time, of addresses that have no account: nobody else
 * could ask for it.
 * @returns how many; fewer than `limit`: there were no more
 */
export function deleteForgottenPauses(db: Queries, beforeMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'mail_pauses',
    key: ['email'],
    orderedBy: 'paused_at_ms',
    where: (row) =>
      row.and([
        row('paused_at_ms', '<', beforeMs),
        // Not a join: as most pauses have an account, PostgreSQL would read all accounts for it.
        row(sql`(select users.id from users where users.email = mail_pauses.email)`, 'is', null),
      ]),
    limit,
  })
}
