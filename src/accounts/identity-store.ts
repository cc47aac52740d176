/** The identities table: every query on it. */
import type { Selectable } from 'kysely'
import type { Db, DbTransaction, IdentitiesTable } from '../db/db.ts'

/** An identity's row. */
export type Identity = Selectable<IdentitiesTable>

/**
 * Adds an identity, unless it has an account or the account has one of this issuer. The caller holds the user's lock.
 * @returns whether it was added
 */
export async function insertIdentity(trx: DbTransaction, identity: Identity): Promise<boolean> {
  const inserted = await trx
    .insertInto('identities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .executeTakeFirst()
  return inserted !== undefined
}

/** The identity, which says whose account it signs in to. */
export function findIdentity(db: Db, issuer: string, subject: string): Promise<Identity | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** The user's identity at this issuer. */
export function findIdentityOf(db: Db, userId: string, issuer: string): Promise<Identity | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
}

/** All identities of the user. */
export function findIdentitiesOf(db: Db, userId: string): Promise<Identity[]> {
  return db.selectFrom('identities').selectAll().where('user_id', '=', userId).orderBy('issuer').execute()
}

/** Writes the address that the identity has now. */
export async function setIdentityEmail(trx: DbTransaction, { issuer, subject, email }: Identity): Promise<void> {
  await trx
    .updateTable('identities')
    .set({ email })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** Takes an identity out. The caller holds the user's lock. */
export async function deleteIdentity(trx: DbTransaction, { issuer, subject }: Identity): Promise<void> {
  await trx.deleteFrom('identities').where('issuer', '=', issuer).where('subject', '=', subject).execute()
}

/** Takes all identities of the user out. The caller holds the user's lock. */
export async function deleteIdentitiesOf(trx: DbTransaction, userId: string): Promise<void> {
  await trx.deleteFrom('identities').where('user_id', '=', userId).execute()
}
