/** Formats and parses amounts. Values are whole minor units, never floats. */
import { inLanguage } from '../../language.ts'
import type { Answer } from '../../operations.ts'
import { storage } from '../../storage.ts'

export type Money = Answer<'listPaymentLinks'>['paymentLinks'][number]['original']

/** A currency code (ISO 4217). */
export type Currency = Money['currency']

/** The currencies of `X-Currency`. The compiler reports a missing one. */
export const currencies = Object.keys({ RON: true, EUR: true, GBP: true } satisfies Record<
  Currency,
  true
>) as Currency[]

const MAX_MINOR_UNITS = 99_999_999
const CHOSEN = 'currency'
const locale = inLanguage({ en: 'en-GB', ro: 'ro-RO' })

/** For example "€1,050.00". */
export function toMoneyText({ value, currency }: Money): string {
  const digits = String(value).padStart(3, '0')
  // Intl.NumberFormat formats a decimal string without loss.
  const decimal = `${digits.slice(0, -2)}.${digits.slice(-2)}` as Intl.StringNumericLiteral
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(decimal)
}

/** Parses "1050", "1050.5" and "1050,50" into minor units. @returns undefined if the text is not an amount */
export function fromMoneyText(text: string): number | undefined {
  const [, whole, decimals = ''] = /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const value = Number(whole + decimals.padEnd(2, '0'))
  return value >= 1 && value <= MAX_MINOR_UNITS ? value : undefined
}

export function chosenCurrency(): Currency {
  return currencies.find((currency) => currency === storage.read(CHOSEN)) ?? 'RON'
}

export function chooseCurrency(currency: Currency): void {
  storage.write(CHOSEN, currency)
}
