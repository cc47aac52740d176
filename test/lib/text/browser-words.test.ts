import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserWords, splitBrowserWords } from '../../../src/lib/text/browser-words.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const chrome = `${webKit} Chrome/142.0.0.0 Safari/537.36`
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0'

const known: Readonly<Record<string, string>> = {
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`]: 'Chrome on Windows',
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/142.0.0.0`]: 'Edge on Windows',
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} OPR/124.0.0.0`]: 'Opera on Windows',
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome}`]: 'Chrome on ChromeOS',
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/142.0.0.0 Safari/537.36`]: 'Chrome on Linux',
  [`Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/142.0.0.0 Mobile Safari/537.36`]: 'Chrome on Android',
  [`Mozilla/5.0 (Linux; Android 10; K) ${webKit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`]:
    'Samsung Internet on Android',
  'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0': 'Firefox on Linux',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0': 'Firefox on macOS',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15':
    'Safari on macOS',
  [`${iPhone} Mobile/15E148 Safari/604.1`]: 'Safari on iOS',
  [iPhone.replace('Version/26.0', 'CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1')]: 'Chrome on iOS',
  'Firefox/145.0': 'Firefox',
}

test('a browser is named with its system', () => {
  for (const [userAgent, words] of Object.entries(known)) assert.equal(browserWords(userAgent), words, userAgent)
})

test('programs, crawlers, unknown browsers and made-up names have no words', () => {
  const unknown = [
    '',
    'curl/8.14.1',
    'node',
    'python-requests/2.32.3',
    'okhttp/5.1.0',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Support team/1.0 (Windows NT 10.0; Win64; x64) of your bank',
    'constructor/1.0',
    '__proto__ on Windows',
    '<b>Chrom</b>\u202e',
  ]
  for (const userAgent of [undefined, ...unknown]) assert.equal(browserWords(userAgent), null, String(userAgent))
})

test('only the first five hundred characters are read', () => {
  assert.equal(browserWords(`${'x'.repeat(490)} Firefox/1`), 'Firefox')
  assert.equal(browserWords(`${'x'.repeat(500)} Firefox/145.0`), null)
})

test('words are split into browser and system, and unknown ones are null', () => {
  assert.deepEqual(splitBrowserWords('Samsung Internet on Android'), { browser: 'Samsung Internet', system: 'Android' })
  assert.deepEqual(splitBrowserWords('Firefox'), { browser: 'Firefox', system: null })
  assert.deepEqual(splitBrowserWords(null), { browser: null, system: null })
})
