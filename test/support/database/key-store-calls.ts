/** The part of store-calls.ts for API keys. */
import type { Transaction } from '../../../src/database/database.ts'
import type { Tables } from '../../../src/database/tables/tables.ts'
import * as keyEnds from '../../../src/domain/keys/key-end-store.ts'
import * as keyExchange from '../../../src/domain/keys/key-exchange-store.ts'
import * as makers from '../../../src/domain/keys/key-maker-store.ts'
import * as keys from '../../../src/domain/keys/key-store.ts'
import * as amounts from '../../../src/domain/keys/restrictions/restriction-store.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import type { StoreCalls } from './mail-store-calls.ts'

export const keyStores: Readonly<Record<string, object>> = {
  'src/domain/keys/key-maker-store.ts': makers,
  'src/domain/keys/key-end-store.ts': keyEnds,
  'src/domain/keys/key-exchange-store.ts': keyExchange,
  'src/domain/keys/key-store.ts': keys,
  'src/domain/keys/restrictions/restriction-store.ts': amounts,
}

const DAY_MS = 24 * 3600 * 1000
/** As in store-calls.ts. */
const SOME = 10
const fresh = () => systemRandom.bytes(32).toString('hex')

type Sample = Readonly<{
  userId: string
  key: Tables['api_keys']
  maker: Tables['key_makers']
  amount: Tables['key_amounts']
  nowMs: number
}>

export function keyStoreCalls({ userId, key, maker, amount, nowMs }: Sample): Record<string, StoreCalls> {
  const expiring = { afterMs: nowMs, untilMs: nowMs + 7 * DAY_MS, lifetimeOverMs: 7 * DAY_MS }
  return {
    'src/domain/keys/key-maker-store.ts': {
      recordMaker: (trx) => makers.recordMaker(trx, maker, nowMs),
      countMakers: (trx) => makers.countMakers(trx, userId, 50),
      findMakersOfKeys: (trx) => makers.findMakersOfKeys(trx, [key.id, fresh()], ['created', 'rotated'], SOME),
      findKeysMadeBy: (trx) => makers.findKeysMadeBy(trx, userId, [key.id, fresh()], SOME),
      deleteUnneededKept: (trx) => makers.deleteUnneededKept(trx, [key.id, fresh()]),
      deleteMakers: (trx) => makers.deleteMakers(trx, [maker.id, fresh()]),
      findMakers: [undefined, { after: undefined, limit: SOME }, { after: maker, limit: SOME }].map(
        (some) => (trx: Transaction) => makers.findMakers(trx, userId, some),
      ),
      findMakersThatAreKeys: (trx) => makers.findMakersThatAreKeys(trx, userId, 100),
      findMakersUpToBound: (trx) => makers.findMakersUpToBound(trx, userId),
    },
    'src/domain/keys/key-end-store.ts': {
      countKeys: (trx) => keyEnds.countKeys(trx, userId, 50),
      findFirstEnded: [{ expiredUntilMs: nowMs }, { expiredUntilMs: nowMs, revokedUntilMs: nowMs }].map(
        (until) => (trx: Transaction) => keyEnds.findFirstEnded(trx, userId, until, SOME),
      ),
      deleteKeys: (trx) =>
        keyEnds.deleteKeys(trx, [
          { id: fresh(), revoked_at_ms: nowMs },
          { id: fresh(), revoked_at_ms: null },
        ]),
      insertRevokedKeys: (trx) => keyEnds.insertRevokedKeys(trx, [{ id: fresh(), revoked_at_ms: nowMs }]),
      findOwnersOfEndedKeys: (trx) => keyEnds.findOwnersOfEndedKeys(trx, nowMs - 180 * DAY_MS, SOME),
      findExpiring: [
        (trx) => keyEnds.findExpiring(trx, 'week_notice_at_ms', expiring, SOME),
        (trx) => keyEnds.findExpiring(trx, 'day_notice_at_ms', { ...expiring, untilMs: nowMs + DAY_MS }, SOME),
      ],
      markNoticed: (trx) => keyEnds.markNoticed(trx, 'week_notice_at_ms', [key.id, fresh()], nowMs),
    },
    'src/domain/keys/key-exchange-store.ts': {
      findKeyForExchange: (trx) => keyExchange.findKeyForExchange(trx, key.key_id),
      recordKeyUses: (trx) =>
        keyExchange.recordKeyUses(
          trx,
          [key.id, fresh()].map((id) => ({ id, atMs: nowMs, network: '203.0.113.9' })),
        ),
    },
    'src/domain/keys/key-store.ts': {
      lockKeysById: (trx) => keys.lockKeysById(trx, [key.id, fresh()]),
      insertKey: (trx) => keys.insertKey(trx, { ...key, id: fresh(), key_id: fresh() }),
      findKeysOfUser: (trx) => keys.findKeysOfUser(trx, userId, nowMs),
      findKeysById: (trx) => keys.findKeysById(trx, userId, [key.id, fresh()]),
      findKeysCreatedBy: (trx) => keys.findKeysCreatedBy(trx, userId, [key.id, fresh()]),
      findDescentOfKeys: (trx) => keys.findDescentOfKeys(trx, userId),
      setRevoked: (trx) => keys.setRevoked(trx, [key.id, fresh()], nowMs),
      findAllKeysOfUser: [undefined, { after: undefined, limit: SOME }, { after: key, limit: SOME }].map(
        (some) => (trx: Transaction) => keys.findAllKeysOfUser(trx, userId, some),
      ),
      findKey: (trx) => keys.findKey(trx, userId, key.id),
      findKeysBySecret: [[key.secret_hash], Array.from({ length: 20 }, fresh)].map(
        (hashes) => (trx: Transaction) => keys.findKeysBySecret(trx, hashes, nowMs),
      ),
      countLiveKeys: (trx) => keys.countLiveKeys(trx, userId, nowMs),
      hasKeysAwaitingOwner: (trx) => keys.hasKeysAwaitingOwner(trx, userId, nowMs),
      updateKey: (trx) => keys.updateKey(trx, key.id, { revoked_at_ms: nowMs }),
      updateKeys: (trx) => keys.updateKeys(trx, [key.id, fresh()], { revoked_at_ms: nowMs }),
      quarantineKeys: [
        (trx) => keys.quarantineKeys(trx, userId, nowMs),
        (trx) => keys.quarantineKeys(trx, userId, nowMs, [key.id]),
      ],
    },
    'src/domain/keys/restrictions/restriction-store.ts': {
      addAmount: (trx) => amounts.addAmount(trx, { ...amount, key_id: fresh() }),
      findAmountsOfDay: (trx) => amounts.findAmountsOfDay(trx, amount.user_id, amount),
      findAmountsOf: (trx) => amounts.findAmountsOf(trx, amount.user_id),
      moveAmounts: (trx) => amounts.moveAmounts(trx, amount.key_id, fresh()),
      deleteAmountsBefore: (trx) => amounts.deleteAmountsBefore(trx, amount.day, SOME),
    },
  }
}
