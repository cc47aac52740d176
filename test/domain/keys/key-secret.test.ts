import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import * as fc from 'fast-check'
import { isKeySecret, newKeyId, newKeySecret } from '../../../src/domain/keys/key-secret.ts'
import { systemRandom, toBase62 } from '../../../src/lib/random.ts'
import { anyCharacter } from '../../support/any-character.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET = /^pls_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/
const samples = Array.from({ length: 20 }, () => newKeySecret(systemRandom))

const withChecksum = (text: string) => text + toBase62(crc32(text), 6)

/** Secrets for every output of the random source. */
const secrets = fc
  .uint8Array({ minLength: 43, maxLength: 43, max: 247 })
  .map((bytes) => newKeySecret({ ...systemRandom, bytes: () => Buffer.from(bytes) }))

describe('new ids and secrets', () => {
  test('an id is plk_ and 22 base62 characters, and 10,000 ids are all different', () => {
    const ids = Array.from({ length: 10_000 }, () => newKeyId(systemRandom))
    for (const id of ids) assert.match(id, /^plk_[0-9A-Za-z]{22}$/)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('a secret is pls_, 43 base62 characters and a checksum of 6, and 10,000 secrets are all different [K1]', () => {
    const made = Array.from({ length: 10_000 }, () => newKeySecret(systemRandom))
    for (const secret of made) assert.match(secret, SECRET)
    assert.equal(new Set(made.map((secret) => secret.slice(0, 47))).size, made.length)
  })

  test('every secret passes its own check, whatever the random source returns', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        assert.match(secret, SECRET)
        assert.ok(isKeySecret(secret))
      }),
    )
  })

  test('the checksum is the CRC-32 of everything before it in base62, so that anybody can check it offline [K1]', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const digits = secret.slice(-6).split('')
        const sum = digits.reduce((value, digit) => value * 62 + ALPHABET.indexOf(digit), 0)
        assert.equal(sum, crc32(secret.slice(0, -6)))
      }),
    )
    const known = newKeySecret({ ...systemRandom, bytes: (length) => Buffer.alloc(length) })
    assert.equal(known, `pls_${'0'.repeat(43)}3JF0CW`)
  })
})

describe('isKeySecret refuses', () => {
  test('a secret with any one character replaced [K1]', () => {
    for (const secret of samples.slice(0, 5)) {
      for (const place of secret.split('').keys()) {
        for (const other of `${ALPHABET}_- `) {
          if (other === secret[place]) continue
          assert.equal(isKeySecret(secret.slice(0, place) + other + secret.slice(place + 1)), false)
        }
      }
    }
  })

  test('a secret with any two neighbours exchanged', () => {
    for (const secret of samples) {
      for (let place = 0; place + 1 < secret.length; place += 1) {
        const [one = '', two = ''] = secret.slice(place, place + 2)
        if (one === two) continue
        assert.equal(isKeySecret(secret.slice(0, place) + two + one + secret.slice(place + 2)), false)
      }
    }
  })

  test('a secret with any one character dropped, doubled or inserted', () => {
    for (const secret of samples) {
      for (const place of secret.split('').keys()) {
        assert.equal(isKeySecret(secret.slice(0, place) + secret.slice(place + 1)), false)
        assert.equal(isKeySecret(secret.slice(0, place) + secret[place] + secret.slice(place)), false)
      }
    }
  })

  test('a secret in another case, with the prefix of an id, or surrounded by blanks or line breaks', () => {
    for (const secret of samples) {
      const others = [
        secret.toUpperCase(),
        secret.toLowerCase(),
        secret.replace('pls_', 'plk_'),
        secret.slice(4),
        ` ${secret}`,
        `${secret} `,
        `${secret}\n`,
        `\n${secret}`,
        `${secret}\0`,
        `"${secret}"`,
        secret + secret,
      ]
      for (const other of others) assert.equal(isKeySecret(other), false, other)
    }
  })

  test('text of another form with a matching checksum', () => {
    const body = 'a'.repeat(43)
    assert.ok(isKeySecret(withChecksum(`pls_${body}`)), 'control')
    const others = [
      `pls_${body}a`,
      `pls_${body.slice(1)}`,
      `xpls_${body}`,
      `plk_${body}`,
      `PLS_${body}`,
      `pls_${body.slice(1)}-`,
      `pls_${body.slice(1)}ș`,
      `pls_${body.slice(1)}\n`,
      '',
    ]
    for (const other of others) assert.equal(isKeySecret(withChecksum(other)), false, other)
    assert.equal(isKeySecret(`${withChecksum(`pls_${body}`)}\n`), false)
  })

  test('an id', () => {
    assert.equal(isKeySecret(newKeyId(systemRandom)), false)
  })
})

test('isKeySecret answers any text without an exception', () => {
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
    fc
      .string({ unit: fc.constantFrom(...ALPHABET.split('')), minLength: 49, maxLength: 49 })
      .map((text) => `pls_${text}`),
  )
  fc.assert(
    fc.property(texts, (text) => assert.equal(isKeySecret(text), false)),
    { numRuns: 500 },
  )
  assert.equal(isKeySecret(`pls_${'a'.repeat(1_000_000)}`), false)
})
