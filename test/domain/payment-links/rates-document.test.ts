import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRatesDocument } from '../../../src/domain/payment-links/rates-document.ts'
import { bankDocument, usualRates } from '../../support/accounts/payment-links.ts'

const nowMs = Date.UTC(2026, 10, 21, 10)
const date = '2026-11-20'
const read = (xml: string) => readRatesDocument(xml, nowMs)
const euro = (text: string, multiplier?: string) =>
  read(
    bankDocument({
      date,
      rates: [['GBP', '5.8321'], multiplier === undefined ? ['EUR', text] : ['EUR', text, multiplier]],
    }),
  )[0]?.ronPerUnit

const usual = [
  { currency: 'EUR', date, ronPerUnit: '4.9770' },
  { currency: 'GBP', date, ronPerUnit: '5.8321' },
]

test('a day’s document gives the rates of EUR and GBP, digit for digit, and of no other currency', () => {
  assert.deepEqual(read(bankDocument({ date, rates: usualRates })), usual)
})

test('several days give the rates of each day', () => {
  const days = ['2026-11-18', '2026-11-20', '2026-11-19'].map((day) => ({ date: day, rates: usualRates }))
  const rates = read(bankDocument(...days))
  assert.deepEqual(
    rates.map((rate) => `${rate.date} ${rate.currency}`),
    days.flatMap((day) => [`${day.date} EUR`, `${day.date} GBP`]),
  )
})

test('a multiplier divides exactly: the rate is for one unit', () => {
  assert.equal(euro('4.9770', '1'), '4.9770')
  assert.equal(euro('49.7701', '10'), '4.97701')
  assert.equal(euro('497.70', '100'), '4.9770')
  assert.equal(euro('4977', '1000'), '4.977')
  assert.equal(euro('4.97700012', '1000'), '0.00497700012')
})

test('no digit is lost or added', () => {
  for (const text of ['4.97700001', '0.00100000', '9999', '9999.00000000', '04.9', '1.10000000'])
    assert.equal(euro(text), text)
})

test('white space, a BOM, comments, CDATA and another prolog change nothing', () => {
  const xml = bankDocument({ date, rates: usualRates })
  const variants = [
    `\u{feff}${xml}`,
    `${xml}\n\n  `,
    xml.replace(/^<\?xml.*\?>\n/, ''),
    xml.replaceAll('\n', '\r\n'),
    xml.replace(/\n\s*/g, ''),
    xml.replace('4.9770', '\n  4.9770\t'),
    xml.replace('4.9770', '<![CDATA[4.9770]]>'),
    xml.replace('<Cube', '<!-- of <Friday> --><Cube'),
    xml.replace('<DataSet', '<?xml-stylesheet href="rates.xsl"?><DataSet'),
    xml.replaceAll('"', "'"),
  ]
  for (const variant of variants) assert.deepEqual(read(variant), usual, variant.slice(0, 400))
})

test('other currencies are not checked, and may be missing', () => {
  const others = [
    ['RUB', '-'],
    ['XAU', '123456789.12'],
    ['IDR', '2.9', '10000'],
    ['EURO', '1'],
    ['JPY', ''],
    ['HUF', '1'],
    ['HUF', '2'],
  ] as const
  assert.deepEqual(read(bankDocument({ date, rates: [...others, ['EUR', '4.9770'], ['GBP', '5.8321']] })), usual)
  assert.deepEqual(
    read(
      bankDocument({
        date,
        rates: [
          ['EUR', '4.9770'],
          ['GBP', '5.8321'],
        ],
      }),
    ),
    usual,
  )
})

test('the day exists in the calendar and is no later than tomorrow', () => {
  const of = (day: string) => read(bankDocument({ date: day, rates: usualRates }))[0]?.date
  for (const day of ['2026-11-21', '2026-11-22', '2005-01-03', '2024-02-29']) assert.equal(of(day), day)
})
