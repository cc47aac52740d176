/** Key sets with keys in them that must not count: what they sign is refused, and the good key beside them works. */
import assert from 'node:assert/strict'
import { constants, createHash, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { oneTap, startGoogleService, useCredential } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { by, byMac, headerOf, tokenOf } from '../../../support/google/id-tokens.ts'
import type { Signer } from '../../../support/google/id-tokens.ts'
import { says } from '../../../support/http/hostile-answers.ts'
import { newKey } from '../../../support/google/issuer.ts'
import { serving } from '../../../support/http/serving.ts'
import { assertNothingHappens } from '../../../support/database/state.ts'

type Fields = Record<string, unknown>
/** A key as a set shows it, and what signs by it. */
type Planted = Readonly<{ jwk: Fields; alg?: string; signer: Signer }>

function rsa(
  changes: Fields = {},
  { modulusLength = 2048, publicExponent = 65537, hash = 'sha256', options = {} } = {},
): Planted {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength, publicExponent })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'planted', alg: 'RS256', use: 'sig', ...changes }
  return { jwk, signer: by(privateKey, hash, options) }
}

/** With an exponent of 1 a signature is its own padded hash (RFC 8017, section 9.2): anybody can write it. */
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
  const key = newKey({ kid: 'planted' })
  return { jwk: { ...key.privateKey.export({ format: 'jwk' }), ...key.jwk }, signer: by(key.privateKey) }
}

function symmetric(changes: Fields = {}): Planted {
  const secret = Buffer.alloc(32, 'secret')
  const jwk = { kty: 'oct', k: secret.toString('base64url'), alg: 'HS256', use: 'sig', kid: 'planted', ...changes }
  return { jwk, alg: 'HS256', signer: byMac(secret) }
}

function elliptic(): Planted {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signer: Signer = (input) =>
    signBytes('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return { jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'planted' }, alg: 'ES256', signer }
}

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }

describe('a key set with keys in it that must not count', () => {
  let service: GoogleService
  before(async () => void (service = await startGoogleService()))
  after(() => service.close())
  beforeEach(() => {
    service.clock.advance(11 * 60_000)
    delete service.issuer.handlers.jwks
  })

  const showing = (...planted: Fields[]) => {
    service.issuer.handlers.jwks = says(
      JSON.stringify({ keys: [...planted, ...service.issuer.keys.map(({ jwk }) => jwk)] }),
    )
  }
  const tokenBy = ({ alg = 'RS256', signer }: Planted, header: Fields = {}) =>
    tokenOf(headerOf(service.issuer, { alg, kid: 'planted', ...header }), service.issuer.claims(), signer)

  const planted: Record<string, () => Planted> = {
    symmetric: symmetric,
    'symmetric, said to be for RS256': () => symmetric({ alg: 'RS256' }),
    'symmetric, without an alg': () => symmetric({ alg: undefined }),
    'of an elliptic curve': elliptic,
    'of 1024 bits': () => rsa({}, { modulusLength: 1024 }),
    'of 2047 bits': () => rsa({}, { modulusLength: 2047 }),
    'with the exponent 3': () => rsa({}, { publicExponent: 3 }),
    'with the exponent 1': withExponentOne,
    'for encryption': () => rsa({ use: 'enc' }),
    'for no use that there is': () => rsa({ use: 'SIG' }),
    'whose use is no text': () => rsa({ use: ['sig'] }),
    'whose operations are encryption': () => rsa({ key_ops: ['encrypt'] }),
    'whose operations are no list': () => rsa({ key_ops: 'verify' }),
    'for RS512': () => rsa({ alg: 'RS512' }, { hash: 'sha512' }),
    'for PS256': () => rsa({ alg: 'PS256' }, { options: pss }),
    'for RSA-OAEP': () => rsa({ alg: 'RSA-OAEP' }),
    'whose alg is null': () => rsa({ alg: null }),
    'with its private part': withPrivatePart,
    'whose kid is a number': () => rsa({ kid: 7 }),
    'whose modulus is no base64url': () => rsa({ n: `${'!'.repeat(8)}${'_'.repeat(400)}` }),
    'whose modulus is in base64 with its padding': () => rsa({ n: Buffer.alloc(257, 0xff).toString('base64') }),
    'whose modulus is even': () => rsa({ n: Buffer.alloc(256, 0xfe).toString('base64url') }),
    'whose modulus is larger than any library takes': () =>
      rsa({ n: Buffer.alloc(20_000, 0xff).toString('base64url') }),
  }
  test('takes what any other one signs: what is refused below is refused for what is wrong with it', async () => {
    const key = rsa()
    showing(key.jwk)
    assert.equal((await useCredential(service, tokenBy(key))).status, 200)
  })

  for (const [name, make] of Object.entries(planted)) {
    test(`refuses what one signs, and takes the good one beside it: ${name} [G12]`, async () => {
      const key = make()
      showing(key.jwk)
      await assertNothingHappens(service, async () => {
        assertError(await useCredential(service, tokenBy(key)), 'GOOGLE_CREDENTIAL_INVALID')
        assertError(await useCredential(service, tokenBy(key, { alg: 'RS256' })), 'GOOGLE_CREDENTIAL_INVALID')
      })
      assert.equal((await oneTap(service)).status, 200)
    })
  }

  test('takes of a key its modulus, its exponent and its name: what else is said of it breaks nothing [G12]', async () => {
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
      showing(key.jwk)
      assert.equal((await useCredential(service, tokenBy(key))).status, 200, field)
      assert.equal((await oneTap(service)).status, 200)
    }
  })

  test('refuses what either of two with one name signs, whichever comes first [G12]', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      const pair = [rsa(), rsa()] as const
      showing(...order.map((index) => pair[index].jwk))
      service.clock.advance(11 * 60_000)
      await assertNothingHappens(service, async () => {
        for (const key of pair) assertError(await useCredential(service, tokenBy(key)), 'GOOGLE_CREDENTIAL_INVALID')
      })
      assert.equal((await oneTap(service)).status, 200)
    }
  })

  test('takes the algorithm from no header, where the set names none [CVE-2026-22817]', async () => {
    const { issuer } = service
    const [good] = issuer.keys
    const { publicKey, ...shown } = { publicKey: good?.jwk, ...good?.jwk, alg: undefined }
    issuer.handlers.jwks = says(JSON.stringify({ keys: [{ ...shown, use: undefined }] }))
    assert.equal((await oneTap(service)).status, 200)
    const secrets = [JSON.stringify(publicKey), JSON.stringify(shown), String(good?.jwk['n'])]
    const tokens = [
      ...secrets.map((secret) => tokenOf(headerOf(issuer, { alg: 'HS256' }), issuer.claims(), byMac(secret))),
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

  test('is our issuer’s alone: another’s key of the same name counts for nothing, and nobody calls it [CVE-2025-59936, CVE-2026-31813]', async () => {
    const { issuer } = service
    const evil = rsa({ kid: issuer.keys[0]?.jwk['kid'] })
    const server = await serving(
      { after: (end) => after(end as () => void) },
      says(JSON.stringify({ keys: [evil.jwk] })),
    )
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
