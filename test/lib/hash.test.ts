import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keyIdOfSecret, sameHash, sha256 } from '../../src/lib/hash.ts'

describe('sha256', () => {
  // FIPS 180-2, appendix B, and the empty string.
  const vectors: Readonly<Record<string, string>> = {
    '': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    abc: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq:
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  }
  for (const [text, hash] of Object.entries(vectors)) {
    test(`${JSON.stringify(text)} has its published hash`, () => assert.equal(sha256(text), hash))
  }

  test('text is hashed as UTF-8', () => {
    assert.equal(sha256('ă'), '817789243c880b917385edcc706add33c1bc42fc0422d967e66ddbc29926b798')
  })
})

describe('sameHash', () => {
  const hash = sha256('a secret')

  test('is true for equal hashes', () => assert.equal(sameHash(hash, sha256('a secret')), true))

  test('is false when any bit differs', () => {
    const bytes = Buffer.from(hash, 'hex')
    for (let bit = 0; bit < 256; bit += 1) {
      const other = Buffer.from(bytes)
      other[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      assert.equal(sameHash(hash, other.toString('hex')), false, `bit ${bit}`)
    }
  })

  test('throws for a prefix of a hash', () => {
    assert.throws(() => sameHash(hash, hash.slice(0, 62)))
    assert.throws(() => sameHash(hash, ''))
  })
})

describe('keyIdOfSecret', () => {
  test('returns the start of HMAC-SHA-256(secret, "kid") in base64url', () => {
    // printf kid | openssl dgst -sha256 -hmac "…" -binary | basenc --base64url
    assert.equal(keyIdOfSecret('a test secret of more than thirty-two bytes'), '1kYxZQWl')
  })

  test('differs for secrets with the same prefix, and contains no part of the secret', () => {
    const secret = 'x'.repeat(40)
    assert.notEqual(keyIdOfSecret(secret), keyIdOfSecret(`${secret}y`))
    assert.match(keyIdOfSecret(secret), /^[\w-]{8}$/)
    assert.doesNotMatch(keyIdOfSecret(secret), /xx/)
  })
})
