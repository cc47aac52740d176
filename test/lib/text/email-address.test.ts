import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import {
  displayEmailAddress,
  emailAddressProblem,
  maskEmailAddress,
  parseEmailAddress,
} from '../../../src/lib/text/email-address.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { processorMs } from '../../support/process/stopwatch.ts'

const STORED_FORM = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@([a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

// 64 + 1 + 189: the maximum length.
const LONGEST = `${'l'.repeat(64)}@${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(57)}.com`

describe('parseEmailAddress', () => {
  const accepted: readonly (readonly [given: string, stored: string])[] = [
    ['ana@example.com', 'ana@example.com'],
    ['Ana.Pop@EXAMPLE.Com', 'ana.pop@example.com'],
    ["o'hara+tag@sub.example.co.uk", "o'hara+tag@sub.example.co.uk"],
    ['!#$%&*/=?^_`{|}~-@example.com', '!#$%&*/=?^_`{|}~-@example.com'],
    // NFKC maps fullwidth letters and the Kelvin sign to the ASCII letters they resemble.
    ['ａｎａ@example.com', 'ana@example.com'],
    ['ana@ｅｘａｍｐｌｅ．com', 'ana@example.com'],
    ['\u212aim@example.com', 'kim@example.com'],
    ['kim@\u212aelvin.com', 'kim@kelvin.com'],
    ['ana@bücher.de', 'ana@xn--bcher-kva.de'],
    ['ana@BÜCHER.DE', 'ana@xn--bcher-kva.de'],
    ['ana@bu\u0308cher.de', 'ana@xn--bcher-kva.de'],
    ['ana@xn--bcher-kva.de', 'ana@xn--bcher-kva.de'],
    ['ana@XN--BCHER-KVA.de', 'ana@xn--bcher-kva.de'],
    ['ana@axn--a.de', 'ana@axn--a.de'],
    ['ana@例え.テスト', 'ana@xn--r8jz45g.xn--zckzah'],
    ['ana@例え。テスト', 'ana@xn--r8jz45g.xn--zckzah'],
    // A dotless i makes another domain, and must look different.
    ['ana@gma\u0131l.com', 'ana@xn--gmal-nza.com'],
    ['a@b.co', 'a@b.co'],
    [LONGEST, LONGEST],
  ]
  for (const [given, stored] of accepted) {
    test(`${JSON.stringify(given.slice(0, 40))} is normalised`, () => {
      assert.equal(parseEmailAddress(given), stored)
    })
  }

  const refused: Readonly<Record<string, readonly string[]>> = {
    'text that is not an address': ['', '@', 'ana', 'ana@', '@example.com', 'ana@com', 'ana@localhost', ' '],
    'a character that normalisation turns into an at sign': [
      'ana\uff20example.com',
      'ana\ufe6bexample.com',
      'ana@example.com\uff20evil.example',
      'ana\ufe6bevil.example@example.com',
    ],
    'several at signs': ['a@b@example.com', 'a@@example.com', 'a@evil.example@example.com'],
    'several addresses': [
      'a@x.com,b@y.com',
      'a@x.com, b@y.com',
      'a@x.com;b@y.com',
      'a@x.com b@y.com',
      'a,b@y.com',
      'b,@y.com',
      'a\uff0cb@y.com',
    ],
    'a quoted local part, a comment, a name, a route': [
      '"ana"@example.com',
      '"x@evil.example y"@example.com',
      'ana(comment)@example.com',
      'ana@example.com(comment)',
      'ana@(comment)example.com',
      'Ana <ana@example.com>',
      '<ana@example.com>',
      '<@relay.example:ana@example.com>',
      'ana\\@example.com',
    ],
    groups: ['g:ana@example.com;', 'g:ana@example.com', 'mailto:ana@example.com', 'g0:g1:a@x.com;;'],
    'control characters and line breaks': [
      'ana@example.com\r\nRCPT TO:<eve@evil.example>',
      'ana\r\n@example.com',
      'ana@example.com\n',
      '\rana@example.com',
      'ana\0@example.com',
      'ana@example.com\0',
      'ana@exam\0ple.com',
      'ana@example.com\u2028',
      'ana\u2028@example.com',
      'ana\u2029@example.com',
      'ana@example.com\u0085',
      'ana\u0085@example.com',
      'ana\u200b@example.com',
      'ana\t@example.com',
      'ana@exam\tple.com',
      ' ana@example.com',
      'ana@example.com ',
      'ana@example.com\u00a0',
      'ana\x7f@example.com',
      'ana@example\x7f.com',
    ],
    'an IP address instead of a domain': [
      'ana@127.0.0.1',
      'ana@[127.0.0.1]',
      'ana@[IPv6:::1]',
      'ana@0x7f.1',
      'ana@0x7f.0.0.1',
      'ana@2130706433',
      'ana@0177.0.0.1',
      'ana@１２７.0.0.1',
    ],
    'an invalid top-level domain': ['ana@example.123', 'ana@example.0x1f', 'ana@example.c', 'ana@example.1a'],
    'a domain that is not a host name': [
      'ana@example.com.',
      'ana@.example.com',
      'ana@example..com',
      'ana@-example.com',
      'ana@example-.com',
      'ana@exam_ple.com',
      'ana@exam!ple.com',
      `ana@${'d'.repeat(64)}.com`,
      'ana@xn--.com',
      'ana@xn--a.com',
      'ana@mail.xn--zzzz.com',
      'ana@exa\ufffdmple.com',
    ],
    'characters that the URL host parser would decode, drop or end the host at': [
      'ana@exam%70le.com',
      'ana@example.com%2eevil.example',
      'ana@%65xample.com',
      'ana@example.com%00',
      'ana@exam％70le.com',
      'ana@example.com/evil',
      'ana@example.com\\evil',
      'ana@example.com?x.com',
      'ana@example.com#x.com',
      'ana@example.com:25',
      'ana@evil.example\u2100x.com',
      'ana@example.com\u2047x.com',
    ],
    'a local part with letters beyond ASCII': ['m\u0131ke@example.com', 'straße@example.com', 'анна@example.com'],
    'misplaced dots': ['.ana@example.com', 'ana.@example.com', 'a..na@example.com', 'ana․@example.com'],
    'overlong parts': [
      `l${LONGEST}`,
      LONGEST.replace('.com', '.info'),
      `${'l'.repeat(65)}@example.com`,
      // Short in Unicode, over 254 characters in ASCII form.
      `${'l'.repeat(60)}@${'ü'.repeat(20)}.${'ö'.repeat(50)}.${'ä'.repeat(50)}.${'ß'.repeat(50)}.de`,
    ],
  }
  for (const [kind, addresses] of Object.entries(refused)) {
    test(`rejects ${kind}`, () => {
      for (const address of addresses) {
        assert.equal(parseEmailAddress(address), undefined, JSON.stringify(address))
      }
    })
  }

  test('accepts 254 characters, and rejects 255', () => {
    assert.equal(LONGEST.length, 254)
    assert.equal(parseEmailAddress(LONGEST), LONGEST)
    assert.equal(parseEmailAddress(LONGEST.replace('.com', '.info')), undefined)
  })

  test('rejects hostile texts of 10^4 groups and more in less than 5 ms each [CVE-2025-14874]', () => {
    const hostile = [
      Array.from({ length: 10_000 }, (_, depth) => `g${depth}:`).join(''),
      `${'('.repeat(10_000)}a@x.com`,
      `${'a.'.repeat(10_000)}@x.com`,
      `a@${'x.'.repeat(10_000)}com`,
      '@'.repeat(100_000),
      `a@${'x-'.repeat(126)}`,
      `${'a.'.repeat(31)}a"@x.com`,
      `a@${'ﷺ'.repeat(250)}`,
    ]
    for (const text of hostile) {
      const ms = processorMs(() => assert.equal(parseEmailAddress(text), undefined))
      assert.ok(ms < 5, `${text.slice(0, 10)}… took ${ms} ms`)
    }
  })
})

describe('parseEmailAddress, for any text', () => {
  // Near-addresses with troublesome characters at every position.
  const spice = fc.constantFrom(
    '@',
    '＠',
    '﹫',
    '.',
    '。',
    ',',
    ';',
    ':',
    '"',
    '\\',
    '(',
    '<',
    '>',
    '[',
    ']',
    '%2e',
    '\r\n',
    '\0',
    '\u2028',
    '\u00ad',
    '\u200d',
    'ı',
    '\u212a',
    'ß',
    'ｂ',
    'xn--',
    '-',
    '_',
    ' ',
    '\t',
    'É',
    '\ud800',
    '127.0.0.1',
    '℀',
  )
  const letters = fc.stringMatching(/^[a-zA-Z0-9+-]{1,8}$/)
  const part = fc
    .array(fc.oneof({ weight: 4, arbitrary: letters }, spice), { minLength: 1, maxLength: 4 })
    .map((pieces) => pieces.join(''))
  const nearlyAddress = fc
    .tuple(part, part, fc.constantFrom('.com', '.de', '.example', '', '.1', '.рф'))
    .map(([local, domain, end]) => `${local}@${domain}${end}`)
  const anyText = fc.oneof(
    { weight: 5, arbitrary: nearlyAddress },
    fc.string({ unit: anyCharacter }),
    fc.emailAddress(),
  )

  test('never throws, and returns undefined or a strict ASCII form that parses to itself', () => {
    let accepted = 0
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = parseEmailAddress(text)
        if (stored === undefined) return
        accepted += 1
        assert.match(stored, STORED_FORM)
        assert.ok(stored.length <= 254)
        assert.equal(parseEmailAddress(stored), stored)
      }),
      { numRuns: 5000 },
    )
    assert.ok(accepted > 300, `only ${accepted} texts were addresses: this run showed too little`)
  })

  test('ignores case', () => {
    fc.assert(
      fc.property(letters, letters, fc.infiniteStream(fc.boolean()), (local, domain, isUpper) => {
        const address = `${local}@${domain}.example`
        const variant = address.replace(/[a-z]/gi, (letter) =>
          isUpper.next().value ? letter.toUpperCase() : letter.toLowerCase(),
        )
        assert.equal(parseEmailAddress(variant), parseEmailAddress(address))
      }),
      { numRuns: 1000 },
    )
  })
})

test('a refused address says why', () => {
  const reasons: Readonly<Record<string, string>> = {
    'ana.example.com': 'it has no @',
    'ana\uff20example.com': 'it has no @',
    'a@x.com,b@y.com': 'it contains several addresses',
    'a@x.com; b@y.com': 'it contains several addresses',
    'a@x.com b@y.com': 'it contains several addresses',
    'a@b@example.com': 'it has more than one @',
    'ana\uff20example.com@x.com': 'it has more than one @',
    'Ana <ana@example.com>': 'leave out the name and the angle brackets',
    '"ana"@example.com': 'quotes and comments are not accepted',
    'a na@example.com': 'it contains a blank',
    'ana@example.com\r\nBcc: eve@evil.example': 'it contains a line break or another control character',
    'străin@example.com': 'the part before the @ must be ASCII, because mail servers refuse other letters there',
    '.ana@example.com': 'the part before the @ is not valid',
    [`${'l'.repeat(65)}@example.com`]: 'the part before the @ has more than 64 characters',
    [`${'l'.repeat(300)}@example.com`]: 'it has more than 254 characters',
    'ana@127.0.0.1': 'an IP address instead of a domain is not accepted',
    'ana@[::1]': 'an IP address instead of a domain is not accepted',
    'ana@localhost': 'the domain after the @ is not complete',
    'ana@-x-.com': 'the domain after the @ is not valid',
  }
  for (const [address, reason] of Object.entries(reasons)) {
    assert.equal(parseEmailAddress(address), undefined, address)
    assert.equal(emailAddressProblem(address), reason, address)
  }
})

test('a domain with accents is shown as people write it, and reads back as the same address; look-alikes are not', () => {
  for (const [written, shown] of [
    ['ana@Bücher.example', 'ana@bücher.example'],
    ['ana@xn--bcher-kva.example', 'ana@bücher.example'],
    ['ana@Știri-ăîâșț.example', 'ana@știri-ăîâșț.example'],
    ['ana@example.com', 'ana@example.com'],
    // A Cyrillic letter among Latin ones, only Cyrillic ones, a dotless ı, and Latin letters that few know.
    ['ana@ex\u0430mple.com', 'ana@xn--exmple-4nf.com'],
    ['ana@\u0430\u0440\u0440\u04cf\u0435.com', 'ana@xn--80ak6aa92e.com'],
    ['ana@paypa\u0131.com', 'ana@xn--paypa-r4a.com'],
    ['ana@\u0261oogle.com', 'ana@xn--oogle-qmc.com'],
  ] as const) {
    const stored = parseEmailAddress(written) ?? ''
    assert.equal(displayEmailAddress(stored), shown)
    assert.equal(parseEmailAddress(shown), stored)
  }
  assert.equal(maskEmailAddress('ana@xn--bcher-kva.example'), 'a***@bücher.example')
})

describe('maskEmailAddress', () => {
  test('shows only the first character and the domain', () => {
    assert.equal(maskEmailAddress('peter.pan@example.com'), 'p***@example.com')
    assert.equal(maskEmailAddress('p@example.com'), 'p***@example.com')
  })

  test('hides the length of the local part', () => {
    assert.equal(maskEmailAddress('a@example.com'), maskEmailAddress('a.very.long.one@example.com'))
  })
})
