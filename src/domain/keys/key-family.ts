/** Descent of keys: a caller that creates, rotates, widens or keeps a key can use it, or may have its secret. */
import type { Transaction } from '../../database/database.ts'
import type { DomainDeps } from '../deps.ts'
import { ApiError } from '../../errors.ts'
import type { Caller } from '../sign-in/authority.ts'
import { findMakersThatAreKeys, MAX_MAKERS, recordMaker } from './key-maker-store.ts'
import type { KeyMaker } from './key-maker-store.ts'
import { findKeysById } from './key-store.ts'
import type { User } from '../users/user-store.ts'

/** Records that the caller created, rotated, widened or kept a key. A key may rotate itself. */
export async function recordCallerAsMaker(
  trx: Transaction,
  { clock }: Pick<DomainDeps, 'clock'>,
  caller: Caller,
  { keyId, how }: Readonly<{ keyId: string; how: KeyMaker['how'] }>,
): Promise<void> {
  const { userId, apiKeyId, signInId } = caller
  const maker = { user_id: userId, key_id: keyId, how, maker_key_id: apiKeyId, sign_in_id: signInId }
  await recordMaker(trx, maker, clock.now())
}

/**
 * Refuses a key that the caller may not revoke, rotate or change. On a claimed account a key's token acts on that key and
 * on keys created by it. So does the token of a key with restrictions or an expiry anywhere: another key may do what it
 * may not, or for longer. Rotating a key gives no authority over it: otherwise a key could take over its maker. The
 * caller holds the user's lock.
 * @returns the keys the caller may act on; `undefined` for all keys of the account
 * @throws {ApiError} `SIGN_IN_REQUIRED`
 */
export async function requireAuthorityOver(
  trx: Transaction,
  { apiKeyId }: Caller,
  user: User,
  keyId: string,
): Promise<Set<string> | undefined> {
  if (apiKeyId === null) return undefined
  const [own] = await findKeysById(trx, user.id, [apiKeyId])
  const isBounded = own === undefined || own.effective_restrictions !== null || own.expires_at_ms !== null
  if (user.claimed_at_ms === null && !isBounded) return undefined
  // The account's id stands for deleted keys, whose makers are unknown.
  const isKnown = ({ key_id: key, maker_key_id: maker }: KeyMaker) => key !== user.id && maker !== user.id
  const makers = await findMakersThatAreKeys(trx, user.id, MAX_MAKERS)
  const created = makers.filter((maker) => maker.how === 'created' && isKnown(maker))
  const family = familyOf(created, [apiKeyId])
  if (family.has(keyId)) return family
  const message =
    'A token from an API key can act only on that key and on keys created with it. Use a token from a magic-link or Google sign-in.'
  throw new ApiError('SIGN_IN_REQUIRED', { message })
}

/** Record ids of these keys and of all keys that their tokens created, rotated or kept, directly or through others. */
export function familyOf(makers: readonly KeyMaker[], seeds: Iterable<string>): Set<string> {
  const childrenOf = new Map<string, string[]>()
  for (const { maker_key_id: maker, key_id: child } of makers) {
    if (maker === null) continue
    const children = childrenOf.get(maker)
    if (children === undefined) childrenOf.set(maker, [child])
    else children.push(child)
  }
  const family = new Set(seeds)
  // Iterating a Set also visits the members added meanwhile.
  for (const member of family) for (const child of childrenOf.get(member) ?? []) family.add(child)
  return family
}

/** The keys that these sign-ins created, rotated, widened or kept, and their families. */
export function familyOfSignIns(makers: readonly KeyMaker[], signInIds: ReadonlySet<string>): Set<string> {
  const made = makers.filter(({ sign_in_id: id }) => id !== null && signInIds.has(id))
  return familyOf(
    makers,
    made.map(({ key_id: keyId }) => keyId),
  )
}

/**
 * Everything that a person who could sign in since `fromMs` can have: what anybody did since then, what these sign-ins
 * and the sign-ins behind those actions did at any time, and the families of all of it.
 */
export function familySince(makers: readonly KeyMaker[], fromMs: number, signInIds: readonly string[]): Set<string> {
  const since = makers.filter((maker) => lastOf(maker) >= fromMs)
  const theirs = familyOfSignIns(makers, new Set([...signInIds, ...signInsOf(since)]))
  return familyOf(makers, [...theirs, ...since.map(({ key_id: keyId }) => keyId)])
}

/**
 * The keys created, rotated or widened in this time, the keys whose tokens did it, what the sign-ins behind it did at any time,
 * and the families of all of them.
 */
export function familyOfTimeSpan(makers: readonly KeyMaker[], fromMs: number, untilMs: number): Set<string> {
  const then = powersGiven(makers, fromMs, untilMs)
  const keys = then.flatMap(({ key_id: key, maker_key_id: maker }) => (maker === null ? [key] : [key, maker]))
  return familyOf(makers, [...keys, ...familyOfSignIns(makers, signInsOf(then))])
}

/** The sign-ins that created, rotated or widened a key in this time. */
export function signInsOfTimeSpan(makers: readonly KeyMaker[], fromMs: number, untilMs: number): Set<string> {
  return signInsOf(powersGiven(makers, fromMs, untilMs))
}

function powersGiven(makers: readonly KeyMaker[], fromMs: number, untilMs: number): KeyMaker[] {
  return makers.filter((maker) => maker.how !== 'kept' && lastOf(maker) >= fromMs && maker.at_ms <= untilMs)
}

const lastOf = ({ at_ms: atMs, last_at_ms: lastAtMs }: KeyMaker): number => lastAtMs ?? atMs

function signInsOf(makers: readonly KeyMaker[]): Set<string> {
  return new Set(makers.flatMap(({ sign_in_id: id }) => (id === null ? [] : [id])))
}
