import assert from 'node:assert/strict'
import { hkdfSync, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { CompactEncrypt, EncryptJWT, SignJWT, UnsecuredJWT } from 'jose'
import { keyIdOfSecret } from '../../../../src/lib/hash.ts'
import { assertError } from '../../../support/http/answers.ts'
import { comeBack, cookieJar, startFlow, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { sendRaw } from '../../../support/wire/raw.ts'
import { assertNothingHappens } from '../../../support/database/state.ts'
import { segment } from '../../../support/accounts/tokens.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

const NAME = 'google-flow-AAAAAAAAAAAA'
let service: GoogleService
let kid: string
/** The cookie key, derived as the service does. */
let key: Uint8Array

before(async () => {
  service = await startGoogleService({ APP_URL: 'https://app.example.com', LOG_LEVEL: 'warn' })
  const { jwtSecret } = service.deps.config
  kid = keyIdOfSecret(jwtSecret)
  key = new Uint8Array(hkdfSync('sha256', jwtSecret, '', 'google flow cookie', 32))
})
after(() => service.close())

const nowSeconds = () => Math.floor(service.clock.now() / 1000)

/** The content of a valid cookie. */
const content = (changes: Record<string, unknown> = {}) => ({
  state: 'the-state',
  nonce: 'the-nonce',
  codeVerifier: 'v'.repeat(43),
  redirectTo: null,
  exp: nowSeconds() + 300,
  ...changes,
})

const seal = (claims: Record<string, unknown>, header: Record<string, unknown> = {}, secret = key) =>
  new EncryptJWT(claims).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid, ...header }).encrypt(secret)

/** Calls the callback with this cookie alone. The default state is the one of a valid cookie, and it is never spent. */
function comeBackWith(value: string, state = 'the-state') {
  const jar = cookieJar()
  jar.cookies.set(NAME, value)
  return comeBack(service, jar, { code: 'c', state, error: 'access_denied' })
}

/** Asserts that the callback refuses and clears the cookie, and that a start clears it and works. */
async function assertIgnored(value: string, label = value): Promise<void> {
  const calls = service.issuer.hits.token
  const answer = await assertNothingHappens(service, () => comeBackWith(value))
  assert.equal(answer.body?.error?.code, 'OAUTH_STATE_INVALID', `${label}: ${answer.text}`)
  assert.match(answer.headers.getSetCookie().join(), new RegExp(`^${NAME}=; Max-Age=0`), label)
  const jar = cookieJar()
  jar.cookies.set(NAME, value)
  await startFlow(service, { jar })
  assert.equal(jar.cookies.has(NAME), false, 'the start clears it')
  assert.equal(jar.cookies.size, 1)
  assert.equal(service.issuer.hits.token, calls)
}

test('control: a valid cookie made by the test is accepted', async () => {
  assertError(await comeBackWith(await seal(content({ state: 'control' })), 'control'), 'OAUTH_DENIED')
})

test('a cookie with another key, kid, algorithm or encryption is ignored [O11]', async () => {
  const other = new Uint8Array(randomBytes(32))
  const { jwtSecret } = service.deps.config
  const derived = (info: string, salt = '') => new Uint8Array(hkdfSync('sha256', jwtSecret, salt, info, 32))
  const claims = content()
  const forged = {
    'another key': seal(claims, {}, other),
    'the secret itself': seal(claims, {}, new Uint8Array(Buffer.from(jwtSecret).subarray(0, 32))),
    'a key derived for something else': seal(claims, {}, derived('magic link')),
    'a key of zeros': seal(claims, {}, new Uint8Array(32)),
    'an unknown kid': seal(claims, { kid: 'unknown0' }),
    'no kid': seal(claims, { kid: undefined }),
    'an empty kid': seal(claims, { kid: '' }),
    'a kid that is a path': seal(claims, { kid: '../../../dev/null' }),
    'a kid that is an inherited property': seal(claims, { kid: 'constructor' }),
    'another wrapping': seal(claims, { alg: 'A256KW' }),
    'another wrapping, with GCM': seal(claims, { alg: 'A256GCMKW' }),
    'a password': seal(claims, { alg: 'PBES2-HS256+A128KW', p2c: undefined }, key),
    'dir with CBC': seal(claims, { enc: 'A128CBC-HS256' }),
    'dir with a shorter key': seal(claims, { enc: 'A128GCM' }, key.subarray(0, 16)),
    'signed instead of encrypted': new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(key),
    'signed with the secret': new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid })
      .sign(Buffer.from(jwtSecret)),
    'neither signed nor encrypted': Promise.resolve(new UnsecuredJWT(claims).encode()),
  }
  for (const [name, value] of Object.entries(forged)) await assertIgnored(await value, name)
})

test('a cookie with expired, incomplete or mistyped content is ignored', async () => {
  const changes = [
    { exp: nowSeconds() },
    { exp: nowSeconds() - 1 },
    { exp: undefined },
    { exp: 'never' },
    { exp: null },
    { nbf: nowSeconds() + 60 },
    { state: undefined },
    { state: ['the-state'] },
    { nonce: undefined },
    { nonce: 1 },
    { codeVerifier: undefined },
    { codeVerifier: null },
    { redirectTo: undefined },
    { redirectTo: ['https://app.example.com/'] },
    { redirectTo: {} },
  ]
  for (const change of changes) {
    await assertIgnored(await sealText(JSON.stringify(content(change))), JSON.stringify(change))
  }
  for (const text of ['', '[]', 'null', '"the-state"', '{', '{}', '['.repeat(1500)])
    await assertIgnored(await sealText(text), text)
})

test('a cookie changed in any part is ignored [O11]', async () => {
  const parts = (await seal(content())).split('.')
  assert.equal(parts.length, 5)
  for (const [index, part] of parts.entries()) {
    for (const at of new Set([0, Math.floor(part.length / 2), part.length - 2])) {
      if (part.length === 0) continue
      // Not the last character: its low bits may be padding, so a change there may decode to the same bytes.
      const changed = part.slice(0, at) + (part[at] === 'A' ? 'B' : 'A') + part.slice(at + 1)
      await assertIgnored(parts.with(index, changed).join('.'), `part ${index} at ${at}`)
    }
    await assertIgnored(parts.with(index, `${part}AAAA`).join('.'), `part ${index} longer`)
    if (part !== '') await assertIgnored(parts.with(index, '').join('.'), `part ${index} empty`)
    await assertIgnored(parts.toSpliced(index, 1).join('.'), `without part ${index}`)
  }
})

test('the parts of two cookies cannot be combined, and a short tag is refused [GHSA-x445-f3h2-j279]', async () => {
  const one = (await seal(content())).split('.')
  const other = (await seal(content({ nonce: 'another' }))).split('.')
  for (const index of [2, 3, 4]) await assertIgnored(one.with(index, other[index] ?? '').join('.'), `part ${index}`)
  const tag = Buffer.from(one[4] ?? '', 'base64url')
  for (const length of [4, 8, 12, 15]) {
    await assertIgnored(
      one.with(4, tag.subarray(0, length).toString('base64url')).join('.'),
      `a tag of ${length} bytes`,
    )
  }
})

test('a flow’s cookie renamed to another flow’s name still belongs to its own flow [GHSA-x445-f3h2-j279]', async () => {
  const [victim, other] = [await startFlow(service), await startFlow(service)]
  const [name = ''] = [...victim.jar.cookies.keys()]
  const [value = ''] = [...other.jar.cookies.values()]
  const jar = cookieJar()
  jar.cookies.set(name, value)
  service.issuer.idToken = service.issuer.sign(service.issuer.claims({ nonce: victim.nonce }))
  const calls = service.issuer.hits.token
  const answer = await assertNothingHappens(service, () => comeBack(service, jar, { code: 'c', state: victim.state }))
  assertError(answer, 'OAUTH_STATE_INVALID')
  assert.equal(service.issuer.hits.token, calls)
  assert.equal(jar.cookies.size, 0)
})

test('no cookie name or value under the service’s prefix causes a server error', async () => {
  const right = await seal(content())
  const path = new URL(service.baseUrl).pathname
  const names = [
    '',
    '%0d%0aX: y',
    '.',
    '"',
    '__proto__',
    'ä',
    'x'.repeat(60),
    'a b',
    '=',
    'toString',
    '\x7f',
    "'",
    '%',
  ].map((name) => `google-flow-${name}`)
  const values = [
    '',
    '%',
    '%00',
    '"',
    '....',
    'a.b.c.d.e',
    '=====',
    '\xff\xfe',
    right,
    `"${right}"`,
    `${right}; ${right}`,
    'x'.repeat(4000),
  ]
  for (const name of names) {
    for (const value of values) {
      for (const target of ['start', 'callback?code=c&state=x']) {
        const answer = await sendRaw(service.origin, [
          `GET ${path}/auth/google/${target} HTTP/1.1`,
          `Cookie: ${name}=${value}`,
        ])
        assert.ok([302, 400].includes(answer.status), `${name}=${value}: ${answer.status}`)
        assert.equal(answer.headers.get('x'), null)
      }
    }
  }
  assert.deepEqual(
    service.logLines.filter((line) => line.includes('"level":50')),
    [],
  )
})

test('a request full of flow cookies is answered within 5 s, and a valid one among them still counts', async () => {
  const path = `GET ${new URL(service.baseUrl).pathname}/auth/google`
  const header = segment({ alg: 'dir', enc: 'A256GCM', kid })
  for (const [index, value] of ['', 'x', `${header}..AAAAAAAAAAAAAAAA.AA.AAAAAAAAAAAAAAAAAAAAAA`].entries()) {
    const right = `google-flow-right=${await seal(content({ state: `right-${index}` }))}`
    const one = (n: number) => `google-flow-${n.toString(36)}=${value}`
    const count = Math.floor((16_000 - right.length) / (one(999).length + 2))
    const many = [...Array.from({ length: count }, (_, n) => one(n)), right].join('; ')
    const tookMs = stopwatch()
    const answers = [
      await sendRaw(service.origin, [`${path}/start HTTP/1.1`, `Cookie: ${many}`]),
      await sendRaw(service.origin, [`${path}/callback?code=c&state=forged HTTP/1.1`, `Cookie: ${many}`]),
      await sendRaw(service.origin, [
        `${path}/callback?code=c&state=right-${index}&error=x HTTP/1.1`,
        `Cookie: ${many}`,
      ]),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [302, 400, 400],
    )
    assert.ok(tookMs() < 5000)
    assert.equal(answers[1]?.body.error.code, 'OAUTH_STATE_INVALID')
    assert.equal(answers[2]?.body.error.code, 'OAUTH_DENIED')
  }
  const tooMany = await sendRaw(service.origin, [
    `${path}/start HTTP/1.1`,
    `Cookie: ${'google-flow-x=y; '.repeat(5000)}`,
  ])
  assert.equal(tooMany.body.error.code, 'HEADERS_TOO_LARGE')
})

async function sealText(text: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
    .encrypt(key)
}
