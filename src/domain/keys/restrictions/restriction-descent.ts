/** Restrictions along the descent of keys: a key may never do more than the key whose token created it. */
import type { Transaction } from '../../../database/database.ts'
import { findMakersThatAreKeys } from '../key-maker-store.ts'
import { findDescentOfKeys, findKeysById, findKeysCreatedBy, updateKey, updateKeys } from '../key-store.ts'
import type { ApiKey, KeyInDescent } from '../key-store.ts'
import { narrow, narrowBelow, parseRestrictions } from './restrictions.ts'
import type { Amounts } from './restrictions.ts'
import { moveAmounts } from './restriction-store.ts'
import type { KeyAmount } from './restriction-store.ts'

/** Which key's token created each key of the user. The caller holds the user's lock. */
async function findCreators(
  trx: Transaction,
  userId: string,
  keys: readonly KeyInDescent[],
): Promise<ReadonlyMap<string, string>> {
  const creators = new Map(keys.flatMap(({ id, creator_id: creator }) => (creator === null ? [] : [[id, creator]])))
  const isFromBefore = keys.some(({ creator_id: creator, family_id: family }) => creator === null && family !== null)
  if (!isFromBefore) return creators
  const onRecord = new Set(idsOf(keys))
  for (const { how, key_id: key, maker_key_id: maker } of await findMakersThatAreKeys(trx, userId)) {
    const isKnown = maker !== null && maker !== key && onRecord.has(key) && onRecord.has(maker)
    if (how === 'created' && isKnown && !creators.has(key)) creators.set(key, maker)
  }
  return creators
}

/**
 * Stores a key's own restrictions, and what it and its descendants may do with them. The caller holds the user's lock.
 * @param key with its new `restrictions`
 * @returns the key with its new `effective_restrictions`
 * @throws {ApiError} `VALIDATION_FAILED` when it has too many networks in common with the key above
 */
export async function storeRestrictionsOf(trx: Transaction, key: ApiKey, nowMs: number): Promise<ApiKey> {
  const keys = await findDescentOfKeys(trx, key.user_id)
  const creators = await findCreators(trx, key.user_id, keys)
  const above = keys.find(({ id }) => id === creators.get(key.id))
  // Narrowing by nothing would take away what only the operator gives.
  const effect = above === undefined ? key.restrictions : narrowBelow(above.effective_restrictions, key.restrictions)
  await updateKeys(trx, [key.id], { restrictions: key.restrictions, effective_restrictions: effect })

  const childrenOf = Map.groupBy(keys, ({ id }) => creators.get(id))
  const below = new Set<KeyInDescent>(childrenOf.get(key.id))
  // Iterating a Set also visits the members added meanwhile, here each after its creator.
  for (const { id } of below) for (const child of childrenOf.get(id) ?? []) if (child.id !== key.id) below.add(child)

  const effects = new Map([[key.id, effect]])
  const acting = findActing([...below], creators, nowMs)
  for (const child of acting)
    effects.set(child.id, narrow(effects.get(creators.get(child.id) ?? '') ?? null, child.restrictions))
  await updateEach(trx, acting, 'effective_restrictions', ({ id }) => effects.get(id) ?? null)
  // Keys from before the column: the records of their creators can be deleted.
  await updateEach(trx, [...below], 'creator_id', ({ id }) => creators.get(id) ?? null)
  return { ...key, effective_restrictions: effect }
}

/**
 * Without the keys that have ended and above no other: most of a thousand, and none can ever act again.
 * @param keys each after its creator
 */
function findActing(
  keys: readonly KeyInDescent[],
  creators: ReadonlyMap<string, string>,
  nowMs: number,
): KeyInDescent[] {
  const needed = new Set<string | undefined>()
  for (const key of keys.toReversed()) {
    const hasEnded = key.revoked_at_ms !== null || (key.expires_at_ms ?? Infinity) <= nowMs
    if (!hasEnded || needed.has(key.id)) needed.add(key.id).add(creators.get(key.id))
  }
  return keys.filter(({ id }) => needed.has(id))
}

// One statement for all keys with the same value: an account can have a thousand.
async function updateEach(
  trx: Transaction,
  keys: readonly KeyInDescent[],
  column: 'effective_restrictions' | 'creator_id',
  valueOf: (key: KeyInDescent) => string | null,
): Promise<void> {
  const changed = keys.filter((key) => key[column] !== valueOf(key))
  for (const [value, some] of Map.groupBy(changed, valueOf)) await updateKeys(trx, idsOf(some), { [column]: value })
}

const idsOf = (keys: readonly KeyInDescent[]) => keys.map(({ id }) => id)

/**
 * Gives the restrictions of keys to the keys that they created, before their records are deleted. What they made today
 * still counts towards the limits that they shared. `sharesDailyAmount` (key-end-store.ts) keeps the record of a key
 * whose own limit several keys share. The caller holds the user's lock.
 * @returns the keys that can be deleted
 */
export async function handDown(trx: Transaction, userId: string, ended: readonly ApiKey[]): Promise<ApiKey[]> {
  const deletable: ApiKey[] = []
  for (const one of ended) {
    // Read again: a key before it may have handed down to it.
    const [key] = await findKeysById(trx, userId, [one.id])
    if (key === undefined) continue
    const children = await findKeysCreatedBy(trx, userId, [key.id])
    const hasLimit = parseRestrictions(key.restrictions)?.dailyAmount !== undefined
    // From a key before it, it got the limit or the second child.
    if (hasLimit && children.length > 1) continue
    deletable.push(one)
    for (const child of children) {
      const restrictions = narrow(key.restrictions, child.restrictions)
      await updateKey(trx, child.id, { restrictions, creator_id: key.creator_id })
    }
    const heirId = (hasLimit ? children[0]?.id : undefined) ?? key.creator_id
    if (heirId !== null) await moveAmounts(trx, key.id, heirId)
  }
  return deletable
}

/** `used`: what the key and its descendants made. */
export type DailyLimit = Readonly<{ amounts: Amounts; used: number }>

/**
 * The limits per day that a payment link by this key counts towards: its own, and those of the keys above it. The caller
 * holds the user's lock.
 * @param made by the keys of the user, on one day and in one currency
 */
export async function findDailyLimits(
  trx: Transaction,
  { id: keyId, user_id: userId }: ApiKey,
  made: readonly Pick<KeyAmount, 'key_id' | 'amount'>[],
): Promise<DailyLimit[]> {
  const keys = await findDescentOfKeys(trx, userId)
  const creators = await findCreators(trx, userId, keys)
  // What a key made counts for every key of the chain from where its own chain meets it.
  const usedFrom = new Map(chainOf(creators, keyId).map((id) => [id, 0]))
  for (const { key_id, amount } of made) {
    const meeting = chainOf(creators, key_id).find((id) => usedFrom.has(id))
    if (meeting !== undefined) usedFrom.set(meeting, (usedFrom.get(meeting) ?? 0) + amount)
  }
  const restrictionsOf = new Map(keys.map(({ id, restrictions }) => [id, parseRestrictions(restrictions)]))
  let used = 0
  return [...usedFrom].flatMap(([id, amount]) => {
    used += amount
    const amounts = restrictionsOf.get(id)?.dailyAmount
    return amounts === undefined ? [] : [{ amounts, used }]
  })
}

/** The key, the key that created it, and so on; a circle ends at its beginning. */
function* chainOf(creators: ReadonlyMap<string, string>, keyId: string): Generator<string, undefined> {
  const met = new Set<string>()
  for (let id: string | undefined = keyId; id !== undefined && !met.has(id); id = creators.get(id)) {
    met.add(id)
    yield id
  }
  return undefined
}
