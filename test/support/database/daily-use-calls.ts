/** The part of store-calls.ts for the uses of keys per day. */
import type { Transaction } from '../../../src/database/database.ts'
import * as dailyUses from '../../../src/domain/keys/daily-uses/daily-use-store.ts'
import type { StoreCalls } from './mail-store-calls.ts'

export const dailyUseStores = { 'src/domain/keys/daily-uses/daily-use-store.ts': dailyUses }

/** As in store-calls.ts. */
const SOME = 10

export function dailyUseCalls(key: Readonly<{ id: string; user_id: string }>): Record<string, StoreCalls> {
  const use = { key_id: key.id, day: '2026-11-23', exchanges: 1, refusals: 0 }
  const after = { ...use, user_id: key.user_id }
  return {
    'src/domain/keys/daily-uses/daily-use-store.ts': {
      addDailyUses: (trx) => dailyUses.addDailyUses(trx, [use]),
      findDailyUses: (trx) => dailyUses.findDailyUses(trx, key.id, use.day),
      findDailyUsesOfUser: [undefined, after].map(
        (last) => (trx: Transaction) => dailyUses.findDailyUsesOfUser(trx, key.user_id, { after: last, limit: 50 }),
      ),
      deleteDailyUsesBefore: (trx) => dailyUses.deleteDailyUsesBefore(trx, '2026-10-24', SOME),
    },
  }
}
