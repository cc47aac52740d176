/** Formats and parses amounts. Values are whole minor units, never floats. */
import { inLanguage } from '../../language.ts'
import type { Answer } from '../../operations.ts'
import { storage } from '../../storage.ts'
import { parseAmount } from './amount.ts'

export type Money = Answer<'listPaymentLinks'>['paymentLinks'][number]['original']

/** A currency code (ISO 4217). */
export type Currency = Money['currency']

/** The currencies of `X-Currency`. The compiler reports a missing one. */
export const currencies = Object.keys({ RON: true, EUR: true, GBP: true } satisfies Record<
  Currency,
  true
>) as Currency[]

const CHOSEN = 'currency'
const locale = inLanguage({ en: 'en-GB', ro: 'ro-RO' })

/** For example "€1,050.00". */
export function toMoneyText({ value, currency }: Money): string {
  const digits = String(value).padStart(3, '0')
  // Intl.NumberFormat formats a decimal string without loss.
  const decimal = `${digits.slice(0, -2)}.${digits.slice(-2)}` as Intl.StringNumericLiteral
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(decimal)
}

/** An exchange rate, which is a decimal string, with all its decimals. */
export const toRateText = (rate: string): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(rate as Intl.StringNumericLiteral)

/** @returns minor units, or undefined if the text is not an amount */
export const fromMoneyText = (text: string): number | undefined => parseAmount(text, locale)

export function chosenCurrency(): Currency {
  return currencies.find((currency) => currency === storage.read(CHOSEN)) ?? 'RON'
}

export function chooseCurrency(currency: Currency): void {
  storage.write(CHOSEN, currency)
}
