/** Deleted, disabled and enabled accounts in the order of the commits, for services behind (docs/decisions/0049). */
import type { Selectable } from 'kysely'
import type { Queries, Transaction } from '../../database/database.ts'
import type { AccountChangesTable } from '../../database/tables/tables.ts'

export type AccountChange = Selectable<AccountChangesTable>

const COUNTER = 'account_changes'

/**
 * Records the change in place of the account's last one. Locks the one row that gives positions until the transaction
 * ends, so that positions are in the order of the commits: call it last.
 */
export async function recordAccountChange(
  trx: Transaction,
  userId: string,
  kind: AccountChange['kind'],
  nowMs: number,
): Promise<void> {
  const { position } = await trx.query
    .insertInto('account_change_counter')
    .values({ id: COUNTER, position: nowMs })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({
        // Not below the time: a restored database does not give positions again that readers have passed.
        position: row
          .case()
          .when('account_change_counter.position', '<', row.ref('excluded.position'))
          .then(row.ref('excluded.position'))
          .else(row('account_change_counter.position', '+', 1))
          .end(),
      })),
    )
    .returning('position')
    .executeTakeFirstOrThrow()
  const change = { kind, at_ms: nowMs, position }
  await trx.query
    .insertInto('account_changes')
    .values({ user_id: userId, ...change })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute()
}

/** The position of the last change; 0 before the first. */
export async function findLastPosition(db: Queries): Promise<number> {
  const row = await db.query.selectFrom('account_change_counter').select('position').executeTakeFirst()
  return row?.position ?? 0
}

/** Changes with a higher position, in order. */
export function findAccountChanges(db: Queries, afterPosition: number, limit: number): Promise<AccountChange[]> {
  return db.query
    .selectFrom('account_changes')
    .selectAll()
    .where('position', '>', afterPosition)
    .orderBy('position')
    .limit(limit)
    .execute()
}

/** Later changes get higher positions: readers may have passed this one. */
export async function raisePosition(trx: Transaction, position: number): Promise<void> {
  await trx.query
    .insertInto('account_change_counter')
    .values({ id: COUNTER, position })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ position }).where('account_change_counter.position', '<', position),
    )
    .execute()
}
