import type { Transaction } from '../../database/database.ts'
import { isKeyHistoryFull, MAX_KEYS_ON_RECORD } from './key-history.ts'
import { countLiveKeys } from './key-store.ts'

export const MAX_LIVE_KEYS = 25

export type KeyLimit = Readonly<{ name: string; message: string }>

/** The limit that refuses a new key; `undefined` when there is room. The caller holds the user's lock. */
export async function keyLimitReached(trx: Transaction, userId: string, nowMs: number): Promise<KeyLimit | undefined> {
  const liveLimit = await liveKeyLimitReached(trx, userId, nowMs)
  if (liveLimit !== undefined || !(await isKeyHistoryFull(trx, userId, nowMs))) return liveLimit
  const limit = MAX_KEYS_ON_RECORD.toLocaleString('en')
  const message = `This account has reached its limit of ${limit} API keys on record. Revoke keys that are awaiting the owner first.`
  return { name: 'keys-on-record', message }
}

/** As `keyLimitReached`, for a key on record that becomes live. */
export async function liveKeyLimitReached(
  trx: Transaction,
  userId: string,
  nowMs: number,
): Promise<KeyLimit | undefined> {
  if ((await countLiveKeys(trx, userId, nowMs)) < MAX_LIVE_KEYS) return undefined
  const message = `This account has reached its limit of ${MAX_LIVE_KEYS} live API keys. Revoke one first.`
  return { name: 'live-keys', message }
}
