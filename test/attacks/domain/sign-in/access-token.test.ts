import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { generateKeyPair, SignJWT } from 'jose'
import type { Config } from '../../../../src/config/settings.ts'
import { assertError, bearerChallenge } from '../../../support/http/answers.ts'
import { callPipelined, isValidFieldValue } from '../../../support/wire/pipelined.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { userOf } from '../../../support/database/state.ts'
import { mint, rightParts, segment, signed } from '../../../support/accounts/tokens.ts'
import type { Parts } from '../../../support/accounts/tokens.ts'
import { processorMs } from '../../../support/process/stopwatch.ts'

let service: Service
let config: Config
let right: Parts

before(async () => {
  service = await startService()
  config = service.deps.config
  await service.signIn('ana@example.com')
  const user = await userOf(service.db, 'ana@example.com')
  right = rightParts(config, user.id, service.clock.now())
})
after(() => service.close())

const withHeader = (fields: Record<string, unknown>): Parts => ({
  ...right,
  header: { ...right.header, ...fields },
})

/** Every refused token, sent to an endpoint in the last test. */
const refused: string[] = []

function assertRefused(token: string, what: unknown): void {
  refused.push(token)
  assert.equal(service.deps.accessTokens.verify(token), undefined, `accepted: ${JSON.stringify(what)}`)
}

const segmentsOf = (token: string) => token.split('.') as [string, string, string]

test('control: the unaltered token is accepted by verify and by an endpoint', async () => {
  assert.deepEqual(service.deps.accessTokens.verify(mint(right)), right.claims)
  const byJose = await new SignJWT(right.claims)
    .setProtectedHeader({ ...right.header, alg: 'HS256' })
    .sign(new TextEncoder().encode(right.secret))
  assert.deepEqual(service.deps.accessTokens.verify(byJose), right.claims)
  for (const token of [mint(right), byJose]) {
    assert.equal((await service.call('GET /users/me', { token })).status, 200)
  }
})

test('any other alg is refused, with the MAC of HS256 and with that of its own hash [J1]', () => {
  const others = [
    'none',
    'None',
    'nOnE',
    'NONE',
    '',
    'HS384',
    'HS512',
    'hs256',
    'RS256',
    'PS256',
    'ES256',
    'EdDSA',
    ['HS256'],
    undefined,
    null,
    256,
    { HS256: true },
    'HS256 ',
    'HS256\0',
  ]
  for (const alg of others) {
    const parts = withHeader({ alg })
    assertRefused(mint(parts), alg)
    for (const hash of ['sha384', 'sha512']) {
      const token = signed(segment(parts.header), segment(parts.claims), right.secret, hash)
      assertRefused(token, alg)
      assertRefused(token.slice(0, mint(parts).length), alg)
    }
  }
})

test('a token signed with an attacker’s asymmetric key is refused [J1]', async () => {
  for (const alg of ['ES256', 'EdDSA']) {
    const { privateKey } = await generateKeyPair(alg)
    const signer = new SignJWT(right.claims).setProtectedHeader({ ...right.header, alg })
    const token = await signer.sign(privateKey)
    assertRefused(token, alg)
  }
})

test('an unsigned token is refused, and so is `none` with a stale MAC [J2, CVE-2022-23540]', () => {
  const [header, payload, mac] = segmentsOf(mint(right))
  const none = segment({ ...right.header, alg: 'none' })
  for (const first of [header, none]) {
    assertRefused(`${first}.${payload}.`, 'an empty MAC')
    assertRefused(`${first}.${payload}`, 'no MAC')
  }
  assertRefused(`${none}.${payload}.${mac}`, 'a stale MAC')
})

test('a flipped bit in any segment is refused [J3]', () => {
  const segments = segmentsOf(mint(right))
  segments.forEach((text, place) => {
    const bytes = Buffer.from(text, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const altered = Buffer.from(bytes)
      altered[bit >> 3]! ^= 1 << (bit & 7)
      assertRefused(segments.with(place, altered.toString('base64url')).join('.'), { place, bit })
    }
  })
})

test('a MAC that is truncated, extended or all zeros is refused [J3]', () => {
  const [header, payload, text] = segmentsOf(mint(right))
  const mac = Buffer.from(text, 'base64url')
  const others = [
    ...Array.from({ length: 31 }, (_, index) => mac.subarray(0, index + 1)),
    Buffer.concat([mac, Buffer.of(0)]),
    Buffer.concat([mac, mac]),
    Buffer.alloc(32),
  ]
  for (const other of others) {
    assertRefused(`${header}.${payload}.${other.toString('base64url')}`, other.length)
  }
})

test('another encoding of the same MAC bytes is refused: unused bits of base64url must be zero [J18, fast-jwt #591]', () => {
  const [header, payload, mac] = segmentsOf(mint(right))
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('')
  const others = alphabet.map((last) => mac.slice(0, -1) + last).filter((other) => other !== mac)
  const isSameBytes = (other: string) => Buffer.from(other, 'base64url').equals(Buffer.from(mac, 'base64url'))
  assert.equal(others.filter(isSameBytes).length, 3)
  for (const other of others) assertRefused(`${header}.${payload}.${other}`, other)
})

test('only the compact serialisation is accepted [J11, fast-jwt #591]', () => {
  const token = mint(right)
  const [header, payload, mac] = segmentsOf(token)
  const spellings = [
    JSON.stringify({ payload, protected: header, signature: mac }),
    JSON.stringify({ payload, signatures: [{ protected: header, signature: mac }] }),
    '',
    '.',
    '..',
    header,
    `${token}.`,
    `.${token}`,
    `${token}.${mac}`,
    `${token}.${mac}.${mac}`,
    ` ${token}`,
    `${token} `,
    `${token}\n`,
    `${token}\0`,
    `"${token}"`,
    `{${token}}`,
    `${token}é`,
    `${header}\n.${payload}.${mac}`,
    `${header}. ${payload}.${mac}`,
    `${header}.${payload}.\t${mac}`,
    `${header}=.${payload}.${mac}`,
    `${header}.${payload}==.${mac}`,
    `${token}=`,
    `${token}==`,
    `${header}+.${payload}.${mac}`,
    `${header}./${payload}.${mac}`,
    `${token}+`,
    token.replaceAll('.', ','),
    token.replaceAll('.', '%2E'),
    `${header}..${payload}.${mac}`,
  ]
  for (const spelling of spellings) assertRefused(spelling, spelling)
})

test('an unknown kid is refused, whatever it tries to reach [J8, CVE-2022-23540]', () => {
  const ours = right.header['kid']
  const others = [
    'AAAAAAAA',
    '',
    '../../dev/null',
    '/dev/null',
    "' OR 1=1--",
    "' UNION SELECT 'x",
    'x'.repeat(4096),
    '__proto__',
    'constructor',
    'toString',
    'undefined',
    `${String(ours)} `,
    String(ours).slice(0, 7),
    undefined,
    null,
    0,
    true,
    {},
    [],
    [ours],
    { toString: ours },
  ]
  for (const kid of others) {
    assertRefused(mint(withHeader({ kid })), kid)
    assertRefused(mint({ ...withHeader({ kid }), secret: '' }), kid)
  }
})

test('a key that the token contains or links to is neither used nor fetched [J8, CVE-2022-23540]', async () => {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const secret = 'the attacker’s own secret, of more than thirty-two bytes'
  const jwk = { kty: 'oct', k: Buffer.from(secret).toString('base64url'), alg: 'HS256' }
  const brought = [
    { jku: `${url}/jku` },
    { x5u: `${url}/x5u` },
    { jwk },
    { x5c: ['MIIB'] },
    { jku: `${url}/jku`, kid: `${url}/kid` },
  ]
  for (const fields of brought) {
    const token = mint({ ...withHeader(fields), secret })
    assertRefused(token, fields)
    assertError(await service.call('GET /users/me', { token }), 'UNAUTHORIZED')
  }
  await (await fetch(`${url}/last`)).text()
  assert.deepEqual(requests, ['/last'])
  server.close()
})

// RFC 8725, section 3.11, recommends a type for each kind of token. The design fixes `JWT`; `iss`, `aud` and `amr` tell
// the kinds apart.
test('typ must be exactly JWT [J9]', () => {
  for (const typ of [undefined, null, '', 'at+jwt', 'jwt', 'application/jwt', 'JWT ', 'JOSE', ['JWT'], 1]) {
    assertRefused(mint(withHeader({ typ })), typ)
  }
})

test('a token with crit is refused, whether its extensions are known or not, and so is an unencoded payload [J12, fast-jwt #591]', () => {
  const extended = [
    ...[['x'], [], ['alg'], ['typ', 'kid'], ['exp'], null, '', 'x', {}, 0, false].map((crit) => ({ crit })),
    { crit: ['b64'], b64: false },
    { b64: false },
    { b64: true },
    { crit: ['x'], x: 1 },
  ]
  for (const fields of extended) assertRefused(mint(withHeader(fields)), fields)

  const header = segment({ ...right.header, b64: false, crit: ['b64'] })
  assertRefused(signed(header, JSON.stringify(right.claims), right.secret), 'an unencoded payload')
})

test('a header that is not a JSON object is refused', () => {
  for (const header of [null, [], [right.header], 'HS256', 1, Buffer.from('{'), Buffer.from('')]) {
    assertRefused(signed(segment(header), segment(right.claims), right.secret), header)
  }
})

test('secrets that a misconfigured signer might use are refused [GHSA-gmvf-9v4p-v8jc]', () => {
  const { secret } = right
  const others = [
    '',
    'undefined',
    'null',
    'secret',
    '0',
    '[object Object]',
    String(right.header['kid']),
    config.publicUrl,
    `${secret}\n`,
    ` ${secret}`,
    secret.slice(0, 32),
    secret.toUpperCase(),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
    createHmac('sha256', secret).update('kid').digest('base64url'),
  ]
  for (const other of others) assertRefused(mint({ ...right, secret: other }), other)
})

test('a token of 16 KB is refused in less than 5 milliseconds, even with a valid MAC [J19]', async () => {
  const padding = 'x'.repeat(12_000)
  const [header, payload] = segmentsOf(mint(right))
  const long = [
    mint({ ...right, claims: { ...right.claims, padding } }),
    mint(withHeader({ padding })),
    `${header}.${payload}.${'A'.repeat(16_000)}`,
    '.'.repeat(16_000),
    'A'.repeat(16_000),
  ]
  for (const token of long) {
    const ms = processorMs(() => assertRefused(token, token.length))
    assert.ok(ms < 5, `${ms} ms for ${token.slice(0, 20)}`)
  }
  const answer = await service.call('GET /users/me', { token: long[0] ?? '' })
  assert.deepEqual([answer.status, answer.body.error.code], [431, 'HEADERS_TOO_LARGE'])
})

test('an endpoint refuses all of these tokens with one answer and keeps serving [J1, J2, J3, J8, J11, J12, J18]', async () => {
  const tokens = refused.filter(isValidFieldValue)
  assert.ok(tokens.length > 1000, `${tokens.length} of ${refused.length}`)
  const answers = await callPipelined(service.origin, tokens)
  const refusal = `401 ${bearerChallenge(service.origin, 'invalid_token')} {"error":{"message":"Unauthorized","code":"UNAUTHORIZED"}}`
  assert.deepEqual(new Set(answers), new Set([refusal]))
  assert.equal((await service.call('GET /users/me', { token: mint(right) })).status, 200)
})
