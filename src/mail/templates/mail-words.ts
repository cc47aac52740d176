/** Texts for times, browsers and networks, and for the request that caused a mail. */
import type { Language } from '../../domain/languages.ts'
import type { QueuedMail } from '../../domain/mails/mail-queue-store.ts'
import type { SecurityEvent } from '../../domain/events/event-store.ts'
import { splitBrowserWords } from '../../lib/text/browser-words.ts'
import { networkOf } from '../../lib/network.ts'

/** The request that caused a mail. Null: unknown, or left out. */
export type Cause = Readonly<{
  atMs: number
  browser: string | null
  network: string | null
  /** Several requests, with different browsers or networks: neither is named. */
  isRepeated: boolean
}>

const inUtc = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
const times: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  en: new Intl.DateTimeFormat('en-GB', inUtc),
  ro: new Intl.DateTimeFormat('ro', inUtc),
}

/** `23 November 2026 at 14:55 UTC`: the reader's time zone is unknown. */
export function formatTime(language: Language, atMs: number): string {
  return `${times[language].format(atMs)} UTC`
}

/** Names of browsers and systems are not translated. @param words of `browserWords` */
export function inLanguage(language: Language, words: string): string {
  const { browser, system } = splitBrowserWords(words)
  return language === 'ro' && system !== null ? `${browser} pe ${system}` : words
}

const named = (network: string | null): string | null => (network === 'unknown' ? null : network)

/** Where a reported event came from, after a verb: `from Firefox on Linux, network 203.0.113.0/24`. */
export function sayOrigin(language: Language, { browser, client }: Pick<SecurityEvent, 'browser' | 'client'>): string {
  const network = networkOf(client)
  const say = origins[language]
  if (browser === null && network === null) return say.unknown
  const parts = [browser && inLanguage(language, browser), network && `${say.network} ${network}`]
  return `${say.from} ${parts.filter(Boolean).join(', ')}`
}

const origins = {
  en: { from: 'from', network: 'network', unknown: 'from an unknown network' },
  ro: { from: 'din', network: 'rețeaua', unknown: 'dintr-o rețea necunoscută' },
} as const

/** For a mail that a request asked for. */
export function causeOf(mail: QueuedMail): Cause {
  const atMs = mail.asked_at_ms ?? mail.created_at_ms
  // An older version queued a further request, and its network and browser are unknown.
  const isRepeated = mail.asked_by_several !== 0 || atMs < mail.created_at_ms
  // An older version queued the mail; whether its row is of one request is unknown.
  const isNamed = !isRepeated && mail.asked_at_ms !== null
  return {
    atMs: Math.max(atMs, mail.created_at_ms),
    browser: isNamed ? mail.browser : null,
    network: isNamed ? named(mail.network) : null,
    isRepeated,
  }
}
