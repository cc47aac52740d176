/** What a person chooses that a key may do, as it stands in the fields. Imports nothing of the browser: a test loads it. */
import { parseAmount } from '../payment-links/amount.ts'
import type { ApiKey } from '../api-access/keys.ts'
import type { Currency } from '../payment-links/money.ts'

export type Restrictions = NonNullable<ApiKey['restrictions']>
export type Scope = NonNullable<Restrictions['scopes']>[number]

// The compiler reports a missing one.
const namesOf = <Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] =>
  Object.keys(names) as Name[]

export const scopes = namesOf<Scope>({
  'payment_links:read': true,
  'payment_links:write': true,
  'account:read': true,
  'account:write': true,
  'keys:read': true,
  'keys:write': true,
  'events:read': true,
  'tokens:introspect': true,
})
/** The operator of the service gives the other one. */
export const choosableScopes = scopes.filter((scope) => scope !== 'tokens:introspect')
const currencies = namesOf<Currency>({ RON: true, EUR: true, GBP: true })

/** In the order of the choice. */
export const presets = ['everything', 'paymentLinks', 'readOnly', 'chosen'] as const

export type Preset = (typeof presets)[number]

const scopesOf: Readonly<Partial<Record<Preset, readonly Scope[]>>> = {
  paymentLinks: ['payment_links:read', 'payment_links:write'],
  readOnly: scopes.filter((scope) => scope.endsWith(':read')),
}

export function presetOf(chosen: readonly Scope[] | undefined): Preset {
  if (chosen === undefined) return 'everything'
  const known = presets.find((preset) => {
    const all = scopesOf[preset]
    return all?.length === chosen.length && all.every((scope) => chosen.includes(scope))
  })
  return known ?? 'chosen'
}

type Texts = Readonly<Record<Currency, string>>

export type Draft = Readonly<{
  preset: Preset
  /** Of the preset `chosen`. */
  scopes: readonly Scope[]
  currencies: readonly Currency[]
  /** As typed. */
  maxAmount: Texts
  dailyAmount: Texts
  networks: string
}>

/** @param format writes minor units the way a person would type them */
export function draftOf(restrictions: Restrictions | undefined, format: (amount: number) => string): Draft {
  const typed = (amounts: Restrictions['maxAmount']): Texts => {
    const of = (currency: Currency): string => (amounts?.[currency] === undefined ? '' : format(amounts[currency]))
    return { RON: of('RON'), EUR: of('EUR'), GBP: of('GBP') }
  }
  return {
    preset: presetOf(restrictions?.scopes),
    scopes: choosableScopes.filter((scope) => (restrictions?.scopes ?? scopesOf.paymentLinks)?.includes(scope)),
    currencies: restrictions?.currencies ?? currencies,
    maxAmount: typed(restrictions?.maxAmount),
    dailyAmount: typed(restrictions?.dailyAmount),
    networks: restrictions?.networks?.join(', ') ?? '',
  }
}

export const draftScopes = ({ preset, scopes: chosen }: Draft): readonly Scope[] | undefined =>
  preset === 'chosen' ? chosen : scopesOf[preset]

/** Whether amounts and currencies mean anything. */
export const canCreateLinks = (draft: Draft): boolean => draftScopes(draft)?.includes('payment_links:write') ?? true

export type Problem = 'scopes' | 'currencies' | 'networks' | `${'maxAmount' | 'dailyAmount'}-${Currency}`

type Read =
  | Readonly<{ restrictions: Restrictions | null; problem?: never }>
  | Readonly<{ problem: Problem; restrictions?: never }>

const MAX_NETWORKS = 20
const MAX_DAILY_MINOR_UNITS = 999_999_999_999

/** @returns null for a key without restrictions, or the first field that is wrong */
export function readDraft(draft: Draft, locale: string): Read {
  const chosen = draftScopes(draft)
  if (chosen?.length === 0) return { problem: 'scopes' }
  const networks = draft.networks.split(/[\s,;]+/).filter((text) => text !== '')
  const restrictions: { -readonly [Name in keyof Restrictions]: Restrictions[Name] } = {}
  if (chosen) restrictions.scopes = [...chosen]
  if (canCreateLinks(draft)) {
    for (const limit of ['maxAmount', 'dailyAmount'] as const) {
      const amounts: Partial<Record<Currency, number>> = {}
      for (const currency of draft.currencies) {
        const text = draft[limit][currency]
        if (text.trim() === '') continue
        const amount = parseAmount(text, locale, limit === 'dailyAmount' ? MAX_DAILY_MINOR_UNITS : undefined)
        if (amount === undefined) return { problem: `${limit}-${currency}` }
        amounts[currency] = amount
      }
      if (Object.keys(amounts).length > 0) restrictions[limit] = amounts
    }
    const { maxAmount, dailyAmount } = restrictions
    const isAllowed = (currency: Currency): boolean =>
      [maxAmount, dailyAmount].every((amounts) => amounts === undefined || amounts[currency] !== undefined)
    if (!draft.currencies.some(isAllowed)) return { problem: 'currencies' }
    if (draft.currencies.length < currencies.length) restrictions.currencies = [...draft.currencies]
  }
  if (networks.length > MAX_NETWORKS || !networks.every((text) => isNetwork(withLength(text))))
    return { problem: 'networks' }
  if (networks.length > 0) restrictions.networks = networks.map(withLength)
  return { restrictions: Object.keys(restrictions).length === 0 ? null : restrictions }
}

/** One address is a network of its full length. */
const withLength = (text: string): string =>
  text.includes('/') ? text : `${text}/${text.includes(':') ? '128' : '32'}`

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)

function isNetwork(text: string): boolean {
  const [address = '', length = '', ...more] = text.split('/')
  const isIpv6 = address.includes(':')
  const isAddress = isIpv6 ? /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]`) : ipv4.test(address)
  return isAddress && /^\d{1,3}$/.test(length) && Number(length) <= (isIpv6 ? 128 : 32) && more.length === 0
}
