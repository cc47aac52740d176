import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Config } from '../../../../src/config/settings.ts'
import { bearerChallenge } from '../../../support/http/answers.ts'
import { callPipelined } from '../../../support/wire/pipelined.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { userOf } from '../../../support/database/state.ts'
import { mint, rightParts, segment, signed } from '../../../support/accounts/tokens.ts'
import type { Parts } from '../../../support/accounts/tokens.ts'

type Claims = Record<string, unknown>

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

const withClaims = (claims: Claims): string => mint({ ...right, claims: { ...right.claims, ...claims } })
const verify = (token: string) => service.deps.accessTokens.verify(token)

const withPayload = (payload: string | Buffer): string =>
  signed(segment(right.header), segment(Buffer.from(payload as string)), right.secret)

/** A token of the valid claims with one replacement in their JSON text. */
function withText(from: string, to: string): string {
  const text = JSON.stringify(right.claims)
  assert.ok(text.includes(from), `${from} is not in ${text}`)
  return withPayload(text.replace(from, to))
}

/** The valid claims as JSON, with these bytes as the jti. */
function withBytes(...bytes: number[]): Buffer {
  const [head = '', tail = ''] = JSON.stringify({ ...right.claims, jti: 'X' }).split('X')
  return Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)])
}

/** Every refused token, sent to an endpoint in the last test. */
const refused: string[] = []

function assertRefused(token: string, what: unknown): void {
  refused.push(token)
  assert.equal(verify(token), undefined, `accepted: ${JSON.stringify(what)}`)
}

test('control: the unaltered claims are accepted from every helper of this file', () => {
  const text = JSON.stringify(right.claims)
  for (const token of [mint(right), withClaims({}), withPayload(text), withText('"sub"', '"sub"')]) {
    assert.deepEqual(verify(token), right.claims)
  }
  assert.ok(verify(withClaims({ amr: ['api_key'], apiKeyId: 'some-key' })))
})

describe('each claim', () => {
  const wrongTypes = [null, true, {}, [], [[]]]
  const notStrings = [...wrongTypes, 0, 1]
  const notNumbers = [...wrongTypes, '', '1', 'NaN', -1, 1.5]
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    iss: notStrings,
    sub: [...notStrings, ''],
    aud: notStrings,
    iat: notNumbers,
    exp: notNumbers,
    jti: [...notStrings, ''],
    role: notStrings,
    tokenVersion: [...notNumbers, '0', false],
    amr: [...notStrings, 'magic_link', { 0: 'magic_link', length: 1 }],
  }

  test('is required [J13]', () => {
    assert.deepEqual(Object.keys(wrong), Object.keys(right.claims))
    for (const claim of Object.keys(wrong)) assertRefused(withClaims({ [claim]: undefined }), claim)
  })

  test('must be of its type [J13]', () => {
    for (const [claim, values] of Object.entries(wrong)) {
      for (const value of values) assertRefused(withClaims({ [claim]: value }), { [claim]: value })
    }
    for (const nbf of [null, true, {}, [], '0', 'NaN']) assertRefused(withClaims({ nbf }), { nbf })
  })

  test('does not count if inherited from a prototype', () => {
    const { exp, ...rest } = right.claims
    const inherited = `{"__proto__":{"exp":${String(exp)}},`
    assertRefused(withPayload(JSON.stringify(rest).replace('{', inherited)), 'exp')
  })
})

test('exp and iat must be valid numbers of seconds [J13, fast-jwt #591]', () => {
  const { exp, iat } = right.claims
  for (const other of [String(exp), [exp], Number(exp) + 0.5, { valueOf: exp }]) {
    assertRefused(withClaims({ exp: other }), { exp: other })
  }
  for (const other of [String(iat), [iat], Number(iat) - 0.5]) {
    assertRefused(withClaims({ iat: other }), { iat: other })
  }
  const invalidTimes = ['1e400', '-1e400', '-1', 'NaN', 'Infinity', '0x7fffffff', '"Infinity"', '0', '-0']
  for (const number of invalidTimes) {
    assertRefused(withText(`"exp":${String(exp)}`, `"exp":${number}`), { exp: number })
  }
  for (const number of ['1e400', '-1', 'NaN', '1e15']) {
    assertRefused(withText(`"iat":${String(iat)}`, `"iat":${number}`), { iat: number })
  }
})

test('another issuer’s token is refused, however similar the issuer’s name [J6, CVE-2025-30144]', () => {
  const { publicUrl, baseUrl } = config
  const others = [
    '',
    `${publicUrl}/`,
    `${publicUrl} `,
    publicUrl.toUpperCase(),
    publicUrl.slice(0, -1),
    baseUrl,
    publicUrl.replace('http:', 'https:'),
    `${publicUrl}.evil.example`,
    'https://accounts.google.com',
    [publicUrl],
    { toString: publicUrl },
  ]
  for (const iss of others) assertRefused(withClaims({ iss }), { iss })
})

test('a token for another audience or with a list of audiences is refused [J7]', () => {
  const { publicUrl, baseUrl } = config
  const others = [
    '',
    publicUrl,
    `${baseUrl}/`,
    baseUrl.replace('v1', 'v2'),
    baseUrl.toUpperCase(),
    `${baseUrl} x`,
    [],
    [baseUrl],
    [baseUrl, 'x'],
    ['x'],
  ]
  for (const aud of others) assertRefused(withClaims({ aud }), { aud })
})

test('apiKeyId requires amr api_key and the reverse, and amr has exactly one value', () => {
  const key = { apiKeyId: 'some-key' }
  const others: Claims[] = [
    { amr: ['api_key'] },
    { ...key, amr: ['magic_link'] },
    { ...key, amr: ['google'] },
    ...['', null, 1, [], ['some-key']].map((apiKeyId) => ({ amr: ['api_key'], apiKeyId })),
    ...[[], ['password'], ['MAGIC_LINK']].map((amr) => ({ amr })),
    { amr: ['magic_link', 'google'] },
    { amr: ['magic_link', 'magic_link'] },
    { ...key, amr: ['api_key', 'magic_link'] },
    { ...key, amr: ['magic_link', 'api_key'] },
  ]
  for (const claims of others) assertRefused(withClaims(claims), claims)
})

test('a payload that is not a JSON object is refused [J15, fast-jwt #591]', () => {
  const object = JSON.stringify(right.claims)
  const others = [
    `[${object}]`,
    '[]',
    '""',
    JSON.stringify(object),
    '1',
    'true',
    'null',
    '',
    ' ',
    '{',
    `${object}}`,
    `${object},`,
    `// x\n${object}`,
  ]
  for (const text of others) {
    assertRefused(withPayload(text), text)
  }
})

test('of two members with one name the last counts, for the guard and for the checks [J15]', async () => {
  const eve = await service.signUp('eve@example.com')
  const { sub } = right.claims
  const twice = (first: unknown, last: unknown) =>
    withText(`"sub":"${String(sub)}"`, `"sub":"${String(first)}","sub":"${String(last)}"`)
  assert.equal(verify(twice(eve.user.id, sub))?.sub, sub)
  const { body } = await service.call('GET /users/me', { token: twice(eve.user.id, sub) })
  assert.equal(body.user.email, 'ana@example.com')
  assertRefused(withText('"jti"', '"exp":1,"jti"'), 'a past exp before a valid one')
})

describe('bytes that are not UTF-8, with a valid MAC,', () => {
  test('control: UTF-8 in a claim is accepted', () => {
    assert.equal(verify(withPayload(withBytes(0xc8, 0x99)))?.jti, 'ș')
  })

  test('are refused in the payload [J5]', () => {
    const text = JSON.stringify(right.claims)
    const others = {
      latin1: withBytes(0xe9),
      'a lone continuation byte': withBytes(0x80),
      'a sequence cut short': withBytes(0xc8),
      overlong: withBytes(0xc1, 0x81),
      'a surrogate': withBytes(0xed, 0xa0, 0x80),
      'beyond Unicode': withBytes(0xf4, 0x90, 0x80, 0x80),
      'UTF-16LE': Buffer.from(text, 'utf16le'),
      'UTF-16LE with a byte order mark': Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')]),
      'UTF-16BE': Buffer.from(text, 'utf16le').swap16(),
      'UTF-8 with a byte order mark': Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(text)]),
    }
    for (const [what, bytes] of Object.entries(others)) assertRefused(withPayload(bytes), what)
  })

  test('are refused in the header [J5]', () => {
    const [head = '', tail = ''] = JSON.stringify({ ...right.header, x: 'X' }).split('X')
    const header = Buffer.concat([Buffer.from(head), Buffer.of(0xe9), Buffer.from(tail)])
    assertRefused(signed(segment(header), segment(right.claims), right.secret), 'latin1')
  })
})

test('a Google ID token is no access token, even if signed with the service’s secret', () => {
  const nowSeconds = Number(right.claims['iat'])
  const google: Claims = {
    iss: 'https://accounts.google.com',
    azp: '1234.apps.googleusercontent.com',
    aud: '1234.apps.googleusercontent.com',
    sub: right.claims['sub'],
    email: 'ana@example.com',
    email_verified: true,
    nonce: 'n',
    iat: nowSeconds,
    exp: nowSeconds + 3600,
    jti: 'g',
  }
  assertRefused(mint({ ...right, claims: google }), 'a Google ID token')
  const { iss, aud } = right.claims
  assertRefused(mint({ ...right, claims: { ...google, iss, aud } }), 'one with our iss and aud')
})

test('an endpoint refuses a token with an iat more than 60 seconds ahead or a future nbf, until its time comes [J14]', async () => {
  const nowSeconds = Math.floor(service.clock.now() / 1000)
  const statusWith = async (claims: Claims) =>
    (await service.call('GET /users/me', { token: withClaims({ exp: nowSeconds + 3600, ...claims }) })).status
  assert.equal(await statusWith({ iat: nowSeconds + 60 }), 200)
  assert.equal(await statusWith({ iat: nowSeconds + 61 }), 401)
  assert.equal(await statusWith({ nbf: nowSeconds }), 200)
  assert.equal(await statusWith({ nbf: nowSeconds + 1 }), 401)
  assert.equal(await statusWith({ nbf: nowSeconds + 61 }), 401)
  service.clock.advance(1000)
  assert.equal(await statusWith({ iat: nowSeconds + 61 }), 200)
  assert.equal(await statusWith({ nbf: nowSeconds + 1 }), 200)
})

test('an endpoint refuses all of these tokens with one answer and keeps serving [J5, J6, J7, J13, J15]', async () => {
  // Valid tokens of an unknown user and an unknown version: only the guard refuses them.
  const tokens = [...refused, withClaims({ sub: 'nobody' }), withClaims({ tokenVersion: 1 })]
  assert.ok(tokens.length > 150, String(tokens.length))
  const answers = await callPipelined(service.origin, tokens)
  const refusal = `401 ${bearerChallenge(service.origin, 'invalid_token')} {"error":{"message":"Unauthorized","code":"UNAUTHORIZED"}}`
  assert.deepEqual(new Set(answers), new Set([refusal]))
  assert.equal((await service.call('GET /users/me', { token: mint(right) })).status, 200)
})
