/** Amounts in another currency: exact decimal arithmetic, rounded once, half to even, to whole minor units. */
import { Big } from 'big.js'
import type { Currency } from './currency.ts'

/** An amount of money: a whole number of minor units (bani, cents, pence). */
export type Money = Readonly<{ value: number; currency: Currency }>

/** A reference rate: what one unit of a currency is in RON, as an exact decimal number, and its day. */
export type ReferenceRate = Readonly<{ ronPerUnit: string; date: string }>

/** The rates held, by currency. RON needs none. */
export type ReferenceRates = Readonly<Partial<Record<Currency, ReferenceRate>>>

/** An amount in another currency, and by which rate. */
export type Converted = Readonly<{
  amount: Money
  /** Units of the new currency for one of the old, to ten decimals; the amount is computed from the exact quotient. */
  rate: string
  /** The day of the rate; of two, the older one. */
  date: string
}>

// Of their own: precision and rounding are set on the constructor.
const WholeUnits = Big()
WholeUnits.DP = 0
WholeUnits.RM = Big.roundHalfEven
const ShownRate = Big()
ShownRate.DP = 10
ShownRate.RM = Big.roundHalfEven

const ONE: ReferenceRate = { ronPerUnit: '1', date: '9999-12-31' }

/**
 * Converts an amount. All three currencies have two decimals, so minor units convert as units do.
 * @returns `undefined` where a rate is not held
 */
export function convert({ value, currency: from }: Money, to: Currency, rates: ReferenceRates): Converted | undefined {
  const source = from === 'RON' ? ONE : rates[from]
  const target = to === 'RON' ? ONE : rates[to]
  if (source === undefined || target === undefined) return undefined
  const converted = new WholeUnits(value).times(source.ronPerUnit).div(target.ronPerUnit)
  return {
    amount: { value: converted.toNumber(), currency: to },
    rate: new ShownRate(source.ronPerUnit).div(target.ronPerUnit).toFixed(),
    date: source.date < target.date ? source.date : target.date,
  }
}
