/** Currency conversion: exact decimal arithmetic, rounded once, half to even, to whole minor units. */
import { Big } from 'big.js'
import type { Currency } from './currency.ts'

/** A whole number of minor units (bani, cents, pence). */
export type Money = Readonly<{ value: number; currency: Currency }>

/** The exact value of one unit of a currency in RON, on a day. `isSample`: not a rate of the bank. */
export type ReferenceRate = Readonly<{ ronPerUnit: string; date: string; isSample?: boolean }>

/** By currency. RON needs none. */
export type ReferenceRates = Readonly<Partial<Record<Currency, ReferenceRate>>>

export const rateSources = ['BNR', 'SAMPLE'] as const

export type RateSource = (typeof rateSources)[number]

export type Converted = Readonly<{
  amount: Money
  /** Units of the new currency for one of the old, to ten decimals. The amount is computed from the exact quotient. */
  rate: string
  /** The older day of the rates used. */
  date: string
  source: RateSource
}>

// Separate constructors: precision and rounding are set on the constructor.
const WholeUnits = Big()
WholeUnits.DP = 0
WholeUnits.RM = Big.roundHalfEven
const ShownRate = Big()
ShownRate.DP = 10
ShownRate.RM = Big.roundHalfEven

const ONE: ReferenceRate = { ronPerUnit: '1', date: '9999-12-31' }

/**
 * All three currencies have two decimals, so minor units convert like units.
 * @returns `undefined` when a rate is missing
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
    source: source.isSample === true || target.isSample === true ? 'SAMPLE' : 'BNR',
  }
}
