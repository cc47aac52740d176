import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { comeBack, cookieJar, startFlow, startGoogleService } from '../../support/google/google.ts'
import type { GoogleService, Started } from '../../support/google/google.ts'
import { assertNothingHappens } from '../../support/database/state.ts'

const MINUTE_MS = 60_000
let service: GoogleService

before(async () => {
  service = await startGoogleService({ APP_URL: 'https://app.example.com' })
})
after(() => service.close())

/** Completes the sign-in as Google would. */
function finish({ state, nonce, jar }: Started) {
  service.issuer.idToken = service.issuer.sign(service.issuer.claims({ nonce }))
  return comeBack(service, jar, { code: 'code', state })
}

test('the cookie is HttpOnly, SameSite=Lax and lives ten minutes', async () => {
  const [cookie = '', ...others] = (await service.call('GET /auth/google/start')).headers.getSetCookie()
  assert.deepEqual(others, [])
  const [pair = '', ...attributes] = cookie.split('; ')
  assert.match(pair, /^google-flow-[\w-]{12}=[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
  assert.deepEqual(attributes.toSorted(), ['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax'])
})

test('with TLS the cookie is also Secure, and no other host of the domain can plant it [GHSA-x445-f3h2-j279]', async (t) => {
  const secure = await startGoogleService({ PUBLIC_URL: 'https://api.example.com', APP_URL: 'https://app.example.com' })
  t.after(() => secure.close())
  const local = `http://127.0.0.1:${secure.deps.config.port}`
  const start = await fetch(`${local}/api/v1/auth/google/start`, { redirect: 'manual' })
  const [cookie = ''] = start.headers.getSetCookie()
  const [pair = '', ...attributes] = cookie.split('; ')
  assert.match(pair, /^__Host-google-flow-[\w-]{12}=/)
  assert.deepEqual(attributes.toSorted(), ['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', 'Secure'])
  const location = new URL(start.headers.get('location') ?? '')
  assert.equal(location.searchParams.get('redirect_uri'), 'https://api.example.com/api/v1/auth/google/callback')

  // Without the prefix, another host could have planted the same cookie.
  const query = new URLSearchParams({ code: 'code', state: location.searchParams.get('state') ?? '' }).toString()
  const planted = await fetch(`${local}/api/v1/auth/google/callback?${query}`, {
    headers: { cookie: pair.replace('__Host-', '') },
  })
  assert.equal(((await planted.json()) as any).error.code, 'OAUTH_STATE_INVALID')
  assert.deepEqual(planted.headers.getSetCookie(), [])
  const own = await fetch(`${local}/api/v1/auth/google/callback?${query}&error=access_denied`, {
    headers: { cookie: pair },
  })
  assert.equal(((await own.json()) as any).error.code, 'OAUTH_DENIED')
  assert.match(own.headers.getSetCookie().join(), /^__Host-google-flow-[\w-]{12}=; .*Max-Age=0.*Secure/)
})

test('the cookie stays within browser limits with the longest accepted redirectTo', async () => {
  const startWith = (fragment: string) => {
    const query = new URLSearchParams({ redirectTo: `https://app.example.com/#${fragment}` }).toString()
    return service.call(`GET /auth/google/start?${query}`)
  }
  // 1024 characters percent-encoded: a quotation mark and a backslash have three.
  for (const [character, max] of [
    ['a', 999],
    ["'", 999],
    ['\\', 333],
    ['"', 333],
  ] as const) {
    const longest = await startWith(character.repeat(max))
    assert.equal(longest.status, 302, `${character} ${longest.text}`)
    const [cookie = ''] = longest.headers.getSetCookie()
    assert.ok(cookie.length > 1500 && cookie.length < 1900, `${character}: ${cookie.length}`)
    const longer = await startWith(character.repeat(max + 1))
    assertError(longer, 'VALIDATION_FAILED')
    assert.deepEqual(longer.headers.getSetCookie(), [])
  }
})

test('two concurrent sign-ins have two cookies and can finish in either order', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const jar = cookieJar()
    const tabs = [await startFlow(service, { jar }), await startFlow(service, { jar })]
    assert.equal(jar.cookies.size, 2)
    for (const [done, index] of order.entries()) {
      const answer = await finish(tabs[index]!)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(jar.cookies.size, 1 - done, 'only its own cookie is cleared')
    }
  }
})

test('a browser keeps three flows: a fourth ends only the oldest', async () => {
  const jar = cookieJar()
  const tabs: Started[] = []
  for (let n = 0; n < 4; n += 1) {
    // Separate seconds: flows of the same second have no order.
    service.clock.advance(1000)
    tabs.push(await startFlow(service, { jar }))
  }
  assert.equal(jar.cookies.size, 3)
  const [oldest, ...kept] = tabs
  for (const tab of kept) assert.equal((await finish(tab)).status, 200)
  assert.equal(jar.cookies.size, 0)
  assertError(await assertNothingHappens(service, () => finish(oldest!)), 'OAUTH_STATE_INVALID')
})

test('a flow expires after ten minutes on the server, whatever the browser keeps', async () => {
  const early = await startFlow(service)
  const late = await startFlow(service)
  service.clock.advance(10 * MINUTE_MS - 2000)
  assert.equal((await finish(early)).status, 200)
  service.clock.advance(2000)
  const earlier = service.issuer.hits.token
  assertError(await assertNothingHappens(service, () => finish(late)), 'OAUTH_STATE_INVALID')
  assert.equal(service.issuer.hits.token, earlier)
  assert.equal(late.jar.cookies.size, 0)
})

test('the cookie’s content is unreadable for the browser', async () => {
  const { jar, state, nonce } = await startFlow(service, { redirectTo: 'https://app.example.com/secret-place' })
  const [value = ''] = [...jar.cookies.values()]
  const parts = value.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
  const [header = '', ...sealed] = parts
  assert.deepEqual(Object.keys(JSON.parse(header)).toSorted(), ['alg', 'enc', 'kid'])
  for (const secret of [state, nonce, 'secret-place', 'app.example.com']) {
    assert.equal(sealed.join('').includes(secret), false)
  }
})
