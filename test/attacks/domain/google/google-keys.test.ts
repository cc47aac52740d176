import assert from 'node:assert/strict'
import { constants, createHash, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { oneTap, startGoogleService, useCredential } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { by, hmacSigner, headerOf, tokenOf } from '../../../support/google/id-tokens.ts'
import type { Signer } from '../../../support/google/id-tokens.ts'
import { answerWith } from '../../../support/wire/hostile-answers.ts'
import { newKey } from '../../../support/google/issuer.ts'
import { serving } from '../../../support/http/serving.ts'
import { assertNothingHappens } from '../../../support/database/state.ts'

type Fields = Record<string, unknown>
type Planted = Readonly<{ jwk: Fields; alg?: string; signer: Signer }>

// Making a pair takes longer than a test, so keys of the same size and exponent share one.
const pairs = new Map<string, Readonly<{ privateKey: KeyObject; publicKey: KeyObject }>>()
function pairOf(modulusLength: number, publicExponent: number) {
  const name = `${modulusLength} ${publicExponent}`
  const pair = pairs.get(name) ?? generateKeyPairSync('rsa', { modulusLength, publicExponent })
  pairs.set(name, pair)
  return pair
}

function rsa(
  changes: Fields = {},
  { modulusLength = 2048, publicExponent = 65537, hash = 'sha256', options = {} } = {},
): Planted {
  const { privateKey, publicKey } = pairOf(modulusLength, publicExponent)
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'planted', alg: 'RS256', use: 'sig', ...changes }
  return { jwk, signer: by(privateKey, hash, options) }
}

/** With an exponent of 1 a signature is its own padded hash (RFC 8017, section 9.2): anyone can forge it. */
function withExponentOne(): Planted {
  const { jwk } = rsa({ e: 'AQ' })
  const prefix = Buffer.from('3031300d060960864801650304020105000420', 'hex')
  const signer: Signer = (input) => {
    const digest = Buffer.concat([prefix, createHash('sha256').update(input).digest()])
    const padding = Buffer.alloc(256 - 3 - digest.length, 0xff)
    return Buffer.concat([Buffer.from([0, 1]), padding, Buffer.from([0]), digest])
  }
  return { jwk, signer }
}

function withPrivatePart(): Planted {
  const { jwk, signer } = rsa()
  return { jwk: { ...pairOf(2048, 65537).privateKey.export({ format: 'jwk' }), ...jwk }, signer }
}

function symmetric(changes: Fields = {}): Planted {
  const secret = Buffer.alloc(32, 'secret')
  const jwk = { kty: 'oct', k: secret.toString('base64url'), alg: 'HS256', use: 'sig', kid: 'planted', ...changes }
  return { jwk, alg: 'HS256', signer: hmacSigner(secret) }
}

function elliptic(): Planted {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signer: Signer = (input) =>
    signBytes('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return { jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'planted' }, alg: 'ES256', signer }
}

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }

describe('a key set with keys that must be ignored', () => {
  let service: GoogleService
  before(async () => void (service = await startGoogleService()))
  after(() => service.close())
  beforeEach(() => {
    service.clock.advance(11 * 60_000)
    delete service.issuer.handlers.jwks
  })

  const serveKeySet = (...planted: Fields[]) => {
    service.issuer.handlers.jwks = answerWith(
      JSON.stringify({ keys: [...planted, ...service.issuer.keys.map(({ jwk }) => jwk)] }),
    )
  }
  const tokenBy = ({ alg = 'RS256', signer }: Planted, header: Fields = {}) =>
    tokenOf(headerOf(service.issuer, { alg, kid: 'planted', ...header }), service.issuer.claims(), signer)

  const planted: Record<string, () => Planted> = {
    'that is symmetric': symmetric,
    'that is symmetric with alg RS256': () => symmetric({ alg: 'RS256' }),
    'that is symmetric without alg': () => symmetric({ alg: undefined }),
    'on an elliptic curve': elliptic,
    'of 1024 bits': () => rsa({}, { modulusLength: 1024 }),
    'of 2047 bits': () => rsa({}, { modulusLength: 2047 }),
    'with the exponent 3': () => rsa({}, { publicExponent: 3 }),
    'with the exponent 1': withExponentOne,
    'for encryption': () => rsa({ use: 'enc' }),
    'with an unknown use': () => rsa({ use: 'SIG' }),
    'whose use is not a string': () => rsa({ use: ['sig'] }),
    'whose key_ops are encryption': () => rsa({ key_ops: ['encrypt'] }),
    'whose key_ops are not a list': () => rsa({ key_ops: 'verify' }),
    'for RS512': () => rsa({ alg: 'RS512' }, { hash: 'sha512' }),
    'for PS256': () => rsa({ alg: 'PS256' }, { options: pss }),
    'for RSA-OAEP': () => rsa({ alg: 'RSA-OAEP' }),
    'whose alg is null': () => rsa({ alg: null }),
    'with its private part': withPrivatePart,
    'whose kid is a number': () => rsa({ kid: 7 }),
    'whose modulus is not base64url': () => rsa({ n: `${'!'.repeat(8)}${'_'.repeat(400)}` }),
    'whose modulus is padded base64': () => rsa({ n: Buffer.alloc(257, 0xff).toString('base64') }),
    'whose modulus is even': () => rsa({ n: Buffer.alloc(256, 0xfe).toString('base64url') }),
    'whose modulus is too large for any library': () => rsa({ n: Buffer.alloc(20_000, 0xff).toString('base64url') }),
  }
  test('control: it verifies the signature of a valid key', async () => {
    const key = rsa()
    serveKeySet(key.jwk)
    assert.equal((await useCredential(service, tokenBy(key))).status, 200)
  })

  for (const [name, make] of Object.entries(planted)) {
    test(`refuses the signature of a key ${name}, and accepts the valid key in the same set [G12]`, async () => {
      const key = make()
      serveKeySet(key.jwk)
      await assertNothingHappens(service, async () => {
        assertError(await useCredential(service, tokenBy(key)), 'GOOGLE_CREDENTIAL_INVALID')
        assertError(await useCredential(service, tokenBy(key, { alg: 'RS256' })), 'GOOGLE_CREDENTIAL_INVALID')
      })
      assert.equal((await oneTap(service)).status, 200)
    })
  }

  test('uses only a key’s modulus, exponent and kid; other fields break nothing [G12]', async () => {
    const others = {
      oth: [{ r: 'AQ', d: 'AQ', t: 'AQ' }],
      ext: 'false',
      key_ops: ['verify', 'verify'],
      x5c: 7,
      jwk: null,
    }
    for (const [field, value] of Object.entries(others)) {
      service.clock.advance(11 * 60_000)
      const key = rsa({ [field]: value })
      serveKeySet(key.jwk)
      assert.equal((await useCredential(service, tokenBy(key))).status, 200, field)
      assert.equal((await oneTap(service)).status, 200)
    }
  })

  test('refuses the signatures of two keys with the same kid, in any order [G12]', async () => {
    const { privateKey, jwk } = newKey({ kid: 'planted' })
    const pair = [rsa(), { jwk, signer: by(privateKey) }] as const
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      serveKeySet(...order.map((index) => pair[index].jwk))
      service.clock.advance(11 * 60_000)
      await assertNothingHappens(service, async () => {
        for (const key of pair) assertError(await useCredential(service, tokenBy(key)), 'GOOGLE_CREDENTIAL_INVALID')
      })
      assert.equal((await oneTap(service)).status, 200)
    }
  })

  test('takes no algorithm from the header if the keys name none [CVE-2026-22817]', async () => {
    const { issuer } = service
    const [good] = issuer.keys
    const { publicKey, ...shown } = { publicKey: good?.jwk, ...good?.jwk, alg: undefined }
    issuer.handlers.jwks = answerWith(JSON.stringify({ keys: [{ ...shown, use: undefined }] }))
    assert.equal((await oneTap(service)).status, 200)
    const secrets = [JSON.stringify(publicKey), JSON.stringify(shown), String(good?.jwk['n'])]
    const tokens = [
      ...secrets.map((secret) => tokenOf(headerOf(issuer, { alg: 'HS256' }), issuer.claims(), hmacSigner(secret))),
      tokenOf(headerOf(issuer, { alg: 'ES256' }), issuer.claims(), elliptic().signer),
      ...(['RS384', 'RS512', 'PS256'] as const).map((alg) =>
        tokenOf(
          headerOf(issuer, { alg }),
          issuer.claims(),
          by(
            good?.privateKey ?? assert.fail(),
            alg === 'RS384' ? 'sha384' : alg === 'RS512' ? 'sha512' : 'sha256',
            alg === 'PS256' ? pss : {},
          ),
        ),
      ),
    ]
    await assertNothingHappens(service, async () => {
      for (const token of tokens) assertError(await useCredential(service, token), 'GOOGLE_CREDENTIAL_INVALID')
    })
  })

  test('is fetched from the configured issuer only: keys and URLs named by a token are ignored [CVE-2025-59936, CVE-2026-31813]', async () => {
    const { issuer } = service
    const evil = rsa({ kid: issuer.keys[0]?.jwk['kid'] })
    const server = await serving({ after }, answerWith(JSON.stringify({ keys: [evil.jwk] })))
    const header = headerOf(issuer, { jku: `${server.url}/jwks`, x5u: `${server.url}/x5u`, jwk: evil.jwk })
    const of = (claims: Fields) => tokenOf(header, issuer.claims(claims), evil.signer)
    await assertNothingHappens(service, async () => {
      for (const iss of [server.url, issuer.url, `${issuer.url}@${new URL(server.url).host}`]) {
        for (const token of [of({ iss }), of({ iss, jwks: { keys: [evil.jwk] }, jwks_uri: `${server.url}/jwks` })]) {
          assertError(await useCredential(service, token), 'GOOGLE_CREDENTIAL_INVALID')
        }
      }
    })
    assert.deepEqual(server.requests, [])
    assert.equal((await oneTap(service)).status, 200)
  })
})
