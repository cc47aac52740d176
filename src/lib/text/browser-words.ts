import { getParser } from 'bowser'

/** Longest User-Agent that is parsed: the parser's time grows with the length. */
const MAX_LENGTH = 500

// From the parser's names to ours. Other names have no words: the parser also returns names that the caller made up.
const browsers: ReadonlyMap<string, string> = new Map([
  ['Brave', 'Brave'],
  ['Chrome', 'Chrome'],
  ['Chromium', 'Chromium'],
  ['DuckDuckGo', 'DuckDuckGo'],
  ['Firefox', 'Firefox'],
  ['Microsoft Edge', 'Edge'],
  ['Opera', 'Opera'],
  ['Safari', 'Safari'],
  ['Samsung Internet for Android', 'Samsung Internet'],
  ['Vivaldi', 'Vivaldi'],
])
const systems: ReadonlyMap<string, string> = new Map([
  ['Android', 'Android'],
  ['Chrome OS', 'ChromeOS'],
  ['iOS', 'iOS'],
  ['Linux', 'Linux'],
  ['macOS', 'macOS'],
  ['Windows', 'Windows'],
])

/**
 * Browser and system of a `User-Agent`, such as "Chrome on Windows", or "Firefox" when the system is unknown. The words
 * come from closed lists: mails and pages show them, and any caller can send any header.
 * @returns null for programs and unknown browsers
 */
export function browserWords(userAgent: string | undefined): string | null {
  if (userAgent === undefined || userAgent === '') return null
  const parser = getParser(userAgent.slice(0, MAX_LENGTH), true)
  const browser = browsers.get(parser.getBrowserName())
  if (browser === undefined) return null
  const system = systems.get(parser.getOSName())
  return system === undefined ? browser : browser + ON + system
}

const ON = ' on '

/** Browser and system of words that `browserWords` returned. */
export function splitBrowserWords(words: string | null): Readonly<{ browser: string | null; system: string | null }> {
  const [browser = null, system = null] = words?.split(ON) ?? []
  return { browser, system }
}
