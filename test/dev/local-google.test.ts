import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLocalGoogle } from '../../src/dev/local-google.ts'
import type { LocalGoogle } from '../../src/dev/local-google.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { assertError } from '../support/http/answers.ts'
import { callAt } from '../support/http/call.ts'
import { comeBack, cookieJar, startFlow } from '../support/google/google.ts'
import type { CookieJar } from '../support/google/google.ts'
import { SECRET, startWithLocalGoogle } from '../support/google/local-google.ts'
import type { WithLocalGoogle } from '../support/google/local-google.ts'
import { sendRaw } from '../support/wire/raw.ts'
import { userOf } from '../support/database/state.ts'

function standInOf(env: Record<string, string>): LocalGoogle | undefined {
  return createLocalGoogle(
    loadConfig({ JWT_SECRET: SECRET, ...env }, () => SECRET),
    systemRandom,
  )
}

describe('the stand-in', () => {
  let service: WithLocalGoogle
  before(async () => {
    service = await startWithLocalGoogle()
  })
  after(() => service.close())

  /** Follows the redirects of a browser to the stand-in's page. */
  async function openPage(location: URL, jar: CookieJar): Promise<URL> {
    const answer = await callAt('', `GET ${location.href}`)
    assert.equal(answer.status, 303, answer.text)
    jar.take(answer)
    return new URL(answer.headers.get('location') ?? '', location)
  }

  /** Presses a button of the page, and returns the URL of the service's callback. */
  async function finish(page: URL, query: string, jar: CookieJar): Promise<Record<string, string>> {
    let next = new URL(`${page.href}/finish${query}`)
    for (let hops = 0; !next.pathname.endsWith('/callback'); hops++) {
      assert.ok(hops < 3, `led to ${next.href}`)
      const answer = await callAt('', `GET ${next.href}`, { headers: jar.header() })
      assert.equal(answer.status, 303, answer.text)
      jar.take(answer)
      next = new URL(answer.headers.get('location') ?? '', next)
    }
    return Object.fromEntries(next.searchParams)
  }

  async function signInAs(query: string): Promise<any> {
    const { location, jar } = await startFlow(service)
    const atStandIn = cookieJar()
    const page = await openPage(location, atStandIn)
    return comeBack(service, jar, await finish(page, query, atStandIn))
  }

  test('signs in any address, always as the same identity', async () => {
    const answers = [await signInAs('?email=ana%40gmail.com'), await signInAs('?email=ana%40gmail.com')]
    for (const { status, text } of answers) assert.equal(status, 200, text)
    assert.equal(answers[0].body.user.id, answers[1].body.user.id)
    assert.ok((await userOf(service.db, 'ana@gmail.com')).claimed_at_ms)
  })

  test('marks a mailbox as hosted by Google only when told so', async () => {
    await signInAs('?email=bob%40corp.example')
    await signInAs('?email=eve%40corp.example&workspace=on')
    assert.equal((await userOf(service.db, 'bob@corp.example')).claimed_at_ms, null)
    assert.ok((await userOf(service.db, 'eve@corp.example')).claimed_at_ms)
  })

  test('refuses a cancelled sign-in, and input that is not an address', async () => {
    assertError(await signInAs(''), 'OAUTH_DENIED')
    const { location } = await startFlow(service)
    const page = await openPage(location, cookieJar())
    assertError(await callAt('', `GET ${page.href}/finish?email=nobody`), 'VALIDATION_FAILED')
  })

  test('states on its page that it is not Google, and runs no script there', async () => {
    const { location } = await startFlow(service)
    const { headers, text } = await callAt('', `GET ${(await openPage(location, cookieJar())).href}`)
    assert.match(text, /<h1>This is not Google<\/h1>/)
    assert.match(text, /local stand-in/)
    assert.doesNotMatch(text, /<script/)
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
  })

  test('answers no request for another host name', async () => {
    for (const path of [
      '/.well-known/openid-configuration',
      '/jwks',
      '/auth',
      '/interaction/x',
      '/interaction/x/finish',
    ]) {
      for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io']) {
        const answer = await sendRaw(service.origin, [`GET /dev/google${path} HTTP/1.1`, `Host: ${host}`])
        assert.equal(answer.status, 404, `${host} ${path}`)
        assert.doesNotMatch(answer.text, /openid|stand-in|keys/)
      }
    }
  })

  test('answers no request that a proxy on this machine passed on', async () => {
    for (const field of ['X-Forwarded-For: 203.0.113.9', 'Forwarded: for=203.0.113.9', 'X-Forwarded-Host: x']) {
      const answer = await sendRaw(service.origin, ['GET /dev/google/.well-known/openid-configuration HTTP/1.1', field])
      assert.equal(answer.status, 404, field)
    }
  })

  test('gives no code to another URL than the service’s callback', async () => {
    const { location } = await startFlow(service)
    location.searchParams.set('redirect_uri', 'http://127.0.0.1:1/evil')
    const answer = await callAt('', `GET ${location.href}`)
    assert.equal(answer.status, 400)
    assert.equal(answer.headers.get('location'), null)
  })
})

describe('there is no stand-in', () => {
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://auth.example.com', SMTP_URL: 'smtp://127.0.0.1:1' }
  const settings = { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' }
  for (const [when, env] of Object.entries({
    'in production': production,
    'in production on loopback': { ...production, HOST: '127.0.0.1' },
    'on every interface': { HOST: '0.0.0.0', SMTP_URL: 'smtp://127.0.0.1:1' },
    'on an interface of the network': { HOST: '192.0.2.1', SMTP_URL: 'smtp://127.0.0.1:1' },
    'behind a public address': { PUBLIC_URL: 'https://auth.example.com', SMTP_URL: 'smtp://127.0.0.1:1' },
    'behind a public frontend': { APP_URL: 'https://app.example.com', SMTP_URL: 'smtp://127.0.0.1:1' },
    'when Google is configured': settings,
  })) {
    test(when, () => assert.equal(standInOf(env), undefined))
  }

  test('unless in development on loopback', () => {
    for (const HOST of ['127.0.0.1', 'localhost', '::1']) assert.ok(standInOf({ HOST }), HOST)
  })
})
