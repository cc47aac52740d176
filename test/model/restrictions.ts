/** Restricted keys in the model: written as sets and sums over the tree of keys, without what the service stores. */
import type { ModelAccount, ModelKey, ModelToken } from './model.ts'

type Amounts = Readonly<Record<string, number>>

export type ModelRestrictions = Readonly<{
  scopes?: readonly string[]
  currencies?: readonly string[]
  maxAmount?: Amounts
  dailyAmount?: Amounts
}>

const LINKS = ['payment_links:read', 'payment_links:write']
const KEYS = ['keys:read', 'keys:write']

/** What keys of a life ask for. */
export const someRestrictions: readonly (ModelRestrictions | null)[] = [
  null,
  { scopes: [...KEYS, ...LINKS] },
  { scopes: [...LINKS] },
  { scopes: ['account:read', 'events:read', 'keys:read', 'payment_links:read'] },
  { currencies: ['RON', 'EUR'], maxAmount: { RON: 2, EUR: 1 } },
  { dailyAmount: { RON: 3, EUR: 2, GBP: 2 } },
  { scopes: [...KEYS, ...LINKS], dailyAmount: { RON: 4, EUR: 4 } },
]

/** The scope that a route needs. */
export function scopeOf(route: string): string {
  const kind = route.startsWith('GET') ? 'read' : 'write'
  if (route.includes(' /auth/api-keys')) return `keys:${kind}`
  if (route.includes(' /payment-links')) return `payment_links:${kind}`
  return route.includes(' /auth/events') ? 'events:read' : `account:${kind}`
}

/** The key, and the keys above it: each created the one before. */
export function chainOf(account: ModelAccount, key: ModelKey): ModelKey[] {
  const creation = account.makers.find((maker) => maker.isCreation && maker.key === key)
  return creation === undefined || typeof creation.by === 'string' ? [key] : [key, ...chainOf(account, creation.by)]
}

const restrictionsAbove = (account: ModelAccount, key: ModelKey): ModelRestrictions[] =>
  chainOf(account, key).flatMap(({ restrictions }) => restrictions ?? [])

export const isRestricted = (account: ModelAccount, key: ModelKey): boolean =>
  restrictionsAbove(account, key).length > 0

export const scopesOf = (account: ModelAccount, key: ModelKey): readonly string[] | undefined => {
  const lists = restrictionsAbove(account, key).flatMap(({ scopes }) => (scopes === undefined ? [] : [scopes]))
  return lists.length === 0 ? undefined : lists.reduce((one, other) => one.filter((scope) => other.includes(scope)))
}

export const hasScope = ({ key, account }: ModelToken, scope: string): boolean =>
  key === null || (scopesOf(account, key)?.includes(scope) ?? true)

/** Whether a key's token may replace the first by the second. */
export function isNarrower(one: ModelRestrictions | null | undefined, other: ModelRestrictions | null): boolean {
  if (one === null || one === undefined) return true
  const isSubset = (all?: readonly string[], some?: readonly string[]) =>
    all === undefined || (some !== undefined && some.every((each) => all.includes(each)))
  const isBelow = (all?: Amounts, some?: Amounts) =>
    all === undefined ||
    (some !== undefined && Object.entries(some).every(([name, amount]) => amount <= (all[name] ?? 0)))
  return (
    isSubset(one.scopes, other?.scopes) &&
    isSubset(one.currencies, other?.currencies) &&
    isBelow(one.maxAmount, other?.maxAmount) &&
    isBelow(one.dailyAmount, other?.dailyAmount)
  )
}

const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10)

export type NewLink = Readonly<{ amount: number; currency: string; nowMs: number }>

/** Whether a key's token may create this payment link. */
export function isAmountAllowed({ key, account }: ModelToken, { amount, currency, nowMs }: NewLink): boolean {
  if (key === null) return true
  const day = dayOf(nowMs)
  return chainOf(account, key).every((above) => {
    const { currencies, maxAmount, dailyAmount } = above.restrictions ?? {}
    if (currencies?.includes(currency) === false) return false
    if (maxAmount !== undefined && amount > (maxAmount[currency] ?? 0)) return false
    if (dailyAmount === undefined) return true
    const made = account.made.filter((link) => link.day === day && link.currency === currency)
    const used = made.filter((link) => chainOf(account, link.key).includes(above))
    return used.reduce((sum, link) => sum + link.amount, amount) <= (dailyAmount[currency] ?? 0)
  })
}

export function noteAmount({ key, account }: ModelToken, { amount, currency, nowMs }: NewLink): void {
  if (key !== null) account.made.push({ key, day: dayOf(nowMs), currency, amount })
}
