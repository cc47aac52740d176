import { sql } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { prepared, preparedInTransaction } from '../../database/prepared.ts'
import type { Parameter } from '../../database/prepared.ts'

/** Does nothing when the address is stored already. */
export const insertSpelling = preparedInTransaction(
  (query: QueryBuilder, email: Parameter<string>, mailbox: Parameter<string>) =>
    query
      .insertInto('spelled_mailboxes')
      .values({ email, mailbox })
      .onConflict((conflict) => conflict.column('email').doNothing()),
)

const findOne = prepared((query: QueryBuilder, mailbox: Parameter<string>) =>
  query
    .selectFrom('spelled_mailboxes')
    .select('email')
    .where('mailbox', '=', mailbox)
    .where(
      sql<string>`(select email from users where users.email = spelled_mailboxes.email and claimed_at_ms is not null and disabled_at_ms is null)`,
      'is not',
      null,
    )
    .limit(1),
)

/** Whether this mailbox has a proven address in another spelling, of an account that is not disabled. */
export async function hasProvenSpelling(db: Queries, mailbox: string): Promise<boolean> {
  return (await findOne(db, mailbox)).length > 0
}

export async function deleteSpelling(trx: Transaction, email: string): Promise<void> {
  await trx.query.deleteFrom('spelled_mailboxes').where('email', '=', email).execute()
}
