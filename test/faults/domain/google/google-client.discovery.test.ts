/** Google's metadata away or not to be believed: the service runs, sign-in with Google says so, and comes back by itself. */
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
  says,
  tricklesBody,
  tricklesHeaders,
} from '../../../support/http/hostile-answers.ts'
import { startIssuer } from '../../../support/google/issuer.ts'
import type { Handler } from '../../../support/google/issuer.ts'
import { serving } from '../../../support/http/serving.ts'
import { assertNothingHappens } from '../../../support/database/state.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

const DAY_MS = 24 * 60 * 60_000
/** Two calls' three seconds, and what a busy machine may add. */
const IN_TIME_MS = 8500
const RETRY_AFTER_MS = 5000

const start = (env: Record<string, string> = {}) => startGoogleService({ LOG_LEVEL: 'warn', ...env })

function assertUnavailable(answer: Answer): void {
  assertError(answer, 'GOOGLE_UNAVAILABLE')
  assert.equal(answer.headers.get('retry-after'), '5')
  assert.deepEqual(answer.headers.getSetCookie(), [])
}

/** Neither way in works, both say so; one line tells the operator, and nothing but discovery is called. */
async function assertAway(service: GoogleService) {
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

describe('Google that is away when the service starts', () => {
  test('is asked at the first use only, and works within seconds once it is back', async (t) => {
    const service = await start()
    t.after(() => service.close())
    assert.equal(service.issuer.hits.discovery, 0)
    service.issuer.handlers.discovery = cuts
    const token = await service.signIn('ana@example.com')
    assert.equal((await service.call('GET /users/me', { token })).status, 200)
    assert.equal(service.issuer.hits.discovery, 0)
    await assertAway(service)
    delete service.issuer.handlers.discovery
    service.clock.advance(RETRY_AFTER_MS)
    await assertWorks(service)
  })

  test('or does not exist at all refuses nobody their other ways in', async (t) => {
    const service = await start({ GOOGLE_ISSUER: `http://127.0.0.1:${await freePort()}` })
    t.after(() => service.close())
    assert.equal((await assertAway(service)).err.code, 'ECONNREFUSED')
    await service.signIn('ana@example.com')
  })

  test('goes on from the metadata at hand for a day', async (t) => {
    const service = await start()
    t.after(() => service.close())
    await assertWorks(service)
    service.issuer.handlers.discovery = cuts
    service.clock.advance(DAY_MS - 1)
    await assertWorks(service)
    service.clock.advance(1)
    assertUnavailable(await service.call('GET /auth/google/start'))
    // Keys were fetched a moment ago: they need no metadata.
    assert.equal((await oneTap(service)).status, 200)
  })
})

describe('metadata that is slow', { concurrency: true }, () => {
  for (const [name, handler] of Object.entries({ hangs, tricklesHeaders, tricklesBody })) {
    test(`is given up in time, and asked for again later: it ${name}`, async (t: TestContext) => {
      const service = await start()
      t.after(() => service.close())
      service.issuer.handlers.discovery = handler
      const tookMs = stopwatch()
      assert.equal((await assertAway(service)).err.type, 'TimeoutError')
      assert.ok(tookMs() < IN_TIME_MS)
      delete service.issuer.handlers.discovery
      service.clock.advance(RETRY_AFTER_MS)
      await assertWorks(service)
    })
  }
})

describe('metadata that is not to be believed', () => {
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
      says(JSON.stringify({ ...right, ...changes }), status)(...exchange)
    }

  for (const [name, handler] of Object.entries<() => Handler>({
    'of another issuer': () => metadata({ issuer: 'https://accounts.google.com' }),
    'of an issuer with a slash at its end': () => metadata({ issuer: `${service.issuer.url}/` }),
    'of no issuer': () => metadata({ issuer: undefined }),
    'without an authorization endpoint': () => metadata({ authorization_endpoint: undefined }),
    'without a token endpoint': () => metadata({ token_endpoint: undefined }),
    'without a key set': () => metadata({ jwks_uri: undefined }),
    'with a plain authorization endpoint elsewhere': () => metadata({ authorization_endpoint: `${elsewhere}/a` }),
    'with a plain token endpoint elsewhere': () => metadata({ token_endpoint: `${elsewhere}/t` }),
    'with a plain key set elsewhere': () => metadata({ jwks_uri: `${elsewhere}/j` }),
    'with a key set on loopback of another spelling': () => metadata({ jwks_uri: 'http://127.0.0.1.example/j' }),
    'with a key set in a file': () => metadata({ jwks_uri: 'file:///etc/passwd' }),
    'with a key set within the address': () => metadata({ jwks_uri: 'data:application/json,{"keys":[]}' }),
    'with an endpoint of script': () => metadata({ authorization_endpoint: 'javascript:alert(1)' }),
    'with an endpoint that is no address': () => metadata({ token_endpoint: '/token' }),
    'with an endpoint that is a number': () => metadata({ token_endpoint: 7 }),
    'with an endpoint that is a list': () => metadata({ jwks_uri: [`${service.issuer.url}/jwks`] }),
    'with status 500': () => metadata({}, 500),
    'with status 203': () => metadata({}, 203),
    'as a page': () => html,
    'as nothing': () => says(''),
    'as null': () => says('null'),
    'as a list': () => says('[]'),
    'not in UTF-8': () => says(Buffer.from([0x7b, 0xff, 0x7d])),
    'of a gigabyte': () => gigabyte(() => {}),
    'in a bomb': () => bomb('gzip'),
  })) {
    test(`is used for nothing, and what is right afterwards works: ${name}`, async () => {
      service.clock.advance(DAY_MS + RETRY_AFTER_MS)
      service.issuer.handlers.discovery = handler()
      await assertAway(service)
      delete service.issuer.handlers.discovery
      service.clock.advance(RETRY_AFTER_MS)
      await assertWorks(service)
    })
  }

  test('is not fetched from where a redirect leads', async (t) => {
    service.clock.advance(DAY_MS + RETRY_AFTER_MS)
    const target = await serving(t, metadata())
    service.issuer.handlers.discovery = redirects(`${target.url}/.well-known/openid-configuration`)
    await assertAway(service)
    assert.deepEqual(target.requests, [])
  })
})

describe('an issuer that speaks TLS', () => {
  const running = async (t: TestContext, certificate = selfSigned()) => {
    const service = await startGoogleService({ LOG_LEVEL: 'warn' }, certificate)
    t.after(() => service.close())
    return service
  }

  test('is asked nothing where nobody vouches for its certificate [F27]', async (t) => {
    const service = await running(t)
    assert.match((await assertAway(service)).err.code, /SELF_SIGNED_CERT/)
    assert.deepEqual(service.issuer.hits, { discovery: 0, jwks: 0, token: 0 })
  })

  for (const [name, certificate, code] of [
    ['is another host’s', selfSigned({ host: 'accounts.google.example' }), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['has ended', selfSigned({ endsInDays: -1 }), 'CERT_HAS_EXPIRED'],
  ] as const) {
    test(`is asked nothing where its certificate ${name} [F27]`, async (t) => {
      setDefaultCACertificates([certificate.cert])
      const service = await running(t, certificate)
      assert.equal((await assertAway(service)).err.code, code)
      assert.deepEqual(service.issuer.hits, { discovery: 0, jwks: 0, token: 0 })
    })
  }

  test('and is vouched for signs in, but not by endpoints without TLS, be they on this machine', async (t) => {
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
      service.issuer.handlers.discovery = says(JSON.stringify({ ...right, ...changes }))
      await assertAway(service)
    }
    assert.deepEqual(plain.hits, { discovery: 0, jwks: 0, token: 0 })
  })
})
