/** An amount in another currency is the exact quotient, rounded once, half to even: held against fractions of whole numbers. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { convert } from '../../../src/domain/payment-links/conversion.ts'
import type { ReferenceRates } from '../../../src/domain/payment-links/conversion.ts'
import { currencies } from '../../../src/domain/payment-links/currency.ts'
import type { Currency } from '../../../src/domain/payment-links/currency.ts'

const date = '2026-11-20'
const held = (eur: string, gbp: string): ReferenceRates => ({
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
const rates = fc.tuple(rate, rate).map(([eur, gbp]) => held(eur, gbp))
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

/** What a unit is in RON, in units of 10 to the power of -11: whole. */
function scaled(currency: Currency, { EUR, GBP }: ReferenceRates): bigint {
  const [whole = '', decimals = ''] = ({ RON: '1', EUR: EUR?.ronPerUnit, GBP: GBP?.ronPerUnit }[currency] ?? '').split(
    '.',
  )
  return BigInt(whole + decimals.padEnd(11, '0'))
}

/** The whole number nearest to a fraction; of two, the even one. */
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
  test('is the exact quotient, half rounded to even, in whole minor units that a number holds, and never negative', () => {
    fc.assert(
      fc.property(cases, ({ value, pair: [from, to], rates: by }) => {
        const result = valueOf(value, from, to, by)
        assert.equal(BigInt(result), halfEven(BigInt(value) * scaled(from, by), scaled(to, by)))
        assert.ok(Number.isSafeInteger(result) && result >= 0 && !Object.is(result, -0))
      }),
      RUN,
    )
  })

  test('at exactly half a minor unit goes to the even one, up or down', () => {
    // One unit of the one is two and a half, or half a unit, of the other.
    const by = held('2.5', '0.5')
    const results = [1, 3, 5, 7].map((value) => [valueOf(value, 'EUR', 'RON', by), valueOf(value, 'GBP', 'RON', by)])
    assert.deepEqual(results, [
      [2, 0],
      [8, 2],
      [12, 2],
      [18, 4],
    ])
  })

  test('is right where floats are not', () => {
    assert.equal(valueOf(100_500, 'EUR', 'RON', held('1.005', '1')), 101_002)
    assert.equal(valueOf(1_000_000, 'EUR', 'RON', held('1.0000005', '1')), 1_000_000)
    assert.equal(valueOf(3_000_000, 'EUR', 'RON', held('1.0000005', '1')), 3_000_002)
    assert.equal(valueOf(99_999_999, 'EUR', 'GBP', held('9999', '0.001')), 999_899_990_001_000)
  })

  test('there and back: by a weaker currency nothing is lost; by a stronger one at most half a unit of that, and half of one’s own for rounding', () => {
    fc.assert(
      fc.property(cases, ({ value, pair: [from, to], rates: by }) => {
        const back = valueOf(valueOf(value, from, to, by), to, from, by)
        const [own, other] = [scaled(from, by), scaled(to, by)]
        const apart = BigInt(Math.abs(back - value))
        // Whole, and at most other / (2 own) + 1 / 2.
        assert.ok(apart <= (other + own) / (2n * own), `${value} came back as ${back}`)
        if (other <= own) assert.equal(back, value)
      }),
      RUN,
    )
  })

  test('and that is no more than is needed: the bound is reached', () => {
    const by = held('4.977', '5.83')
    assert.equal(valueOf(valueOf(2, 'RON', 'EUR', by), 'EUR', 'RON', by), 0)
    // Of currencies within a factor of three it is one minor unit.
    assert.equal(valueOf(valueOf(33, 'EUR', 'GBP', by), 'GBP', 'EUR', by), 33)
    const losses = Array.from({ length: 200 }, (_, n) =>
      Math.abs(valueOf(valueOf(n + 1, 'EUR', 'GBP', by), 'GBP', 'EUR', by) - n - 1),
    )
    assert.equal(Math.max(...losses), 1)
  })

  test('grows with the amount, and is as much in whatever steps the rates are written', () => {
    fc.assert(
      fc.property(cases, ({ value, pair: [from, to], rates: by }) => {
        const next = valueOf(value + 1, from, to, by)
        assert.ok(valueOf(value, from, to, by) <= next)
        const longer = held(`0${by.EUR?.ronPerUnit}00`, `${by.GBP?.ronPerUnit}000`)
        assert.equal(valueOf(value + 1, from, to, longer), next)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the rate it was converted by', () => {
  test('is told to ten decimals, half to even, without an exponent, whatever it is', () => {
    fc.assert(
      fc.property(cases, ({ value, pair: [from, to], rates: by }) => {
        const told = convert({ value, currency: from }, to, by)?.rate ?? ''
        assert.match(told, /^\d+(\.\d{1,10})?$/)
        const [whole = '', decimals = ''] = told.split('.')
        assert.equal(BigInt(whole + decimals.padEnd(10, '0')), halfEven(scaled(from, by) * 10n ** 10n, scaled(to, by)))
        assert.notEqual(Number(told), 0)
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

  test('that is not held makes no amount, in either direction', () => {
    const { EUR } = held('5', '6')
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

test('nothing on the way from the document to the amount is arithmetic of floats', () => {
  const read = (path: string) =>
    readFileSync(new URL(`../../../src/${path}`, import.meta.url), 'utf8')
      .replace(/\/\*[^]*?\*\//g, '')
      .replace(/\/\/.*/g, '')
      .replace(/'[^'\n]*'|`[^`]*`/g, "''")
  for (const path of ['conversion.ts', 'rates-document.ts', 'exchange-rate-store.ts']
    .map((name) => `domain/payment-links/${name}`)
    .concat('api/payment-links/payment-link-answer.ts')) {
    assert.doesNotMatch(
      read(path),
      /\b(Number|parseFloat|parseInt)\(|\bNumber\.parse|\bMath\.|\btoFixed\((?!\))|Intl\./,
      path,
    )
  }
  const conversion = read('domain/payment-links/conversion.ts')
  assert.doesNotMatch(conversion, /[\w)\]] [-+*/%] |\*\*|[-+*/%]=|[=(,?:] ?[-+]\w/)
  assert.equal(conversion.match(/\.toNumber\(\)/g)?.length, 1, 'once, of a whole number')
})
