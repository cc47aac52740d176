import type { Transaction } from '../../database/database.ts'
import { isKeyHistoryFull, MAX_KEYS_ON_RECORD } from './key-history.ts'
import { countLiveKeys } from './key-store.ts'

const MAX_LIVE_KEYS = 25

export type KeyLimit = Readonly<{ name: string; message: string }>

/** The limit that refuses one more live key; `undefined` when there is room. The caller holds the user's lock. */
export async function keyLimitReached(trx: Transaction, userId: string, nowMs: number): Promise<KeyLimit | undefined> {
  if ((await countLiveKeys(trx, userId, nowMs)) >= MAX_LIVE_KEYS) {
    return {
      name: 'live-keys',
      message: `This account has reached its limit of ${MAX_LIVE_KEYS} live API keys. Revoke one first.`,
    }
  }
  if (!(await isKeyHistoryFull(trx, userId, nowMs))) return undefined
  const limit = MAX_KEYS_ON_RECORD.toLocaleString('en')
  const message = `This account has reached its limit of ${limit} API keys on record. Revoke keys that are awaiting the owner first.`
  return { name: 'keys-on-record', message }
}
