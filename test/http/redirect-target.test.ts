import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { parseRedirectTarget } from '../../src/http/redirect-target.ts'
import { anyCharacter } from '../support/any-character.ts'
import { assertSafe, targetOf } from '../support/http/redirects.ts'
import { processorMs } from '../support/process/stopwatch.ts'

type Case = Readonly<{ input: string; base: string; href?: string; origin?: string; failure?: boolean }>

const { cases } = JSON.parse(readFileSync(new URL('../support/http/urltestdata.json', import.meta.url), 'utf8')) as {
  cases: Case[]
}

describe('the test data of the URL Standard', () => {
  test('is present', () => assert.ok(cases.length > 600))

  test('contains no input that leads elsewhere than to the frontend', () => {
    for (const { input } of cases) assertSafe(input)
  })

  test('contains no input that leads to another origin than the Standard gives', () => {
    let accepted = 0
    const origins = new Set<string>()
    for (const { href, origin } of cases) {
      // Each origin of the data serves as the frontend's once; then the parsed form is accepted, unless it has a login.
      if (href === undefined || origin === undefined || !/^https?:/.test(href)) continue
      const own = new URL(origin)
      const target = assertSafe(href, own)
      const { username, password } = new URL(href)
      assert.equal(target, username + password === '' ? href.replaceAll('\\', '%5C') : undefined)
      accepted += target === undefined ? 0 : 1
      origins.add(own.origin)
    }
    const leads = cases.map(({ input }) => ({ input, other: URL.canParse(input) ? new URL(input).origin : undefined }))
    for (const origin of origins) {
      const own = new URL(origin)
      for (const { input, other } of leads) {
        if (other !== own.origin) assert.equal(targetOf(input, own), undefined, input)
      }
    }
    assert.ok(accepted > 100)
  })

  test('contains no parse failure that is accepted, on any origin [CVE-2022-31093]', () => {
    for (const { input, failure, base } of cases) {
      if (failure === true && base === 'about:blank') assert.equal(targetOf(input), undefined, input)
    }
  })
})

describe('any text', () => {
  // Pieces of URLs in any order, which a parser, a check and a browser might read differently.
  const piece = fc.constantFrom(
    'https:',
    'http:',
    'javascript:',
    'blob:',
    'data:',
    '//',
    '/',
    '\\',
    '@',
    ':',
    '?',
    '#',
    '.',
    '%2f',
    '%40',
    '%00',
    'app.example.com',
    'evil.example',
    'example.com',
    ':443',
    ':80',
    'user',
    '[::1]',
    '\t',
    '\n',
    ' ',
    '\0',
    '。',
    '／',
    'ａ',
    '\u00ad',
    'xn--',
    '..',
    ';',
    ',',
    '\ud800',
  )
  const nearlyUrl = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''))
  // fc.webUrl generates the same, but spends most of a second on tables first.
  const webUrl = fc.stringMatching(
    /^https?:\/\/([a-z0-9-]{1,8}\.){1,3}[a-z]{2,5}(:\d{1,4})?(\/[\w.~%$+@:-]{0,8}){0,3}(\?[\w=&%/?-]{0,8})?(#[\w/?-]{0,5})?$/,
  )
  const onFrontend = nearlyUrl.map((rest) => `https://app.example.com${rest}`)

  test('is refused, or leads to the frontend without a login, in the parser’s canonical form', () => {
    let accepted = 0
    const anyText = fc.oneof(nearlyUrl, onFrontend, webUrl, fc.string({ unit: anyCharacter }))
    fc.assert(
      fc.property(anyText, (input) => {
        accepted += assertSafe(input) === undefined ? 0 : 1
      }),
      { numRuns: 5000 },
    )
    assert.ok(accepted > 100, `only ${accepted} were accepted: this run showed too little`)
  })

  test('is stable: an accepted form is accepted again, unchanged', () => {
    fc.assert(
      fc.property(onFrontend, (input) => {
        const target = targetOf(input)
        if (target !== undefined) assert.equal(targetOf(target), target)
      }),
      { numRuns: 1000 },
    )
  })

  test('a frontend in development has its own scheme and port', () => {
    const local = new URL('http://localhost:5173')
    assert.equal(assertSafe('http://localhost:5173/in', local), 'http://localhost:5173/in')
    for (const input of [
      'http://localhost/in',
      'http://localhost:3000/in',
      'https://localhost:5173/in',
      'http://127.0.0.1:5173/in',
      'http://localhost.evil.example:5173/in',
    ]) {
      assert.equal(assertSafe(input, local), undefined, input)
    }
  })

  test('10^5 characters take less than 50 ms', () => {
    for (const input of [
      `https://${'a'.repeat(100_000)}`,
      `https://${'a.'.repeat(50_000)}com`,
      `https://${'@'.repeat(100_000)}app.example.com`,
      `https://app.example.com/${'../'.repeat(33_000)}`,
      `${' '.repeat(100_000)}https://evil.example`,
      `https:${'/'.repeat(100_000)}evil.example`,
      `https://${'xn--'.repeat(25_000)}.com`,
      `https://${'ü'.repeat(100_000)}.com`,
      '\\'.repeat(100_000),
    ]) {
      const ms = processorMs(() => assertSafe(input))
      assert.ok(ms < 50, `${input.slice(0, 12)}… took ${ms} ms`)
    }
  })
})

test('a refusal tells a text that is no URL from a URL elsewhere', () => {
  const refusal = (redirectTo: string) => () => parseRedirectTarget(new URL('https://app.example.com/x'), redirectTo)
  for (const text of ['', '/after', 'app.example.com', 'https://']) {
    assert.throws(refusal(text), { code: 'REDIRECT_NOT_ALLOWED', message: '`redirectTo` must be an absolute URL.' })
  }
  const message = '`redirectTo` must be on the origin of the application frontend.'
  for (const url of ['https://evil.example/', 'http://app.example.com/', 'https://x@app.example.com/', 'data:x']) {
    assert.throws(refusal(url), { code: 'REDIRECT_NOT_ALLOWED', message })
  }
})
