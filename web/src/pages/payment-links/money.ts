/** Money as people read and write it: whole minor units in between, never a float. */
import { inLanguage } from '../../language.ts'
import type { Answer } from '../../operations.ts'
import { kept } from '../../kept.ts'

/** An amount in minor units. */
export type Money = Answer<'listPaymentLinks'>['paymentLinks'][number]['original']

/** A currency code (ISO 4217). */
export type Currency = Money['currency']

/** The currencies of `X-Currency`: the compiler refuses one that is missing. */
export const currencies = Object.keys({ RON: true, EUR: true, GBP: true } satisfies Record<
  Currency,
  true
>) as Currency[]

/** The largest amount of a payment link, in minor units. */
const MOST_MINOR_UNITS = 99_999_999
const CHOSEN = 'currency'
const locale = inLanguage({ en: 'en-GB', ro: 'ro-RO' })

/** The amount with its currency, for example "€1,050.00". */
export function toMoneyText({ value, currency }: Money): string {
  const digits = String(value).padStart(3, '0')
  // As a decimal string: Intl.NumberFormat takes one without loss.
  const decimal = `${digits.slice(0, -2)}.${digits.slice(-2)}` as Intl.StringNumericLiteral
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(decimal)
}

/** What somebody typed, in minor units: "1050", "1050.5" and "1050,50" are. @returns undefined for what is no amount */
export function fromMoneyText(text: string): number | undefined {
  const [, whole, decimals = ''] = /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const value = Number(whole + decimals.padEnd(2, '0'))
  return value >= 1 && value <= MOST_MINOR_UNITS ? value : undefined
}

/** The currency that was chosen last. */
export function chosenCurrency(): Currency {
  return currencies.find((currency) => currency === kept.read(CHOSEN)) ?? 'RON'
}

/** Remembers it. */
export function chooseCurrency(currency: Currency): void {
  kept.write(CHOSEN, currency)
}
