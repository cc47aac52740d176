/** Formats times and durations in the language of the pages. */
import { inLanguage, language } from './language.ts'

const locale = language === 'ro' ? 'ro-RO' : 'en-GB'
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const longDay = new Intl.DateTimeFormat(locale, { dateStyle: 'full' })
const timeOfDay = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const toTheSecond = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
const durationIn = (unit: 'minute' | 'second') =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
const durations = { minute: durationIn('minute'), second: durationIn('second') }
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

export const toDay = (at: string): string => day.format(new Date(at))

const utcDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** @param date a day in UTC, as `2026-11-23` */
export const toUtcDay = (date: string): string => utcDay.format(new Date(date))

export const toMoment = (at: string): string => moment.format(new Date(at))

/** A date with its weekday. */
export const toLongDay = (at: Date): string => longDay.format(at)

export const toTimeOfDay = (at: string): string => timeOfDay.format(new Date(at))

/** The time of day if that is today, otherwise the date too; to the second. */
export function toSecond(at: string): string {
  const then = new Date(at)
  const time = toTheSecond.format(then)
  return calendarDay(then) === calendarDay(new Date()) ? time : `${toDay(at)}, ${time}`
}

const justNow = inLanguage({ en: 'just now', ro: 'chiar acum' })

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * "in 5 minutes", "3 hours ago", "tomorrow"; beyond 30 days, the date. Days are counted by the calendar: 47 hours from
 * now is the day after tomorrow. Within twelve hours the hours are given, also across midnight.
 */
export function toRelative(at: string): string {
  const then = new Date(at)
  const now = new Date()
  const differenceMs = then.getTime() - now.getTime()
  if (Math.abs(differenceMs) > 30 * DAY_MS) return toDay(at)
  const minutes = Math.round(differenceMs / MINUTE_MS)
  const hours = Math.round(differenceMs / HOUR_MS)
  const days = calendarDay(then) - calendarDay(now)
  if (minutes === 0) return differenceMs < 0 ? justNow : relative.format(0, 'second')
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute')
  if (days === 0 || Math.abs(hours) < 12) return relative.format(hours, 'hour')
  return relative.format(days, 'day')
}

// Of the local date; a day of 23 or 25 hours counts as one.
const calendarDay = (at: Date): number => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / DAY_MS

/** A duration: "30 seconds", "5 minutes". */
export function inSeconds(seconds: number): string {
  return seconds > 90 ? durations.minute.format(Math.ceil(seconds / 60)) : durations.second.format(Math.max(1, seconds))
}
