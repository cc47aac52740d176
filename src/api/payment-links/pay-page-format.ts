/** Amounts, rates and dates in the payer's language. Creating an `Intl` formatter costs more than a whole page. */
import type { Money } from '../../domain/payment-links/conversion.ts'
import { currencies } from '../../domain/payment-links/currency.ts'
import type { Currency } from '../../domain/payment-links/currency.ts'
import { MAX_DISPLAY_LENGTH } from '../../lib/text/display-text.ts'
import { wordsIn } from './pay-page-words.ts'
import type { Language } from '../../domain/languages.ts'

// The server does not know where the payer is. A script rewrites the times in the payer's zone (web/src/pay.ts).
const timeZone = 'UTC'

function formattersOf(language: Language) {
  const { locale } = wordsIn(language)
  const moneyIn = (currency: Currency) => new Intl.NumberFormat(locale, { style: 'currency', currency })
  return {
    money: Object.fromEntries(currencies.map((currency) => [currency, moneyIn(currency)])) as Readonly<
      Record<Currency, Intl.NumberFormat>
    >,
    rate: new Intl.NumberFormat(locale, { minimumFractionDigits: 4, maximumFractionDigits: 4 }),
    day: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }),
    moment: new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'short',
    }),
  }
}

const cache = new Map<Language, ReturnType<typeof formattersOf>>()

// Created with the first page in a language, so that a start does not wait for them.
function formattersIn(language: Language): ReturnType<typeof formattersOf> {
  const formatters = cache.get(language) ?? formattersOf(language)
  cache.set(language, formatters)
  return formatters
}

export function toMoneyText({ value, currency }: Money, language: Language): string {
  const digits = String(value).padStart(3, '0')
  // Intl formats a decimal string without loss.
  const decimal = `${digits.slice(0, -2)}.${digits.slice(-2)}` as Intl.StringNumericLiteral
  return formattersIn(language).money[currency].format(decimal)
}

export const toRateText = (rate: string, language: Language): string =>
  formattersIn(language).rate.format(rate as Intl.StringNumericLiteral)

/** @param date `YYYY-MM-DD` */
export const toDay = (date: string, language: Language): string => formattersIn(language).day.format(Date.parse(date))

export const toMoment = (atMs: number, language: Language): string => formattersIn(language).moment.format(atMs)

// For places where markup cannot isolate the text, which could reorder or break the text beside it.
const REORDERING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A caller's text for a title or an attribute: one line, in its own direction, of bounded length. */
export function clipped(text: string): string {
  const characters = Array.from(text.slice(0, 4 * MAX_DISPLAY_LENGTH).replaceAll(REORDERING, ''))
  if (characters.length <= MAX_DISPLAY_LENGTH) return characters.join('')
  return `${characters.slice(0, MAX_DISPLAY_LENGTH - 1).join('')}…`
}
