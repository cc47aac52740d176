/** An ID token counts by Google's RS256 signature alone: no other algorithm, and no key that the token brings. */
import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { assertRefused, assertTaken, by, byMac, headerOf, keyOf, tokenOf } from '../../../support/google/id-tokens.ts'
import type { Forgery, Signer } from '../../../support/google/id-tokens.ts'
import { newKey, startIssuer } from '../../../support/google/issuer.ts'

// Google's keys say their algorithm and use; a set that does not leaves more to the one who checks.
for (const [name, changes] of [
  ['', {}],
  [' that say no algorithm', { alg: undefined, use: undefined }],
] as const) {
  describe(`with keys${name},`, () => {
    let service: GoogleService

    before(async () => {
      service = await startGoogleService()
      service.issuer.keys.splice(0, 1, newKey(changes), newKey(changes))
    })
    after(() => service.close())

    const made =
      (header: Record<string, unknown>, signer: Signer): Forgery =>
      (right) =>
        tokenOf(headerOf(service.issuer, header), right, signer)

    const unsigned: Signer = () => Buffer.alloc(0)
    const rightly: Signer = (input) => by(keyOf(service.issuer).privateKey)(input)

    test('what this test makes by hand is taken when it is right', () =>
      assertTaken(service, { right: made({}, rightly) }))

    test('no algorithm, however it is spelt, with a signature or without, is refused [G1, G15]', async () => {
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
        [`${JSON.stringify(alg)}, unsigned`, made({ alg }, unsigned)],
        [`${JSON.stringify(alg)}, signed`, made({ alg }, rightly)],
      ])
      await assertRefused(service, Object.fromEntries([...forgeries, ['RS256, unsigned', made({}, unsigned)]]))
    })

    test('a MAC made with the public key, however it is written, is refused [G1, CVE-2023-48223, CVE-2026-22817]', async () => {
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
          made({ alg: `HS${size}` }, byMac(secret, `sha${size}`)),
        ]),
      )
      const named = secrets.map((secret, index): [string, Forgery] => [
        `called RS256, secret ${index}`,
        made({}, byMac(secret)),
      ])
      await assertRefused(service, Object.fromEntries([...forgeries, ...named]))
    })

    test('another algorithm is refused, with Google’s own key too [G1, CVE-2026-22817]', async () => {
      const { privateKey } = keyOf(service.issuer)
      const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      const edwards = generateKeyPairSync('ed25519').privateKey
      const pss = { padding: 6, saltLength: 32 }
      await assertRefused(service, {
        RS384: made({ alg: 'RS384' }, by(privateKey, 'sha384')),
        RS512: made({ alg: 'RS512' }, by(privateKey, 'sha512')),
        PS256: made({ alg: 'PS256' }, by(privateKey, 'sha256', pss)),
        'RS512 that calls itself RS256': made({}, by(privateKey, 'sha512')),
        'PS256 that calls itself RS256': made({}, by(privateKey, 'sha256', pss)),
        'RS256 that calls itself RS512': made({ alg: 'RS512' }, rightly),
        ES256: made({ alg: 'ES256' }, by(ec, 'sha256', { dsaEncoding: 'ieee-p1363' })),
        'ES256, null signature': made({ alg: 'ES256' }, () => Buffer.alloc(64)),
        EdDSA: made({ alg: 'EdDSA' }, by(edwards, null)),
        dir: made({ alg: 'dir', enc: 'A256GCM' }, rightly),
        'RSA-OAEP': made({ alg: 'RSA-OAEP', enc: 'A256GCM' }, rightly),
      })
    })

    test('a key that the token brings or names is not looked at, and nobody is asked for it [G1, CVE-2026-31813]', async () => {
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
          [`${what}, our kid`, made({ ...header, kid: own }, forger)],
          [`${what}, the attacker's kid`, made({ ...header, kid: jwk['kid'] }, forger)],
          [`${what}, no kid`, made({ ...header, kid: undefined }, forger)],
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
      await assertTaken(service, { 'a right one, afterwards': made({}, rightly) })
    })
  })
}
