import { convert } from './conversion.ts'
import type { Converted, Money, ReferenceRates } from './conversion.ts'
import type { Currency } from './currency.ts'

/** A stored amount, in the currency asked for. */
export type Amounts = {
  /** Null: no rate is usable. */
  amount: Money | null
  original: Money
  /** Null: the amount was not converted. */
  exchangeRate: Omit<Converted, 'amount'> | null
}

export function toAmounts(
  stored: Readonly<{ amount: number; currency: string }>,
  currency: Currency,
  rates: ReferenceRates,
): Amounts {
  const original = toMoney(stored)
  if (original.currency === currency) return { amount: original, original, exchangeRate: null }
  const converted = convert(original, currency, rates)
  if (converted === undefined) return { amount: null, original, exchangeRate: null }
  const { amount, ...exchangeRate } = converted
  return { amount, original, exchangeRate }
}

export const toMoney = ({ amount, currency }: Readonly<{ amount: number; currency: string }>): Money => ({
  value: amount,
  currency: currency as Currency,
})
