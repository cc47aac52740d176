import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { loadConfig } from '../../../../src/config/load-config.ts'
import { assertError } from '../../../support/http/answers.ts'
import { createKey, tokenOf } from '../../../support/accounts/keys.ts'
import { callPipelined } from '../../../support/wire/pipelined.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { linkIn } from '../../../support/mail/smtp.ts'
import { assertNothingHappens, userOf } from '../../../support/database/state.ts'
import { mint, rightParts, signed, segment } from '../../../support/accounts/tokens.ts'
import type { Parts } from '../../../support/accounts/tokens.ts'

let service: Service
let right: Parts

before(async () => {
  service = await startService()
  await service.signIn('ana@example.com')
  const user = await userOf(service.db, 'ana@example.com')
  right = rightParts(service.deps.config, user.id, service.clock.now())
})
after(() => service.close())

const verify = (token: string) => service.deps.accessTokens.verify(token)

// No token is verified with a public key, so there is no algorithm confusion; the test tries every encoding anyway.
test('a token with a MAC by a public key in any encoding is refused [CVE-2023-48223]', async () => {
  for (const type of ['rsa', 'ec'] as const) {
    const { publicKey } =
      type === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = publicKey.export({ type: 'spki', format: 'pem' })
    const jwk = publicKey.export({ format: 'jwk' })
    const spellings: (string | Buffer)[] = [
      pem,
      pem.trim(),
      ` ${pem}`,
      `\n${pem}`,
      `${pem}\n`,
      `\ufeff${pem}`,
      pem.replaceAll('\n', '\r\n'),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(jwk),
      JSON.stringify({ ...jwk, alg: 'HS256' }),
      JSON.stringify({ keys: [jwk] }),
      jwk.n ?? jwk.x ?? '',
      Buffer.from(jwk.n ?? jwk.x ?? '', 'base64url'),
    ]
    const headers = [right.header, { ...right.header, jwk }, { ...right.header, alg: 'RS256' }]
    const tokens = spellings.flatMap((key) =>
      headers.map((header) => signed(segment(header), segment(right.claims), key as string)),
    )
    for (const token of tokens) assert.equal(verify(token), undefined)
    const statuses = (await callPipelined(service.origin, tokens)).map((answer) => answer.slice(0, 4))
    assert.deepEqual(new Set(statuses), new Set(['401 ']))
  }
})

test('a public key is refused as JWT_SECRET and JWT_SECRET_VERIFY [CVE-2023-48223]', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  const config = (env: Record<string, string>) => () => loadConfig(env, () => assert.fail('no secret may be generated'))
  for (const key of [pem, pem.trim(), `\ufeff${pem}`, pem.replaceAll('\n', '')]) {
    assert.throws(config({ JWT_SECRET: key }), /^ConfigError: JWT_SECRET must not contain white space$/)
    assert.throws(config({ JWT_SECRET: right.secret, JWT_SECRET_VERIFY: key }), /JWT_SECRET_VERIFY must/)
  }
})

test('tokens that differ only in their user are never mistaken for each other [CVE-2026-35039]', async () => {
  await service.signIn('bob@example.com')
  const bob = await userOf(service.db, 'bob@example.com')
  const tokens = [mint(right), mint({ ...right, claims: { ...right.claims, sub: bob.id } })]
  const subjects = [right.claims['sub'], bob.id]
  assert.equal(tokens[0]?.length, tokens[1]?.length)
  let mismatches = 0
  for (let n = 0; n < 100_000; n += 1) {
    if (verify(tokens[n % 2] ?? '')?.sub !== subjects[n % 2]) mismatches += 1
  }
  assert.equal(mismatches, 0)

  const answers = await callPipelined(
    service.origin,
    Array.from({ length: 1000 }, (_, n) => tokens[n % 2] ?? ''),
  )
  const owners = answers.map((answer) => /"email":"(\w+)@/.exec(answer)?.[1])
  assert.deepEqual(
    owners,
    answers.map((_, n) => (n % 2 === 0 ? 'ana' : 'bob')),
  )
})

test('a MAC is compared in constant time, by a library that computes it itself [CVE-2026-21713]', () => {
  const crypto = readFileSync(new URL('../../../../node_modules/fast-jwt/src/crypto.js', import.meta.url), 'utf8')
  assert.match(crypto, /return timingSafeEqual\(createHmac\(alg, key\)\.update\(input\)\.digest\(\), signature\)/)
  // The vulnerability was in the platform's HMAC verification, which the library does not call.
  assert.doesNotMatch(crypto, /subtle|webcrypto/)
})

describe('each kind of secret is valid for one purpose only:', () => {
  /** One live secret of each kind, all of one account. */
  async function oneOfEach(email: string) {
    const signedIn = await service.signIn(email)
    await service.call('POST /auth/request', { body: { email } })
    const mail = await service.smtp.mailTo(email)
    const links = [...(mail.message.text ?? '').matchAll(/token=([\w-]+)/g)].map(([, token = '']) => token)
    const link = linkIn(mail).searchParams.get('token') ?? ''
    assert.ok(links.includes(link))
    const key = await createKey(service, signedIn)
    return { signedIn, key, ofKey: await tokenOf(service, key), link, links }
  }

  test('a link’s token or a part of a key is no access token [J10]', async () => {
    const { signedIn, key, links } = await oneOfEach('cia@example.com')
    const { keyId, id } = key.apiKey
    await assertNothingHappens(service, async () => {
      for (const token of [...links, key.keySecret, keyId, id, `${keyId}.${key.keySecret}`]) {
        assertError(await service.call('GET /users/me', { token }), 'UNAUTHORIZED', 'Unauthorized')
      }
    })
    assert.equal((await service.call('GET /users/me', { token: signedIn })).status, 200)
  })

  test('an access token or a key opens no link, and the link still works afterwards [J10]', async () => {
    const { signedIn, key, ofKey, link } = await oneOfEach('dan@example.com')
    await assertNothingHappens(service, async () => {
      for (const token of [signedIn, ofKey, key.keySecret, key.apiKey.keyId]) {
        assertError(await service.call(`GET /auth/verify?token=${token}`), 'LINK_INVALID')
        const inspected = await service.call('POST /auth/links/inspect', { body: { token } })
        assertError(inspected, 'LINK_INVALID')
      }
    })
    assert.equal((await service.call(`GET /auth/verify?token=${link}`)).status, 200)
  })

  test('an access token or a link’s token is no key secret or key id [J10]', async () => {
    const { signedIn, key, ofKey, links } = await oneOfEach('eva@example.com')
    const exchange = (keyId: string, keySecret: string) =>
      service.call('POST /auth/api/token', { body: { keyId, keySecret } })
    for (const token of [signedIn, ofKey, ...links]) {
      assertError(await exchange(key.apiKey.keyId, token), 'INVALID_CREDENTIALS')
      assertError(await exchange(token, key.keySecret), 'INVALID_CREDENTIALS')
    }
    assert.equal((await exchange(key.apiKey.keyId, key.keySecret)).status, 200)
  })
})
