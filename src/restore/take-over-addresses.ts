/** Takes over the addresses of accounts and their changes: a change undone in the replaced database stays undone. */
import type { Queries, Transaction } from '../database/database.ts'
import { forEachPage } from '../database/pages.ts'
import { deleteSpelling } from '../domain/users/spelling-store.ts'
import { noteSpelling } from '../domain/users/claim.ts'

/** Accounts whose address differs in a replaced database that knows a later state of them. */
export type Moved = Map<string, Readonly<{ from: string; to: string }>>

/** Call it after all users are taken over: an address is free only then. */
export async function takeOverAddresses(trx: Transaction, moved: Moved): Promise<void> {
  // Repeats while an account moves: an address becomes free when another account leaves it.
  for (let before = -1; before !== moved.size;) {
    before = moved.size
    for (const [id, { from, to }] of moved) {
      const holder = await trx.query.selectFrom('users').select('id').where('email', '=', to).executeTakeFirst()
      if (holder !== undefined) continue
      await trx.query.updateTable('users').set({ email: to }).where('id', '=', id).execute()
      await deleteSpelling(trx, from)
      await noteSpelling(trx, to)
      moved.delete(id)
    }
  }
}

/** Takes over confirmed changes, which reserve addresses, and whether they have ended. */
export async function takeOverChanges(trx: Transaction, replaced: Queries): Promise<void> {
  await forEachPage(replaced, 'address_changes', 'id', async (page) => {
    const ids = [...new Set(page.map((change) => change.user_id))]
    const users = await trx.query
      .selectFrom('users')
      .select('id')
      .where('id', 'in', ids)
      .where('deleted_at_ms', 'is', null)
      .execute()
    const known = new Set(users.map(({ id }) => id))
    for (const change of page.filter((one) => one.confirmed_at_ms !== null && known.has(one.user_id))) {
      const state = {
        confirmed_at_ms: change.confirmed_at_ms,
        undo_until_ms: change.undo_until_ms,
        ended_at_ms: change.ended_at_ms,
        deletion_asked_at_ms: change.deletion_asked_at_ms,
        identities: change.identities,
        kept_until_ms: change.kept_until_ms,
      }
      const { id, user_id, old_email, new_email, sign_in_id, token_version, asked_at_ms, expires_at_ms } = change
      // By name: a newer version may have more columns.
      const row = { id, user_id, old_email, new_email, sign_in_id, token_version, asked_at_ms, expires_at_ms, ...state }
      await trx.query
        .insertInto('address_changes')
        .values(row)
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet(state).where('address_changes.ended_at_ms', 'is', null),
        )
        .execute()
    }
  })
}
