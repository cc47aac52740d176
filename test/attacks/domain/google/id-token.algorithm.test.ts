import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import {
  assertRefused,
  assertAccepted,
  by,
  hmacSigner,
  headerOf,
  keyOf,
  tokenOf,
} from '../../../support/google/id-tokens.ts'
import type { Forgery, Signer } from '../../../support/google/id-tokens.ts'
import { newKey, startIssuer } from '../../../support/google/issuer.ts'
import type { IssuerKey } from '../../../support/google/issuer.ts'

// Making a pair takes longer than a test, so both key sets have the same ones.
const pairs = [newKey(), newKey()]

// Google's keys state algorithm and use. A key set without them leaves the check to the verifier.
for (const [name, changes] of [
  ['', {}],
  [' without an algorithm', { alg: undefined, use: undefined }],
] as const) {
  describe(`with keys${name},`, () => {
    let service: GoogleService

    before(async () => {
      service = await startGoogleService()
      const withChanges = ({ privateKey, jwk }: IssuerKey) => ({ privateKey, jwk: { ...jwk, ...changes } })
      service.issuer.keys.splice(0, 1, ...pairs.map(withChanges))
    })
    after(() => service.close())

    const tokenWith =
      (header: Record<string, unknown>, signer: Signer): Forgery =>
      (right) =>
        tokenOf(headerOf(service.issuer, header), right, signer)

    const unsigned: Signer = () => Buffer.alloc(0)
    const signed: Signer = (input) => by(keyOf(service.issuer).privateKey)(input)

    test('control: a valid token made by this test is accepted', () =>
      assertAccepted(service, { right: tokenWith({}, signed) }))

    test('alg none in any spelling is refused, signed and unsigned [G1, G15]', async () => {
      const spellings = [
        'none',
        'None',
        'NONE',
        'nOnE',
        'none ',
        'none\u0000',
        '',
        'RS256 ',
        'rs256',
        'RS256\u0000',
        null,
        undefined,
        0,
        ['RS256'],
        ['none', 'RS256'],
        { alg: 'RS256' },
      ]
      const forgeries = spellings.flatMap((alg): [string, Forgery][] => [
        [`${JSON.stringify(alg)}, unsigned`, tokenWith({ alg }, unsigned)],
        [`${JSON.stringify(alg)}, signed`, tokenWith({ alg }, signed)],
      ])
      await assertRefused(service, Object.fromEntries([...forgeries, ['RS256, unsigned', tokenWith({}, unsigned)]]))
    })

    test('a MAC with the public key in any encoding is refused [G1, CVE-2023-48223, CVE-2026-22817]', async () => {
      const key = keyOf(service.issuer)
      const publicKey = createPublicKey(key.privateKey)
      const pems = (['spki', 'pkcs1'] as const).map((type) => publicKey.export({ type, format: 'pem' }))
      const { n = '', ...rest } = publicKey.export({ format: 'jwk' })
      const secrets: (string | Buffer)[] = [
        ...pems.flatMap((pem) => [
          pem,
          pem.trimEnd(),
          ` ${pem}`,
          `${pem} `,
          `\n${pem}`,
          `${pem}\n`,
          `\ufeff${pem}`,
          pem.replaceAll('\n', '\r\n'),
        ]),
        ...(['spki', 'pkcs1'] as const).map((type) => publicKey.export({ type, format: 'der' })),
        JSON.stringify(key.jwk),
        JSON.stringify({ ...rest, n }),
        JSON.stringify({ keys: service.issuer.keys.map(({ jwk }) => jwk) }),
        n,
        Buffer.from(n, 'base64url'),
        '',
        String(key.jwk['kid']),
        service.issuer.clientSecret,
        service.issuer.clientId,
      ]
      const forgeries = secrets.flatMap((secret, index): [string, Forgery][] =>
        (['256', '384', '512'] as const).map((size) => [
          `HS${size}, secret ${index}`,
          tokenWith({ alg: `HS${size}` }, hmacSigner(secret, `sha${size}`)),
        ]),
      )
      const named = secrets.map((secret, index): [string, Forgery] => [
        `called RS256, secret ${index}`,
        tokenWith({}, hmacSigner(secret)),
      ])
      await assertRefused(service, Object.fromEntries([...forgeries, ...named]), { through: ['One Tap'] })
      // The callback verifies by the same function, so one secret shows that it does.
      await assertRefused(service, Object.fromEntries([...forgeries.slice(0, 3), ...named.slice(0, 1)]))
    })

    test('another algorithm is refused, even with Google’s own key [G1, CVE-2026-22817]', async () => {
      const { privateKey } = keyOf(service.issuer)
      const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      const edwards = generateKeyPairSync('ed25519').privateKey
      const pss = { padding: 6, saltLength: 32 }
      await assertRefused(service, {
        RS384: tokenWith({ alg: 'RS384' }, by(privateKey, 'sha384')),
        RS512: tokenWith({ alg: 'RS512' }, by(privateKey, 'sha512')),
        PS256: tokenWith({ alg: 'PS256' }, by(privateKey, 'sha256', pss)),
        'RS512 that calls itself RS256': tokenWith({}, by(privateKey, 'sha512')),
        'PS256 that calls itself RS256': tokenWith({}, by(privateKey, 'sha256', pss)),
        'RS256 that calls itself RS512': tokenWith({ alg: 'RS512' }, signed),
        ES256: tokenWith({ alg: 'ES256' }, by(ec, 'sha256', { dsaEncoding: 'ieee-p1363' })),
        'ES256, null signature': tokenWith({ alg: 'ES256' }, () => Buffer.alloc(64)),
        EdDSA: tokenWith({ alg: 'EdDSA' }, by(edwards, null)),
        dir: tokenWith({ alg: 'dir', enc: 'A256GCM' }, signed),
        'RSA-OAEP': tokenWith({ alg: 'RSA-OAEP', enc: 'A256GCM' }, signed),
      })
    })

    test('a key that the token contains or links to is ignored and never fetched [G1, CVE-2026-31813]', async () => {
      const attacker = await startIssuer()
      try {
        const { privateKey, jwk } = keyOf(attacker)
        const der = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
        const forger = by(privateKey)
        const own = keyOf(service.issuer).jwk['kid']
        const brought: Record<string, Record<string, unknown>> = {
          nothing: {},
          jwk: { jwk },
          jku: { jku: `${attacker.url}/jwks` },
          x5u: { x5u: `${attacker.url}/jwks` },
          x5c: { x5c: [der] },
          'x5t#S256': { 'x5t#S256': 'AAAA' },
          iss: { iss: attacker.url },
          everything: { jwk, jku: `${attacker.url}/jwks`, x5u: `${attacker.url}/jwks`, x5c: [der] },
        }
        const forgeries = Object.entries(brought).flatMap(([what, header]): [string, Forgery][] => [
          [`${what}, our kid`, tokenWith({ ...header, kid: own }, forger)],
          [`${what}, the attacker's kid`, tokenWith({ ...header, kid: jwk['kid'] }, forger)],
          [`${what}, no kid`, tokenWith({ ...header, kid: undefined }, forger)],
          [
            `${what}, the attacker's issuer`,
            (right) => tokenOf(headerOf(attacker, header), { ...right, iss: attacker.url }, forger),
          ],
        ])
        await assertRefused(service, Object.fromEntries(forgeries))
        assert.deepEqual(attacker.hits, { discovery: 0, jwks: 0, token: 0 })
      } finally {
        await attacker.close()
      }
      await assertAccepted(service, { 'a valid one, afterwards': tokenWith({}, signed) })
    })
  })
}
