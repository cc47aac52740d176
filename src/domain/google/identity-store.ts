/** The identities table: every query on it. */
import type { Selectable } from 'kysely'
import type { Queries, Transaction } from '../../database/database.ts'
import type { IdentitiesTable } from '../../database/tables/tables.ts'

/** An identity's row. */
export type Identity = Selectable<IdentitiesTable>

/**
 * Adds an identity, unless it has an account or the account has one of this issuer. The caller holds the user's lock.
 * @returns whether it was added
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

/** The identity, which says whose account it signs in to. */
export function findIdentity(db: Queries, issuer: string, subject: string): Promise<Identity | undefined> {
  return db.query
    .selectFrom('identities')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** The user's identity at this issuer. */
export function findIdentityOf(db: Queries, userId: string, issuer: string): Promise<Identity | undefined> {
  return db.query
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
}

/** All identities of the user. */
export function findIdentitiesOf(db: Queries, userId: string): Promise<Identity[]> {
  return db.query.selectFrom('identities').selectAll().where('user_id', '=', userId).orderBy('issuer').execute()
}

/** Writes the address that the identity has now. */
export async function setIdentityEmail(trx: Transaction, { issuer, subject, email }: Identity): Promise<void> {
  await trx.query
    .updateTable('identities')
    .set({ email })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** Takes an identity out. The caller holds the user's lock. */
export async function deleteIdentity(trx: Transaction, { issuer, subject }: Identity): Promise<void> {
  await trx.query.deleteFrom('identities').where('issuer', '=', issuer).where('subject', '=', subject).execute()
}

/** Takes all identities of the user out. The caller holds the user's lock. */
export async function deleteIdentitiesOf(trx: Transaction, userId: string): Promise<void> {
  await trx.query.deleteFrom('identities').where('user_id', '=', userId).execute()
}
