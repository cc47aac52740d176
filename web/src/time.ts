/** Formats times and durations in the language of the pages. */
import { language } from './language.ts'

const locale = language === 'ro' ? 'ro-RO' : 'en-GB'
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const longDay = new Intl.DateTimeFormat(locale, { dateStyle: 'full' })
const timeOfDay = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

export const toDay = (at: string): string => day.format(new Date(at))

export const toMoment = (at: string): string => moment.format(new Date(at))

/** A date with its weekday. */
export const toLongDay = (at: Date): string => longDay.format(at)

export const toTimeOfDay = (at: string): string => timeOfDay.format(new Date(at))

const steps = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

/** "2 days ago", "in 3 hours"; beyond 30 days, the date. */
export function toRelative(at: string): string {
  const differenceMs = Date.parse(at) - Date.now()
  if (Math.abs(differenceMs) > 30 * 86_400_000) return toDay(at)
  const step = steps.find(({ ms }) => Math.abs(differenceMs) >= ms)
  return step ? relative.format(Math.trunc(differenceMs / step.ms), step.unit) : relative.format(0, 'second')
}

/** A duration: "30 seconds", "5 minutes". */
export function inSeconds(seconds: number): string {
  const [count, unit] = seconds > 90 ? [Math.ceil(seconds / 60), 'minute'] : [Math.max(1, seconds), 'second']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
