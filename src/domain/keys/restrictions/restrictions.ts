/** What a key may do: its own restrictions, and how they combine with those of the keys above it (decision 0061). */
import { LRUCache } from 'lru-cache'
import { ApiError } from '../../../errors.ts'
import { currencies } from '../../payment-links/currency.ts'
import type { Currency } from '../../payment-links/currency.ts'
import { commonNetworks, isInNetworks } from '../../../lib/cidr.ts'
import { grantableScopes, scopeNames } from './scopes.ts'
import type { Scope } from './scopes.ts'

/** Minor units, by currency. */
export type Amounts = Readonly<Partial<Record<Currency, number>>>

/** An absent field restricts nothing. */
export type Restrictions = Readonly<{
  scopes?: Scope[]
  /** Of callers, in CIDR notation. */
  networks?: string[]
  currencies?: Currency[]
  /** Of one payment link. Currencies that it does not name are refused. */
  maxAmount?: Amounts
  /** Of all payment links of a day (UTC) by the key and its descendants. Currencies that it does not name are refused. */
  dailyAmount?: Amounts
}>

/** Of one list. Otherwise a chain of keys, each with other networks, would have ever more of them in common. */
export const MAX_NETWORKS = 20

/** Null: unrestricted. */
export type StoredRestrictions = string | null

// Few keys have restrictions of their own kind, and their rows are read on every call.
const parsed = new LRUCache<string, Restrictions>({ max: 1000 })

export function parseRestrictions(stored: StoredRestrictions): Restrictions | null {
  if (stored === null) return null
  const known = parsed.get(stored)
  if (known !== undefined) return known
  const restrictions = Object.freeze(JSON.parse(stored) as Restrictions)
  parsed.set(stored, restrictions)
  return restrictions
}

/** The same restrictions give the same text. */
export function storeRestrictions(restrictions: Restrictions | null): StoredRestrictions {
  return restrictions && toText(both(restrictions, restrictions))
}

/** What both allow; of more than 20 networks the first 20. */
export function narrow(one: StoredRestrictions, other: StoredRestrictions): StoredRestrictions {
  return toText(both(parseRestrictions(one) ?? {}, parseRestrictions(other) ?? {}))
}

const toText = (kept: Restrictions): StoredRestrictions =>
  Object.keys(kept).length === 0 ? null : JSON.stringify(kept)

/**
 * What a key may do below another.
 * @throws {ApiError} `VALIDATION_FAILED` when they have too many networks in common: none is dropped unnoticed
 */
export function narrowBelow(above: StoredRestrictions, own: StoredRestrictions): StoredRestrictions {
  const networks = commonNetworks(parseRestrictions(above)?.networks, parseRestrictions(own)?.networks) ?? []
  if (networks.length > MAX_NETWORKS) throw new ApiError('VALIDATION_FAILED', { message: TOO_MANY_NETWORKS })
  return narrow(above, own)
}

const TOO_MANY_NETWORKS = `\`restrictions.networks\` must have at most ${MAX_NETWORKS} networks in common with those of the key above.`

/** Whether `one` allows nothing that `other` does not. */
export const isWithin = (one: StoredRestrictions, other: StoredRestrictions): boolean => narrow(one, other) === one

function both(one: Restrictions, other: Restrictions): Restrictions {
  const kept = {
    scopes: common(scopeNames, one.scopes, other.scopes, grantableScopes),
    networks: commonNetworks(one.networks, other.networks)?.slice(0, MAX_NETWORKS),
    currencies: common(currencies, one.currencies, other.currencies),
    maxAmount: commonAmounts(one.maxAmount, other.maxAmount),
    dailyAmount: commonAmounts(one.dailyAmount, other.dailyAmount),
  }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
}

function common<T>(
  all: readonly T[],
  one: readonly T[] | undefined,
  other: readonly T[] | undefined,
  unrestricted = all,
) {
  if (one === undefined && other === undefined) return undefined
  return all.filter((each) => (one ?? unrestricted).includes(each) && (other ?? unrestricted).includes(each))
}

function commonAmounts(one: Amounts | undefined, other: Amounts | undefined): Amounts | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const amounts = currencies.flatMap((currency) => {
    const [first, second] = [one[currency], other[currency]]
    return first === undefined || second === undefined ? [] : [[currency, Math.min(first, second)]]
  })
  return Object.fromEntries(amounts)
}

export const scopesOf = (restrictions: Restrictions | null): readonly Scope[] => restrictions?.scopes ?? grantableScopes

export const hasScope = (restrictions: Restrictions | null, scope: Scope): boolean =>
  scopesOf(restrictions).includes(scope)

export const isFromAllowedNetwork = (restrictions: Restrictions | null, ip: string): boolean =>
  restrictions?.networks === undefined || isInNetworks(ip, restrictions.networks)

/** The currencies in which the key may create payment links. */
export function allowedCurrencies({ currencies: named, maxAmount, dailyAmount }: Restrictions): Currency[] {
  return currencies.filter(
    (currency) =>
      (named?.includes(currency) ?? true) &&
      [maxAmount, dailyAmount].every((amounts) => amounts === undefined || amounts[currency] !== undefined),
  )
}
