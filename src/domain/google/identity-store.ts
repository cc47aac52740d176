import type { Selectable } from 'kysely'
import type { Queries, Transaction } from '../../database/database.ts'
import type { IdentitiesTable } from '../../database/tables/tables.ts'

export type Identity = Selectable<IdentitiesTable>

/**
 * The caller holds the user's lock.
 * @returns false when the identity has an account already, or the account has one of this issuer
 */
export async function insertIdentity(trx: Transaction, identity: Identity): Promise<boolean> {
  const inserted = await trx.query
    .insertInto('identities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .executeTakeFirst()
  return inserted !== undefined
}

export function findIdentity(db: Queries, issuer: string, subject: string): Promise<Identity | undefined> {
  return db.query
    .selectFrom('identities')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export function findIdentityOf(db: Queries, userId: string, issuer: string): Promise<Identity | undefined> {
  return db.query
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
}

export function findIdentitiesOf(db: Queries, userId: string): Promise<Identity[]> {
  return db.query.selectFrom('identities').selectAll().where('user_id', '=', userId).orderBy('issuer').execute()
}

export async function setIdentityEmail(trx: Transaction, { issuer, subject, email }: Identity): Promise<void> {
  await trx.query
    .updateTable('identities')
    .set({ email })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** The caller holds the user's lock. */
export async function deleteIdentity(trx: Transaction, { issuer, subject }: Identity): Promise<void> {
  await trx.query.deleteFrom('identities').where('issuer', '=', issuer).where('subject', '=', subject).execute()
}

/** The caller holds the user's lock. */
export async function deleteIdentitiesOf(trx: Transaction, userId: string): Promise<void> {
  await trx.query.deleteFrom('identities').where('user_id', '=', userId).execute()
}
