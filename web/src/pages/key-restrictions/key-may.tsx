/** What a key may do, in words: "Payment links only · €50.00 a day". */
import type { ApiKey } from '../api-access/keys.ts'
import { currencies, toMoneyText } from '../payment-links/money.ts'
import type { Currency } from '../payment-links/money.ts'
import { presetOf, scopes } from './draft.ts'
import type { Restrictions } from './draft.ts'
import { words } from './restrictions.words.ts'
import styles from './restrictions.module.css'

const { text } = words
const MAX_NAMED_NETWORKS = 2

export const KeyMay = ({ apiKey: { restrictions, effectiveRestrictions } }: Readonly<{ apiKey: ApiKey }>) => (
  <span class={`small soft ${styles.may}`}>
    {toText(effectiveRestrictions ?? restrictions)}
    {effectiveRestrictions && ` (${text.narrowed})`}
  </span>
)

export function toText(restrictions: Restrictions = {}): string {
  const { maxAmount, dailyAmount, networks } = restrictions
  const allowed = allowedCurrencies(restrictions)
  const money = (amounts: Restrictions['maxAmount'], inWords: (amount: string) => string): string[] =>
    allowed.flatMap((currency) => {
      const value = amounts?.[currency]
      return value === undefined ? [] : [inWords(toMoneyText({ value, currency }))]
    })
  const named = maxAmount ?? dailyAmount
  return [
    scopesText(restrictions.scopes),
    ...money(dailyAmount, text.perDay),
    ...money(maxAmount, text.perLink),
    ...(allowed.length === 0 ? [text.inNothing] : []),
    ...(!named && allowed.length > 0 && allowed.length < currencies.length
      ? [text.currencies(allowed.join(', '))]
      : []),
    ...(networks ? [networksText(networks)] : []),
  ].join(' · ')
}

export function allowedCurrencies({ currencies: named, maxAmount, dailyAmount }: Restrictions): Currency[] {
  return currencies.filter(
    (currency) =>
      (named?.includes(currency) ?? true) &&
      [maxAmount, dailyAmount].every((amounts) => amounts === undefined || amounts[currency] !== undefined),
  )
}

function scopesText(chosen: Restrictions['scopes']): string {
  const preset = presetOf(chosen)
  if (preset !== 'chosen') return text[preset]
  const allowed = scopes.filter((scope) => chosen?.includes(scope)).map((scope) => words.scopes[scope])
  return allowed.map((each, index) => (index === 0 ? each : lowered(each))).join(', ') || text.nothing
}

const lowered = (sentence: string): string => sentence.charAt(0).toLocaleLowerCase() + sentence.slice(1)

function networksText(networks: readonly string[]): string {
  if (networks.length === 0) return text.fromNowhere
  // One address is shown as such.
  const named = networks.map((network) => network.replace(/^([\d.]+)\/32$|^(.*)\/128$/, '$1$2'))
  return networks.length > MAX_NAMED_NETWORKS ? text.fromMany(networks.length) : text.from(named.join(', '))
}
