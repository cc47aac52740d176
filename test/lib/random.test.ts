import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { randomBase62, systemRandom, toBase62 } from '../../src/lib/random.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A source that repeats these bytes. */
function endless(bytes: readonly number[]) {
  let next = 0
  const source = () => bytes[next++ % bytes.length] ?? 0
  return { ...systemRandom, bytes: (length: number) => Buffer.from(Array.from({ length }, source)) }
}

describe('randomBase62', () => {
  test('returns exactly the requested length, in the alphabet', () => {
    for (const length of [0, 1, 22, 43, 1000]) {
      assert.match(randomBase62(systemRandom, length), new RegExp(`^[0-9A-Za-z]{${length}}$`))
    }
  })

  test('maps or rejects each byte so that all 62 characters are equally likely', () => {
    const everyByte = Array.from({ length: 256 }, (_, byte) => byte)
    const text = randomBase62(endless(everyByte), 248)
    const counts = Map.groupBy(text, (character) => character)
    assert.deepEqual([...counts.keys()].toSorted(), ALPHABET.split(''))
    for (const [character, found] of counts) assert.equal(found.length, 4, character)
  })

  test('rejects bytes that would favour the first characters', () => {
    assert.equal(randomBase62(endless([248, 255, 250, 61]), 5), 'zzzzz')
  })

  test('is uniform with the real source: chi-squared over 62 characters stays below its 10^-6 quantile', () => {
    const draws = 62_000
    const counts = Map.groupBy(randomBase62(systemRandom, draws), (character) => character)
    const chiSquared = ALPHABET.split('').reduce(
      (sum, character) => sum + ((counts.get(character)?.length ?? 0) - 1000) ** 2 / 1000,
      0,
    )
    assert.ok(chiSquared < 128, `chi-squared ${chiSquared}`)
  })
})

describe('toBase62', () => {
  test('encodes reversibly in exactly `length` characters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (value) => {
        const text = toBase62(value, 6)
        assert.match(text, /^[0-9A-Za-z]{6}$/)
        const readBack = text.split('').reduce((sum, digit) => sum * 62 + ALPHABET.indexOf(digit), 0)
        assert.equal(readBack, value)
      }),
    )
  })

  test('pads with zeros', () => {
    assert.equal(toBase62(0, 6), '000000')
    assert.equal(toBase62(61, 6), '00000z')
    assert.equal(toBase62(62, 2), '10')
  })
})

describe('systemRandom', () => {
  test('returns version 7 UUIDs that ascend and contain the time', () => {
    const before = Date.now()
    const ids = Array.from({ length: 10_000 }, () => systemRandom.uuid())
    const after = Date.now()
    const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (const id of ids) assert.match(id, version7)
    assert.deepEqual(ids.toSorted(), ids)
    assert.equal(new Set(ids).size, ids.length)
    const atMs = Number.parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16)
    assert.ok(atMs >= before && atMs <= after, `${before} ≤ ${atMs} ≤ ${after}`)
  })

  test('gives no byte twice, also beyond the reserve', () => {
    const taken = Array.from({ length: 2000 }, (_, index) => systemRandom.bytes(16 + (index % 50)))
    taken.push(systemRandom.bytes(4096), systemRandom.bytes(5000))
    const all = Buffer.concat(taken)
    const windows = new Set<string>()
    for (let at = 0; at + 8 <= all.length; at++) windows.add(all.toString('latin1', at, at + 8))
    assert.equal(windows.size, all.length - 7)
    assert.equal(all.length, 2000 * 16 + (2000 / 50) * ((49 * 50) / 2) + 4096 + 5000)
  })

  test('gives bytes that later calls do not change', () => {
    const taken = systemRandom.bytes(32)
    const before = taken.toString('hex')
    for (let call = 0; call < 300; call++) systemRandom.bytes(32)
    assert.equal(taken.toString('hex'), before)
  })
})
