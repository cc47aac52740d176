import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import {
  assertRefused,
  assertAccepted,
  by,
  withClaims,
  headerOf,
  withHeader,
  keyOf,
  tokenOf,
} from '../../../support/google/id-tokens.ts'
import type { Forgery } from '../../../support/google/id-tokens.ts'
import { newKey, startIssuer } from '../../../support/google/issuer.ts'
import type { IssuerKey } from '../../../support/google/issuer.ts'

const HOUR_MS = 3600 * 1000

// Making a pair takes longer than a test, so the tests share three.
const [one, two, three] = [newKey(), newKey(), newKey()]
const like = (key: IssuerKey, changes: object): IssuerKey => ({ ...key, jwk: { ...key.jwk, ...changes } })

const signedBy =
  ({ issuer }: GoogleService, key: IssuerKey | undefined): Forgery =>
  (right) =>
    issuer.sign(right, {}, key)

async function withKeys(keys: IssuerKey[], act: (service: GoogleService) => Promise<void>): Promise<void> {
  const service = await startGoogleService()
  service.issuer.keys.splice(0, 1, ...keys)
  try {
    await act(service)
  } finally {
    await service.close()
  }
}

describe('with a set of two keys,', () => {
  let service: GoogleService
  before(async () => {
    service = await startGoogleService()
    service.issuer.keys.push(two)
  })
  after(() => service.close())

  const strange: Record<string, unknown> = {
    unknown: 'unknown',
    empty: '',
    absent: undefined,
    null: null,
    number: 1,
    zero: 0,
    true: true,
    object: {},
    list: [],
    path: '../../../../dev/null',
    'file URL': 'file:///etc/passwd',
    SQL: "' UNION SELECT 'x' --",
    shell: 'x; cat /etc/passwd',
    polluting: '__proto__',
    inherited: 'constructor',
    NUL: 'key\u0000',
    long: 'k'.repeat(5000),
  }

  test('a kid that is missing, unknown, a path, SQL or not a string is refused despite a valid signature [G11, J8]', async () => {
    const known = String(keyOf(service.issuer).jwk['kid'])
    const kids = {
      ...strange,
      'known kid in a list': [known],
      'known kid with a space': `${known} `,
      'other case': known.toUpperCase(),
    }
    await assertRefused(
      service,
      Object.fromEntries(Object.entries(kids).map(([name, kid]) => [name, withHeader(service.issuer, { kid })])),
    )
  })

  test('a kid that is a URL is not fetched [J8]', async () => {
    const attacker = await startIssuer()
    try {
      const kids = [`${attacker.url}/jwks`, `//${new URL(attacker.url).host}/jwks`]
      const forgeries = kids.map((kid): [string, Forgery] => [
        kid,
        (right) => tokenOf(headerOf(service.issuer, { kid }), right, by(keyOf(attacker).privateKey)),
      ])
      await assertRefused(service, Object.fromEntries(forgeries))
      assert.deepEqual(attacker.hits, { discovery: 0, jwks: 0, token: 0 })
    } finally {
      await attacker.close()
    }
  })

  test('a token signed by one key that names the other is refused', async () => {
    const [first, second] = service.issuer.keys
    await assertRefused(service, {
      'first as second': withHeader(service.issuer, { kid: second?.jwk['kid'] }),
      'second as first': (right) => service.issuer.sign(right, { kid: first?.jwk['kid'] }, second),
    })
    await assertAccepted(service, { first: signedBy(service, first), second: signedBy(service, second) })
  })

  test('another issuer’s key with the same kid is refused and does not replace Google’s [CVE-2025-59936]', async () => {
    const attacker = await startIssuer()
    try {
      const kid = keyOf(service.issuer).jwk['kid']
      attacker.keys.splice(0, 1, like(three, { kid }))
      const forged =
        (changes: object): Forgery =>
        (right) =>
          attacker.sign({ ...right, ...changes })
      await assertRefused(service, {
        'with iss of Google': forged({}),
        'with iss of the attacker': forged({ iss: attacker.url }),
        'with both in a list': forged({ iss: [service.issuer.url, attacker.url] }),
      })
      assert.deepEqual(attacker.hits, { discovery: 0, jwks: 0, token: 0 })
    } finally {
      await attacker.close()
    }
    await assertAccepted(service, { 'Google’s, afterwards': withClaims(service.issuer, {}) })
  })

  test('forty unknown kids cause one further request for the key set [G11]', async () => {
    service.clock.advance(60_000)
    const { hits } = service.issuer
    const asked = hits.jwks
    const forgeries = Array.from({ length: 20 }, (_, n): [string, Forgery] => [
      `${n}`,
      withHeader(service.issuer, { kid: `unknown-${n}` }),
    ])
    await assertRefused(service, Object.fromEntries(forgeries))
    assert.equal(hits.jwks, asked + 1)
  })
})

test('without a kid the only key of a set is used, and another key is refused [G11]', async () => {
  await withKeys([one], async (service) => {
    await assertAccepted(service, { 'no kid': withHeader(service.issuer, { kid: undefined }) })
    await assertRefused(service, {
      'no kid, foreign key': (right) => service.issuer.sign(right, { kid: undefined }, two),
    })
  })
})

test('two keys with the same kid are both ignored [G12]', async () => {
  const keys = [like(one, { kid: 'alike' }), like(two, { kid: 'alike' })]
  await withKeys(keys, async (service) => {
    await assertRefused(service, {
      first: signedBy(service, keys[0]),
      second: signedBy(service, keys[1]),
      foreign: signedBy(service, like(three, { kid: 'alike' })),
    })
  })
})

describe('a key that is too weak or not for RS256 signatures', () => {
  let service: GoogleService
  let good: IssuerKey
  before(async () => {
    service = await startGoogleService()
    good = keyOf(service.issuer)
  })
  after(() => service.close())

  const withExponent = (publicExponent: number): IssuerKey => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent })
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'small exponent', alg: 'RS256', use: 'sig' }
    return { privateKey, jwk }
  }
  const bad: Readonly<Record<string, () => IssuerKey>> = {
    'of 1024 bits': () => newKey({}, 1024),
    'of 2047 bits': () => newKey({}, 2047),
    'of exponent 3': () => withExponent(3),
    'without exponent': () => like(three, { e: undefined }),
    'without modulus': () => like(three, { n: undefined }),
    'with a modulus that is not a string': () => like(three, { n: 1 }),
    'of another algorithm': () => like(three, { alg: 'RS512' }),
    'for encryption': () => like(three, { use: 'enc' }),
    'of another type': () => like(three, { kty: 'oct' }),
  }

  for (const [name, makeKey] of Object.entries(bad)) {
    test(`is ignored next to a good key, and alone counts as an empty set: ${name} [G12]`, async () => {
      const key = makeKey()
      const { issuer, clock } = service
      issuer.keys.splice(0, issuer.keys.length, good, key)
      clock.advance(25 * HOUR_MS)
      await assertAccepted(service, { good: withClaims(issuer, {}) }, ['One Tap'])
      await assertRefused(service, { bad: (right) => issuer.sign(right, {}, key) }, { through: ['One Tap'] })
      issuer.keys.splice(0, issuer.keys.length, key)
      clock.advance(25 * HOUR_MS)
      const forgeries = { good: signedBy(service, good), bad: signedBy(service, key) }
      await assertRefused(service, forgeries, { code: 'GOOGLE_UNAVAILABLE', through: ['One Tap'] })
    })
  }
})
