import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { comeBack, startFlow, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { redirectTricks, scannerPayloads } from '../../../support/http/redirect-tricks.ts'
import { assertSafe } from '../../../support/http/redirects.ts'
import { databaseContent } from '../../../support/database/state.ts'

const STARTS = 5000
const appUrl = new URL('https://app.example.com')
let service: GoogleService

before(async () => {
  service = await startGoogleService({ APP_URL: appUrl.href })
})
after(() => service.close())

/** Bypasses the socket: the tests make thousands of calls. */
const start = (query: string, headers = {}) =>
  service.app.inject({ url: `${new URL(service.baseUrl).pathname}/auth/google/start${query}`, headers })

test('no hostile redirectTo leaves the frontend: each is refused or resolves to the frontend’s origin [O1]', async () => {
  const earlier = await databaseContent(service.db)
  const inputs = [...Object.values(redirectTricks).flat(), ...scannerPayloads(appUrl.host)]
  assert.ok(inputs.length > 300)
  let accepted = 0
  for (const redirectTo of inputs) {
    const answer = await start(`?${new URLSearchParams({ redirectTo }).toString()}`)
    const location = answer.headers.location
    if (answer.statusCode === 302) {
      accepted += 1
      const target = assertSafe(redirectTo, appUrl)
      assert.ok(target !== undefined, redirectTo)
      assert.equal(new URL(String(location)).origin, service.issuer.url)
    } else {
      assert.equal(answer.json().error.code, 'REDIRECT_NOT_ALLOWED', redirectTo)
      assert.equal(location, undefined)
      assert.equal(answer.headers['set-cookie'], undefined)
    }
  }
  assert.ok(accepted < inputs.length / 20, `nearly all are refused: ${accepted} are not`)
  assert.deepEqual(await databaseContent(service.db), earlier)
})

test('the callback checks the redirectTo again, against the current frontend [O11]', async (t) => {
  const moved = await startGoogleService({ APP_URL: 'https://new.example.com' })
  t.after(() => moved.close())
  const earlierFlow = await startFlow(service, { redirectTo: 'https://app.example.com/after' })
  for (const headers of [{}, { accept: 'text/html' }] as Record<string, string>[]) {
    for (const parameters of [{ code: 'c' }, { error: 'access_denied' }]) {
      // Both services have the same JWT_SECRET, so each accepts the other's cookies.
      const kept = { ...earlierFlow.jar, take: () => {} }
      const answer = await comeBack(moved, kept, { ...parameters, state: earlierFlow.state }, headers)
      assertError(answer, 'REDIRECT_NOT_ALLOWED')
      assert.equal(answer.headers.get('location'), null)
      assert.match(answer.headers.getSetCookie().join(), /Max-Age=0/)
    }
  }
  assert.equal(moved.issuer.hits.token, 0)
  const without = await startFlow(service)
  assertError(await comeBack(moved, without.jar, { error: 'x', state: without.state }), 'OAUTH_DENIED')
})

test('state, nonce and challenge have 256 random bits and never repeat [O3, O4]', async () => {
  const seen = new Set<string>()
  let ones = 0
  let bits = 0
  for (let started = 0; started < STARTS; started += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => start('')))
    for (const { headers } of answers) {
      const parameters = new URL(String(headers.location)).searchParams
      for (const name of ['state', 'nonce', 'code_challenge']) {
        const value = parameters.get(name) ?? ''
        const bytes = Buffer.from(value, 'base64url')
        assert.equal(bytes.length, 32, name)
        assert.equal(bytes.toString('base64url'), value, name)
        seen.add(value)
        for (const byte of bytes) ones += byte.toString(2).replaceAll('0', '').length
        bits += 256
      }
      seen.add(/^google-flow-[\w-]{12}=/.exec(String(headers['set-cookie']))?.[0] ?? 'none')
    }
  }
  assert.equal(seen.size, 4 * STARTS)
  // Half of 3,840,000 bits, within ten standard deviations, so it does not fail by chance.
  assert.ok(Math.abs(ones / bits - 0.5) < 0.0026, `${ones} of ${bits}`)
})

test('a start with another browser’s cookies neither reads nor clears its live flows', async () => {
  const { jar, state } = await startFlow(service)
  const other = await start('', jar.header())
  assert.deepEqual([other.headers['set-cookie']].flat().length, 1, 'one cookie is set, none is cleared')
  assert.equal(String(other.headers.location).includes(state), false)
  assertError(await comeBack(service, jar, { error: 'x', state }), 'OAUTH_DENIED')
})
