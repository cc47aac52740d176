/** Formats and parses amounts. Values are whole minor units, never floats. */
import { inLanguage } from '../../language.ts'
import type { Answer } from '../../operations.ts'
import { storage } from '../../storage.ts'
import { parseAmount } from './amount.ts'

export type Money = Answer<'GET /payment-links'>['paymentLinks'][number]['original']

/** A currency code (ISO 4217). */
export type Currency = Money['currency']

/** The currencies of `X-Currency`. The compiler reports a missing one. */
export const currencies = Object.keys({ RON: true, EUR: true, GBP: true } satisfies Record<
  Currency,
  true
>) as Currency[]

/** The names under which the last choices are stored. */
const CHOICES = { list: 'currency', form: 'link-currency' } as const

type Choice = keyof typeof CHOICES

export const locale = inLanguage({ en: 'en-GB', ro: 'ro-RO' })
// Made once: making one costs more than a whole list of amounts.
const money = new Map(
  currencies.map((currency) => [currency, new Intl.NumberFormat(locale, { style: 'currency', currency })]),
)
const typed = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const rates = new Intl.NumberFormat(locale, { minimumFractionDigits: 4, maximumFractionDigits: 4 })

/** For example "€1,050.00". */
export function toMoneyText({ value, currency }: Money): string {
  const digits = String(value).padStart(3, '0')
  // Intl.NumberFormat formats a decimal string without loss.
  const decimal = `${digits.slice(0, -2)}.${digits.slice(-2)}` as Intl.StringNumericLiteral
  return money.get(currency)?.format(decimal) ?? ''
}

/** For example "1,050.00", as a person types it. */
export const toAmountText = (value: number): string => typed.format(value / 100)

/** An exchange rate, which is a decimal string, as a payer sees it. */
export const toRateText = (rate: string): string => rates.format(rate as Intl.StringNumericLiteral)

/** @returns minor units, or undefined if the text is not an amount */
export const fromMoneyText = (text: string): number | undefined => parseAmount(text, locale)

export function chosenCurrency(of: Choice): Currency {
  return currencies.find((currency) => currency === storage.read(CHOICES[of])) ?? 'RON'
}

export function chooseCurrency(of: Choice, currency: Currency): void {
  storage.write(CHOICES[of], currency)
}
