import type { Database } from '../../database/database.ts'
import type { Clock } from '../../lib/clock.ts'
import { restBetweenBatches } from '../rest-between-batches.ts'
import { eraseAccount } from './erase-account.ts'
import { isUnclaimedAndUnused, findUnclaimedPage } from './user-unclaimed-store.ts'
import { lockUser } from './user-store.ts'
import type { Unclaimed } from './user-unclaimed-store.ts'

const ACCOUNTS_AT_ONCE = 40

/**
 * Accounts created before a time, never claimed, and not used since: no key made, rotated or used, no payment link on
 * record, no Google account, not disabled. Read in pages.
 */
export async function* findUnclaimedUnused(db: Database, beforeMs: number): AsyncGenerator<string[]> {
  for (let after: Unclaimed | undefined; ;) {
    const page: Unclaimed[] = await findUnclaimedPage(db, { beforeMs, after, limit: ACCOUNTS_AT_ONCE })
    yield page.filter((user) => user.isUnused).map(({ id }) => id)
    if (page.length < ACCOUNTS_AT_ONCE) return
    after = page.at(-1)
  }
}

/** Deletes such accounts, each in a transaction of its own; the erasure deletes their rows. @returns how many */
export async function deleteUnclaimedUnused(
  { db, clock }: Readonly<{ db: Database; clock: Clock }>,
  beforeMs: number,
  stopping: AbortSignal,
): Promise<number> {
  let deleted = 0
  for await (const ids of findUnclaimedUnused(db, beforeMs)) {
    for (const id of ids) {
      if (stopping.aborted) return deleted
      deleted += await db.transaction(async (trx) => {
        const user = await lockUser(trx, 'id', id)
        // It may have been claimed or used meanwhile.
        if (user === undefined || !(await isUnclaimedAndUnused(trx, id, beforeMs))) return 0
        await eraseAccount(trx, user, clock.now())
        return 1
      })
      await restBetweenBatches(stopping)
    }
    await restBetweenBatches(stopping)
  }
  return deleted
}
