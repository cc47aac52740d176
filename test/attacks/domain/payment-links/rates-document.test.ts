import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { RatesDocumentError, readRatesDocument } from '../../../../src/domain/payment-links/rates-document.ts'
import { bankDocument, usualRates } from '../../../support/accounts/payment-links.ts'
import type { DayOfDocument } from '../../../support/accounts/payment-links.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

const nowMs = Date.UTC(2026, 10, 21, 10)
const date = '2026-11-20'
const right = bankDocument({ date, rates: usualRates })
const withRates = (...rates: DayOfDocument['rates']) => bankDocument({ date, rates })
const withEuro = (text: string, multiplier?: string) =>
  withRates(multiplier === undefined ? ['EUR', text] : ['EUR', text, multiplier], ['GBP', '5.8321'])
const onDay = (day: string) => bankDocument({ date: day, rates: usualRates })

function assertRefused(xml: string, why: RegExp): void {
  const excerpt = xml.slice(0, 1500)
  const tookMs = stopwatch()
  assert.throws(
    () => readRatesDocument(xml, nowMs),
    (error) => {
      assert.ok(error instanceof RatesDocumentError, excerpt)
      assert.match(error.message, why, excerpt)
      assert.ok(error.message.length < 200 && error.cause === undefined, 'the error quotes nothing of the document')
      return true
    },
    excerpt,
  )
  assert.ok(tookMs() < 5000)
}

describe('a rates document is refused', () => {
  const cut = right.lastIndexOf('</Cube>')
  const refused: Readonly<Record<string, readonly [why: RegExp, ...documents: string[]]>> = {
    'that is not XML': [
      /well-formed|format at its root/,
      '',
      ' ',
      'x',
      '{}',
      '<',
      '<a',
      '<!DOCTYP',
      '\0',
      '\u{feff}',
      '<?xml version="1.0"?>',
      '[]',
    ],
    'that is truncated or has trailing text': [
      /well-formed|form/,
      right.slice(0, cut),
      right.slice(0, -5),
      `${right}<`,
      `${right}</DataSet>`,
      `${right}x`,
      right.replace('</Rate>', ''),
    ],
    'that is not well-formed': [
      /well-formed/,
      right.replace('</Body>', '</body>'),
      right.replace('date="', 'date='),
      right.replace('currency="EUR"', 'currency="EUR" currency="EUR"'),
      right.replace('<Rate currency="EUR">', '<Rate currency="EUR>'),
    ],
    'with another root or two roots': [
      /format at|well-formed/,
      right.replaceAll('DataSet', 'Envelope'),
      `<rss>${right.replace(/^<\?xml.*\?>\n/, '')}</rss>`,
      `${right}${right.replace(/^<\?xml.*\?>\n/, '')}`,
      `${right}<x/>`,
      '<html><body>Down for maintenance</body></html>',
    ],
    'with another base currency': [
      /format at/,
      right.replace('>RON<', '>EUR<'),
      right.replace('<OrigCurrency>RON</OrigCurrency>', ''),
    ],
    'without a day or a rate': [
      /format at/,
      right.replace(/<Cube[^]*<\/Cube>/, ''),
      bankDocument({ date, rates: [] }),
      right.replace(/ date="[^"]*"/, ''),
      withRates().replace('<Cube', '<Cube>x</Cube><Cube'),
    ],
    'with an invalid date': [
      /format at .*date|does not exist/,
      ...[
        '',
        '2026-02-30',
        '2025-02-29',
        '2026-04-31',
        '2026-13-01',
        '2026-00-10',
        '2026-11-00',
        '2026-11-32',
        '20-11-2026',
        '1999-12-31',
        '2026-11-20T00:00:00Z',
        '2026-1-1',
        '٢٠٢٦-١١-٢٠',
      ].map(onDay),
    ],
    'with a date after tomorrow': [
      /in the future/,
      ...['2026-11-23', '2027-01-01', '2099-12-31'].map(onDay),
      bankDocument({ date, rates: usualRates }, { date: '2030-01-01', rates: usualRates }),
    ],
    'that repeats a day': [/has a day twice/, bankDocument({ date, rates: usualRates }, { date, rates: usualRates })],
    'that lacks a rate for EUR or GBP on one of its days': [
      /does not have one rate for (EUR|GBP) on 2026-11-/,
      withRates(['EUR', '4.9770']),
      withRates(['GBP', '5.8321']),
      withRates(['USD', '4.3']),
      withRates(['eur', '4.9770'], ['GBP', '5.8321']),
      bankDocument({ date, rates: usualRates }, { date: '2026-11-19', rates: [['EUR', '4.9770']] }),
    ],
    'with two rates for one currency, equal or not': [
      /does not have one rate for EUR/,
      withRates(...usualRates, ['EUR', '4.9770']),
      withRates(...usualRates, ['EUR', '4.9771']),
    ],
    'with a rate that is not positive, too high or too low': [
      /rate for EUR on 2026-11-20 that is not plausible/,
      ...[
        '0',
        '0.0',
        '0.0000',
        '-4.9770',
        '+4.9770',
        '0.0009',
        '0.00000001',
        '9999.0001',
        '10000',
        '999999',
        '1000000',
        '9'.repeat(400),
        `4.${'9'.repeat(400)}`,
      ].map((text) => withEuro(text)),
      withEuro('0.9', '1000'),
    ],
    'with a rate that is not a plain number': [
      /is not plausible/,
      ...[
        '',
        '-',
        '4,9770',
        '4.',
        '.5',
        '4.9.7',
        '4e0',
        '1e-2',
        '0x5',
        'NaN',
        'Infinity',
        '4 977',
        '٤.٩',
        '4.97₇',
        '4.9770 RON',
        '&#52;.9770',
        '<b>4.9770</b>',
        '4.<i/>9770',
      ].map((text) => withEuro(text)),
    ],
    'with another multiplier': [
      /is not plausible/,
      ...['0', '-1', '2', '50', '01', '10000', '1e2', '', '1.0', '100 000'].map((multiplier) =>
        withEuro('497.70', multiplier),
      ),
    ],
  }
  for (const [what, [why, ...documents]] of Object.entries(refused)) {
    test(what, () => {
      for (const xml of documents) assertRefused(xml, why)
    })
  }

  test('that declares a type or an entity; nothing is expanded or fetched', () => {
    const inside = (declared: string, text = '4.9770') =>
      right.replace('?>\n', `?>\n${declared}\n`).replace('4.9770', text)
    const laughs = [
      '<!ENTITY a0 "lol">',
      ...Array.from({ length: 40 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`),
    ]
    const documents = [
      inside('<!DOCTYPE DataSet>'),
      inside('<!doctype DataSet>'),
      inside('<!DOCTYPE DataSet [<!ENTITY e "4.9770">]>', '&e;'),
      inside(`<!DOCTYPE DataSet [${laughs.join('')}]>`, '&a40;'),
      inside(`<!DOCTYPE DataSet [<!ENTITY a "${'x'.repeat(50_000)}">]>`, '&a;'.repeat(10_000)),
      inside('<!DOCTYPE DataSet [<!ENTITY e SYSTEM "file:///etc/passwd">]>', '&e;'),
      inside('<!DOCTYPE DataSet SYSTEM "http://127.0.0.1:9/rates.dtd">'),
      inside('<!DOCTYPE DataSet [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p"> %p;]>'),
      inside('<!DOCTYPE DataSet [<!ATTLIST Rate multiplier CDATA "100">]>'),
      `<!ENTITY e "4.9770">${right}`,
    ]
    for (const xml of documents) assertRefused(xml, /declares entities/)
  })
})

test('an undeclared entity is plain text and no rate', () => {
  for (const entity of ['&e;', '&amp;', '&#x34;.9770', '&lt;'])
    assertRefused(right.replace('4.9770', entity), /not plausible|well-formed/)
})

test('names of inherited object properties are ordinary element names', () => {
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    assertRefused(right.replaceAll('DataSet', name), /format at|well-formed/)
    const more = right.replace('<Header>', `<${name} date="x"><Body/></${name}><Header ${name}="x">`)
    try {
      assert.equal(readRatesDocument(more, nowMs).length, 2)
    } catch (error) {
      assert.ok(error instanceof RatesDocumentError)
    }
  }
  assert.equal(({} as Record<string, unknown>)['date'], undefined)
})

test('128 KiB of a pathological form are refused in bounded time', () => {
  const length = 128 * 1024
  const forms = ['<', '<a>', '<a ', '&', '<!--', '<![CDATA[', '<a b="', ' ', '<?', ']]>', '<Rate>', '\u{10ffff}']
  for (const form of forms) {
    assertRefused(form.repeat(length / form.length), /well-formed|format at|entities/)
    assertRefused(
      right.replace('4.9770', form.repeat(length / form.length)),
      /well-formed|format at|not plausible|entities/,
    )
  }
})

test('any single edit yields the same currencies with plain numbers, or a refusal', () => {
  const change = fc.record({
    at: fc.nat(right.length - 1),
    take: fc.nat(4),
    put: fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('<', '>', '"', '</Cube>', '0', '9', '.', '-')),
  })
  fc.assert(
    fc.property(change, ({ at, take, put }) => {
      const xml = right.slice(0, at) + put + right.slice(at + take)
      try {
        const rates = readRatesDocument(xml, nowMs)
        assert.deepEqual(
          rates.map(({ currency }) => currency),
          ['EUR', 'GBP'],
        )
        for (const { ronPerUnit } of rates) assert.match(ronPerUnit, /^\d{1,6}(\.\d{1,11})?$/)
      } catch (error) {
        assert.ok(error instanceof RatesDocumentError, String(error))
      }
    }),
    { numRuns: 1500 },
  )
})
