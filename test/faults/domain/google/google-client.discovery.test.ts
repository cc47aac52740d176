import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { assertError } from '../../../support/http/answers.ts'
import type { Answer } from '../../../support/http/call.ts'
import { selfSigned } from '../../../support/http/certificate.ts'
import { freePort } from '../../../support/files.ts'
import { oneTap, redirectFlow, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import {
  bomb,
  cuts,
  gigabyte,
  hangs,
  html,
  redirects,
  answerWith,
  tricklesBody,
  tricklesHeaders,
} from '../../../support/wire/hostile-answers.ts'
import { startIssuer } from '../../../support/google/issuer.ts'
import type { Handler } from '../../../support/google/issuer.ts'
import { serving } from '../../../support/http/serving.ts'
import { assertNothingHappens } from '../../../support/database/state.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

const DAY_MS = 24 * 60 * 60_000
/** Two calls of three seconds, plus a margin for a busy machine. */
const IN_TIME_MS = 8500
const RETRY_AFTER_MS = 5000

const start = (env: Record<string, string> = {}) => startGoogleService({ LOG_LEVEL: 'warn', ...env })

function assertUnavailable(answer: Answer): void {
  assertError(answer, 'GOOGLE_UNAVAILABLE')
  assert.equal(answer.headers.get('retry-after'), '5')
  assert.deepEqual(answer.headers.getSetCookie(), [])
}

/** Asserts that both kinds of Google sign-in are unavailable, with one log line and no call but discovery. */
async function assertGoogleAway(service: GoogleService) {
  const { issuer, logLines } = service
  const from = logLines.length
  const calls = { ...issuer.hits }
  await assertNothingHappens(service, async () => {
    assertUnavailable(await service.call('GET /auth/google/start'))
    assertUnavailable(await oneTap(service))
    assertUnavailable(await service.call('GET /auth/google/start'))
  })
  assert.deepEqual([issuer.hits.jwks, issuer.hits.token], [calls.jwks, calls.token])
  const lines = logLines.slice(from)
  assert.equal(lines.length, 1, lines.join(''))
  assert.doesNotMatch(lines.join(''), /secret|eyJ|\?/)
  const line = JSON.parse(lines[0] ?? '')
  assert.deepEqual([line.level, line.step], [40, 'discovery'])
  return line
}

async function assertWorks(service: GoogleService): Promise<void> {
  assert.equal((await oneTap(service)).status, 200)
  assert.equal((await redirectFlow(service)).status, 200)
}

describe('while Google is unreachable', () => {
  test('nothing is fetched before the first use, and sign-in works within seconds once Google is back', async (t) => {
    const service = await start()
    t.after(() => service.close())
    assert.equal(service.issuer.hits.discovery, 0)
    service.issuer.handlers.discovery = cuts
    const token = await service.signIn('ana@example.com')
    assert.equal((await service.call('GET /users/me', { token })).status, 200)
    assert.equal(service.issuer.hits.discovery, 0)
    await assertGoogleAway(service)
    delete service.issuer.handlers.discovery
    service.clock.advance(RETRY_AFTER_MS)
    await assertWorks(service)
  })

  test('other sign-ins work, even if the issuer does not exist', async (t) => {
    const service = await start({ GOOGLE_ISSUER: `http://127.0.0.1:${await freePort()}` })
    t.after(() => service.close())
    assert.equal((await assertGoogleAway(service)).err.code, 'ECONNREFUSED')
    await service.signIn('ana@example.com')
  })

  test('cached metadata is used for a day', async (t) => {
    const service = await start()
    t.after(() => service.close())
    await assertWorks(service)
    service.issuer.handlers.discovery = cuts
    service.clock.advance(DAY_MS - 1)
    await assertWorks(service)
    service.clock.advance(1)
    assertUnavailable(await service.call('GET /auth/google/start'))
    // The keys were fetched a moment ago and need no metadata.
    assert.equal((await oneTap(service)).status, 200)
  })
})

describe('slow metadata', { concurrency: true }, () => {
  for (const [name, handler] of Object.entries({ hangs, tricklesHeaders, tricklesBody })) {
    test(`that ${name} is abandoned in time and requested again later`, async (t: TestContext) => {
      const service = await start()
      t.after(() => service.close())
      service.issuer.handlers.discovery = handler
      const tookMs = stopwatch()
      assert.equal((await assertGoogleAway(service)).err.type, 'TimeoutError')
      assert.ok(tookMs() < IN_TIME_MS)
      delete service.issuer.handlers.discovery
      service.clock.advance(RETRY_AFTER_MS)
      await assertWorks(service)
    })
  }
})

describe('invalid metadata', () => {
  let service: GoogleService
  before(async () => void (service = await start()))
  after(() => service.close())

  const elsewhere = 'http://accounts.google.example'
  const metadata =
    (changes: Record<string, unknown> = {}, status?: number): Handler =>
    (...exchange) => {
      const { url } = service.issuer
      const right = {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
      }
      answerWith(JSON.stringify({ ...right, ...changes }), status)(...exchange)
    }

  for (const [name, handler] of Object.entries<() => Handler>({
    'of another issuer': () => metadata({ issuer: 'https://accounts.google.com' }),
    'of an issuer with a trailing slash': () => metadata({ issuer: `${service.issuer.url}/` }),
    'without an issuer': () => metadata({ issuer: undefined }),
    'without an authorization endpoint': () => metadata({ authorization_endpoint: undefined }),
    'without a token endpoint': () => metadata({ token_endpoint: undefined }),
    'without a key set': () => metadata({ jwks_uri: undefined }),
    'with a plain HTTP authorization endpoint elsewhere': () => metadata({ authorization_endpoint: `${elsewhere}/a` }),
    'with a plain HTTP token endpoint elsewhere': () => metadata({ token_endpoint: `${elsewhere}/t` }),
    'with a plain HTTP key set elsewhere': () => metadata({ jwks_uri: `${elsewhere}/j` }),
    'with a key set on a host that resembles loopback': () => metadata({ jwks_uri: 'http://127.0.0.1.example/j' }),
    'with a key set in a file': () => metadata({ jwks_uri: 'file:///etc/passwd' }),
    'with a key set in a data URL': () => metadata({ jwks_uri: 'data:application/json,{"keys":[]}' }),
    'with a javascript: endpoint': () => metadata({ authorization_endpoint: 'javascript:alert(1)' }),
    'with a relative endpoint': () => metadata({ token_endpoint: '/token' }),
    'with an endpoint that is a number': () => metadata({ token_endpoint: 7 }),
    'with an endpoint that is a list': () => metadata({ jwks_uri: [`${service.issuer.url}/jwks`] }),
    'with status 500': () => metadata({}, 500),
    'with status 203': () => metadata({}, 203),
    'as an HTML page': () => html,
    'as an empty body': () => answerWith(''),
    'as null': () => answerWith('null'),
    'as a list': () => answerWith('[]'),
    'not in UTF-8': () => answerWith(Buffer.from([0x7b, 0xff, 0x7d])),
    'of a gigabyte': () => gigabyte(() => {}),
    'as a compression bomb': () => bomb('gzip'),
  })) {
    test(`${name} is not used, and valid metadata works afterwards`, async () => {
      service.clock.advance(DAY_MS + RETRY_AFTER_MS)
      service.issuer.handlers.discovery = handler()
      await assertGoogleAway(service)
      delete service.issuer.handlers.discovery
      service.clock.advance(RETRY_AFTER_MS)
      await assertWorks(service)
    })
  }

  test('is not fetched through a redirect', async (t) => {
    service.clock.advance(DAY_MS + RETRY_AFTER_MS)
    const target = await serving(t, metadata())
    service.issuer.handlers.discovery = redirects(`${target.url}/.well-known/openid-configuration`)
    await assertGoogleAway(service)
    assert.deepEqual(target.requests, [])
  })
})

describe('an issuer with TLS', () => {
  const running = async (t: TestContext, certificate = selfSigned()) => {
    const service = await startGoogleService({ LOG_LEVEL: 'warn' }, certificate)
    t.after(() => service.close())
    return service
  }

  test('gets no request if its certificate is untrusted [F27]', async (t) => {
    const service = await running(t)
    assert.match((await assertGoogleAway(service)).err.code, /SELF_SIGNED_CERT/)
    assert.deepEqual(service.issuer.hits, { discovery: 0, jwks: 0, token: 0 })
  })

  for (const [name, certificate, code] of [
    ['names another host', selfSigned({ host: 'accounts.google.example' }), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['has expired', selfSigned({ endsInDays: -1 }), 'CERT_HAS_EXPIRED'],
  ] as const) {
    test(`gets no request if its certificate ${name} [F27]`, async (t) => {
      setDefaultCACertificates([certificate.cert])
      const service = await running(t, certificate)
      assert.equal((await assertGoogleAway(service)).err.code, code)
      assert.deepEqual(service.issuer.hits, { discovery: 0, jwks: 0, token: 0 })
    })
  }

  test('is used if its certificate is trusted, but never with plain HTTP endpoints, not even on loopback', async (t) => {
    const certificate = selfSigned()
    setDefaultCACertificates([certificate.cert])
    const service = await running(t, certificate)
    await assertWorks(service)

    const plain = await startIssuer()
    t.after(() => plain.close())
    const { url } = service.issuer
    const right = {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
    }
    for (const changes of [
      { token_endpoint: `${plain.url}/token` },
      { jwks_uri: `${plain.url}/jwks` },
      { authorization_endpoint: `${plain.url}/authorize` },
    ]) {
      service.clock.advance(DAY_MS + RETRY_AFTER_MS)
      service.issuer.handlers.discovery = answerWith(JSON.stringify({ ...right, ...changes }))
      await assertGoogleAway(service)
    }
    assert.deepEqual(plain.hits, { discovery: 0, jwks: 0, token: 0 })
  })
})
