/** Checked against exact fractions of integers. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { convert } from '../../../src/domain/payment-links/conversion.ts'
import type { ReferenceRates } from '../../../src/domain/payment-links/conversion.ts'
import { currencies } from '../../../src/domain/payment-links/currency.ts'
import type { Currency } from '../../../src/domain/payment-links/currency.ts'

const date = '2026-11-20'
const ratesOf = (eur: string, gbp: string): ReferenceRates => ({
  EUR: { ronPerUnit: eur, date },
  GBP: { ronPerUnit: gbp, date },
})

/** A rate as a document may have it: from 0.001 to 9999, with up to eleven decimals. */
const rate = fc
  .tuple(fc.bigInt(1_000n, 9_999_000_000n), fc.constantFrom(0, 1, 4, 5), fc.nat(99_999))
  .map(([millionths, more, rest]) => {
    const digits = `${millionths}`.padStart(7, '0')
    const finer = String(rest).padStart(5, '0').slice(0, more)
    return `${digits.slice(0, -6)}.${digits.slice(-6)}${finer}`
  })
const rates = fc.tuple(rate, rate).map(([eur, gbp]) => ratesOf(eur, gbp))
const amount = fc.oneof(
  fc.integer({ min: 1, max: 99_999_999 }),
  fc.integer({ min: 1, max: 9 }),
  fc.constant(99_999_999),
)
const pair = fc
  .tuple(fc.constantFrom(...currencies), fc.constantFrom(...currencies))
  .filter(([from, to]) => from !== to)
const cases = fc.record({ value: amount, pair, rates })
const RUN = { numRuns: 2000 }

/** The value of a unit in RON, in whole units of 10 to the power of -11. */
function scaled(currency: Currency, { EUR, GBP }: ReferenceRates): bigint {
  const [whole = '', decimals = ''] = ({ RON: '1', EUR: EUR?.ronPerUnit, GBP: GBP?.ronPerUnit }[currency] ?? '').split(
    '.',
  )
  return BigInt(whole + decimals.padEnd(11, '0'))
}

/** The integer nearest to a fraction; of two, the even one. */
function halfEven(numerator: bigint, denominator: bigint): bigint {
  const [floor, rest] = [numerator / denominator, numerator % denominator]
  const twice = rest * 2n
  const isUp = twice > denominator || (twice === denominator && floor % 2n === 1n)
  return isUp ? floor + 1n : floor
}

const valueOf = (value: number, from: Currency, to: Currency, by: ReferenceRates): number => {
  const converted = convert({ value, currency: from }, to, by)
  assert.ok(converted)
  assert.equal(converted.amount.currency, to)
  return converted.amount.value
}

describe('a converted amount', () => {
  test('is the exact quotient, rounded half to even, in whole minor units within the safe integers, and never negative', () => {
    fc.assert(
      fc.property(cases, ({ value, pair: [from, to], rates: by }) => {
        const result = valueOf(value, from, to, by)
        assert.equal(BigInt(result), halfEven(BigInt(value) * scaled(from, by), scaled(to, by)))
        assert.ok(Number.isSafeInteger(result) && result >= 0 && !Object.is(result, -0))
      }),
      RUN,
    )
  })

  test('rounds exactly half a minor unit to the even one, up or down', () => {
    // One unit is two and a half, or half a unit, of the other currency.
    const by = ratesOf('2.5', '0.5')
    const results = [1, 3, 5, 7].map((value) => [valueOf(value, 'EUR', 'RON', by), valueOf(value, 'GBP', 'RON', by)])
    assert.deepEqual(results, [
      [2, 0],
      [8, 2],
      [12, 2],
      [18, 4],
    ])
  })

  test('is exact where floats are not', () => {
    assert.equal(valueOf(100_500, 'EUR', 'RON', ratesOf('1.005', '1')), 101_002)
    assert.equal(valueOf(1_000_000, 'EUR', 'RON', ratesOf('1.0000005', '1')), 1_000_000)
    assert.equal(valueOf(3_000_000, 'EUR', 'RON', ratesOf('1.0000005', '1')), 3_000_002)
    assert.equal(valueOf(99_999_999, 'EUR', 'GBP', ratesOf('9999', '0.001')), 999_899_990_001_000)
  })

  test('converted back through a weaker currency is unchanged; through a stronger one it differs by at most half of its minor unit, and half of its own for rounding', () => {
    fc.assert(
      fc.property(cases, ({ value, pair: [from, to], rates: by }) => {
        const back = valueOf(valueOf(value, from, to, by), to, from, by)
        const [own, other] = [scaled(from, by), scaled(to, by)]
        const difference = BigInt(Math.abs(back - value))
        // The bound other / (2 own) + 1 / 2, rounded down.
        assert.ok(difference <= (other + own) / (2n * own), `${value} came back as ${back}`)
        if (other <= own) assert.equal(back, value)
      }),
      RUN,
    )
  })

  test('reaches that bound', () => {
    const by = ratesOf('4.977', '5.83')
    assert.equal(valueOf(valueOf(2, 'RON', 'EUR', by), 'EUR', 'RON', by), 0)
    // For currencies within a factor of three the loss is one minor unit.
    assert.equal(valueOf(valueOf(33, 'EUR', 'GBP', by), 'GBP', 'EUR', by), 33)
    const losses = Array.from({ length: 200 }, (_, n) =>
      Math.abs(valueOf(valueOf(n + 1, 'EUR', 'GBP', by), 'GBP', 'EUR', by) - n - 1),
    )
    assert.equal(Math.max(...losses), 1)
  })

  test('grows with the amount, and does not depend on trailing zeros of the rates', () => {
    fc.assert(
      fc.property(cases, ({ value, pair: [from, to], rates: by }) => {
        const next = valueOf(value + 1, from, to, by)
        assert.ok(valueOf(value, from, to, by) <= next)
        const longer = ratesOf(`0${by.EUR?.ronPerUnit}00`, `${by.GBP?.ronPerUnit}000`)
        assert.equal(valueOf(value + 1, from, to, longer), next)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the rate used', () => {
  test('is shown to ten decimals, half to even, without an exponent', () => {
    fc.assert(
      fc.property(cases, ({ value, pair: [from, to], rates: by }) => {
        const shown = convert({ value, currency: from }, to, by)?.rate ?? ''
        assert.match(shown, /^\d+(\.\d{1,10})?$/)
        const [whole = '', decimals = ''] = shown.split('.')
        assert.equal(BigInt(whole + decimals.padEnd(10, '0')), halfEven(scaled(from, by) * 10n ** 10n, scaled(to, by)))
        assert.notEqual(Number(shown), 0)
      }),
      RUN,
    )
  })

  test('has its day; of two rates, the older one’s', () => {
    const by: ReferenceRates = {
      EUR: { ronPerUnit: '5', date: '2026-11-20' },
      GBP: { ronPerUnit: '6', date: '2026-11-19' },
    }
    const dates = [
      ['EUR', 'RON'],
      ['RON', 'GBP'],
      ['EUR', 'GBP'],
      ['GBP', 'EUR'],
    ] as const
    assert.deepEqual(
      dates.map(([from, to]) => convert({ value: 1, currency: from }, to, by)?.date),
      ['2026-11-20', '2026-11-19', '2026-11-19', '2026-11-19'],
    )
  })

  test('is a sample when either of the two rates is', () => {
    const { EUR, GBP } = ratesOf('5', '6')
    assert.ok(EUR && GBP)
    const by: ReferenceRates = { EUR: { ...EUR, isSample: true }, GBP }
    const sources = [
      ['EUR', 'RON'],
      ['RON', 'EUR'],
      ['EUR', 'GBP'],
      ['GBP', 'EUR'],
      ['GBP', 'RON'],
      ['RON', 'GBP'],
    ] as const
    assert.deepEqual(
      sources.map(([from, to]) => convert({ value: 1, currency: from }, to, by)?.source),
      ['SAMPLE', 'SAMPLE', 'SAMPLE', 'SAMPLE', 'BNR', 'BNR'],
    )
  })

  test('converts nothing when it is missing, in either direction', () => {
    const { EUR } = ratesOf('5', '6')
    const by: ReferenceRates = EUR === undefined ? {} : { EUR }
    for (const [from, to] of [
      ['GBP', 'RON'],
      ['RON', 'GBP'],
      ['EUR', 'GBP'],
      ['GBP', 'EUR'],
    ] as const) {
      assert.equal(convert({ value: 1, currency: from }, to, by), undefined)
    }
    assert.equal(convert({ value: 1, currency: 'EUR' }, 'RON', by)?.amount.value, 5)
  })
})

test('no code from the document to the amount uses float arithmetic', () => {
  const read = (path: string) =>
    readFileSync(new URL(`../../../src/${path}`, import.meta.url), 'utf8')
      .replace(/\/\*[^]*?\*\//g, '')
      .replace(/\/\/.*/g, '')
      .replace(/'[^'\n]*'|`[^`]*`/g, "''")
  for (const path of ['conversion.ts', 'rates-document.ts', 'exchange-rate-store.ts']
    .map((name) => `domain/payment-links/${name}`)
    .concat(
      'domain/payment-links/operations/describe-link.ts',
      'domain/payment-links/usable-rates.ts',
      'api/money-answer.ts',
    )) {
    assert.doesNotMatch(
      read(path),
      /\b(Number|parseFloat|parseInt)\(|\bNumber\.parse|\bMath\.|\btoFixed\((?!\))|Intl\./,
      path,
    )
  }
  const conversion = read('domain/payment-links/conversion.ts')
  assert.doesNotMatch(conversion, /[\w)\]] [-+*/%] |\*\*|[-+*/%]=|[=(,?:] ?[-+]\w/)
  assert.equal(conversion.match(/\.toNumber\(\)/g)?.length, 1, 'once, of an integer')
})
