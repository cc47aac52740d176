/** How many live keys an account may have. */
import { countLiveKeys } from '../../accounts/key-store.ts'
import type { DbTransaction } from '../../db/db.ts'
import { ApiError } from '../../errors.ts'

const MOST_LIVE_KEYS = 25

/**
 * Refuses one live key more than an account may have. Keys that wait for the owner do not count:
 * whoever took the address first could otherwise leave the owner no room.
 * The caller holds the user's lock, so that two at once cannot both be the last.
 * @throws {ApiError} `KEY_LIMIT_REACHED`
 */
export async function refuseBeyondLimit(
  trx: DbTransaction,
  userId: string,
  nowMs: number,
): Promise<void> {
  if ((await countLiveKeys(trx, userId, nowMs)) >= MOST_LIVE_KEYS) {
    throw new ApiError('KEY_LIMIT_REACHED')
  }
}
