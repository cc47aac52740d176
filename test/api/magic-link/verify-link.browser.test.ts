import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { mailedToken, verify } from '../../support/mail/links.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Service } from '../../support/service.ts'
import { assertNothingHappens } from '../../support/database/state.ts'

const FRONTEND = 'https://app.example'
const STORED = `${FRONTEND}/stored?a=b`
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
let service: Service
let token: string

before(async () => {
  service = await startService({ APP_URL: FRONTEND })
})
after(() => service.close())

beforeEach(async () => {
  token = await mailedToken(service, 'ana@example.com', { redirectTo: STORED })
})
// No test may consume its link.
afterEach(async () => {
  assert.equal((await verify(service, token)).status, 200)
})

/** The parameters in the fragment; asserts that the redirect leads to /confirm. */
function confirmParameters(answer: Answer): [string, string][] {
  assert.equal(answer.status, 302, answer.text)
  assert.equal(answer.text, '')
  assertUncacheable(answer)
  assert.match(answer.headers.get('vary') ?? '', /\bAccept\b/)
  const location = new URL(answer.headers.get('location') ?? '')
  assert.equal(location.origin + location.pathname + location.search, `${service.origin}/confirm`)
  return [...new URLSearchParams(location.hash.slice(1))]
}

test('a browser is redirected to /confirm, with the token and the stored redirectTo in the fragment only', async () => {
  const answer = await assertNothingHappens(service, () => verify(service, token, { headers: BROWSER }))
  assert.deepEqual(confirmParameters(answer), [
    ['token', token],
    ['redirectTo', STORED],
  ])
})

test('the redirectTo of the query overrides the stored one', async () => {
  const redirectTo = `${FRONTEND}:443/x/../query`
  const answer = await verify(service, token, { headers: BROWSER, redirectTo })
  assert.deepEqual(confirmParameters(answer), [
    ['token', token],
    ['redirectTo', `${FRONTEND}/query`],
  ])
})

test('a redirectTo that imitates our parameters stays one parameter [M8]', async () => {
  const nasty = `${FRONTEND}/p?a=1&token=x#y?&token=z&redirectTo=https://evil.example/`
  const byQuery = await verify(service, token, { headers: BROWSER, redirectTo: nasty })
  assert.deepEqual(confirmParameters(byQuery), [
    ['token', token],
    ['redirectTo', nasty],
  ])

  token = await mailedToken(service, 'ana@example.com', { redirectTo: nasty })
  const byRequest = await verify(service, token, { headers: BROWSER })
  assert.deepEqual(confirmParameters(byRequest), [
    ['token', token],
    ['redirectTo', nasty],
  ])
})

test('a token that imitates parameters stays one parameter, and is invalid', async () => {
  const imitations = ['x&redirectTo=https://evil.example/', '"><script>', '#?\r\nSet-Cookie: a=b', '']
  for (const garbage of imitations) {
    const answer = await verify(service, garbage, { headers: BROWSER })
    assert.deepEqual(confirmParameters(answer), [['token', garbage]])
    assert.equal(answer.headers.get('set-cookie'), null)
  }
})

test('a browser with a redirectTo outside the frontend is not redirected', async () => {
  for (const redirectTo of ['https://evil.example/', '//evil.example', `${FRONTEND}@evil.example`]) {
    const answer = await verify(service, token, { headers: BROWSER, redirectTo })
    assertError(answer, 'REDIRECT_NOT_ALLOWED')
    assert.equal(answer.headers.get('location'), null)
  }
})

test('browsers, embedded loads and prefetches are redirected to /confirm [M10]', async () => {
  const loads: Record<string, string>[] = [
    { accept: 'text/html' },
    { accept: 'application/json, text/html;q=0.1' },
    { accept: '*/*', 'sec-fetch-dest': 'document' },
    { accept: 'image/avif,image/webp,*/*', 'sec-fetch-dest': 'image' },
    { accept: '*/*', 'sec-fetch-dest': 'iframe' },
    { accept: '*/*', 'sec-fetch-dest': 'script' },
    { accept: '*/*', 'sec-purpose': 'prefetch' },
    { accept: '*/*', 'sec-purpose': 'prefetch;prerender' },
    { accept: '*/*', purpose: 'prefetch' },
  ]
  for (const headers of loads) {
    const parameters = confirmParameters(await verify(service, token, { headers }))
    assert.deepEqual(parameters[0], ['token', token], JSON.stringify(headers))
  }
})

test('HEAD, OPTIONS and other methods do not read the token [M10]', async () => {
  await assertNothingHappens(service, async () => {
    for (const candidate of [token, 'unknown']) {
      const head = await verify(service, candidate, { method: 'HEAD' })
      assert.deepEqual([head.status, head.text, head.headers.get('location')], [200, '', null])
    }
    const preflight = { origin: FRONTEND, 'access-control-request-method': 'GET' }
    for (const headers of [{}, preflight] as Record<string, string>[]) {
      assert.equal((await verify(service, token, { method: 'OPTIONS', headers })).status, 204)
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await verify(service, token, { method })
      assertError(answer, 'METHOD_NOT_ALLOWED')
      assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), ['GET', 'HEAD'])
    }
  })
})

test('an Accept of wildcards alone, of JSON, or with HTML at weight zero is a program', async () => {
  const programs: Record<string, string>[] = [
    { accept: '*/*' },
    { accept: 'application/json' },
    { accept: 'text/*' },
    { accept: 'text/html;q=0, */*' },
    { accept: '*/*', 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' },
    { accept: '*/*', 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site', origin: FRONTEND },
  ]
  for (const headers of programs) {
    const own = await mailedToken(service, 'bob@example.com')
    assert.equal((await verify(service, own, { headers })).status, 200, JSON.stringify(headers))
  }
})
