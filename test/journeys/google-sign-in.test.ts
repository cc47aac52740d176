import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { shapeOf } from '../support/http/answers.ts'
import { APP_URL, bodyOf, newPerson, startGoogleWalk } from '../support/google/google-walk.ts'
import type { GoogleWalk } from '../support/google/google-walk.ts'
import { NAVIGATION, walkingBrowser } from '../support/browser/walking-browser.ts'

const [older, newer] = [randomBytes(48).toString('base64'), randomBytes(48).toString('base64')]
let walk: GoogleWalk

before(async () => {
  walk = await startGoogleWalk({ JWT_SECRET: older })
})
after(() => walk?.stop())

describe('a sign-in with Google', () => {
  test('returns to a program exactly the specified JSON, and leaves no cookie', async () => {
    const browser = walkingBrowser()
    const who = newPerson()
    const stop = await walk.signIn(browser, who)
    assert.equal(stop.status, 200, stop.text)
    assert.deepEqual(shapeOf(bodyOf(stop)), {
      token: 'string',
      needsOnboarding: 'boolean',
      user: { id: 'string', email: 'string', role: 'string' },
    })
    assert.match(bodyOf(stop).user.id, /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/)
    assert.equal(bodyOf(stop).user.role, 'USER')
    assert.deepEqual(walk.flowsOf(browser), [])
    const me = await walk.service.call('GET /users/me', { token: bodyOf(stop).token })
    assert.equal(me.body.user.email, who.email)
    assert.equal(bodyOf(await walk.signIn(browser, who)).user.id, bodyOf(stop).user.id, 'the same account again')
  })

  test('ends in a browser at its redirectTo, with token and needsOnboarding in the fragment only', async () => {
    const browser = walkingBrowser(NAVIGATION)
    const stop = await walk.signIn(browser, newPerson(), `${APP_URL}/after?a=b`)
    assert.equal(stop.status, 302)
    assert.equal(stop.next?.href.split('#')[0], `${APP_URL}/after?a=b`)
    const { token = '', ...others } = Object.fromEntries(new URLSearchParams(stop.next?.hash.slice(1)))
    assert.deepEqual(others, { needsOnboarding: 'true' })
    assert.equal((await walk.service.call('GET /users/me', { token })).status, 200)
    assert.deepEqual(walk.flowsOf(browser), [])
  })

  test('finishes in each of two tabs of one browser, in either order', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const browser = walkingBrowser()
      const who = newPerson()
      const pages = [await walk.toPage(browser), await walk.toPage(browser)]
      const callbacks: URL[] = []
      for (const page of pages) callbacks.push(await walk.toCallback(browser, page, who))
      assert.equal(walk.flowsOf(browser).length, 2)
      for (const [done, index] of order.entries()) {
        const stop = await browser.go(callbacks[index]!)
        assert.equal(bodyOf(stop).user?.email, who.email, stop.text)
        assert.equal(walk.flowsOf(browser).length, 1 - done)
      }
    }
  })

  test('may finish at another process than it started at, even across a change of JWT_SECRET', async () => {
    const browser = walkingBrowser()
    const who = newPerson()
    const callback = await walk.toCallback(browser, await walk.toPage(browser), who)
    // A new secret, which still verifies with the old one.
    await walk.restart({ JWT_SECRET: newer, JWT_SECRET_VERIFY: older })
    const stop = await browser.go(callback)
    assert.equal(stop.status, 200, stop.text)
    assert.equal(bodyOf(stop).user.email, who.email)
    // A process with only the old secret cannot finish a flow started with the new one.
    const other = walkingBrowser()
    const begun = await walk.toCallback(other, await walk.toPage(other), newPerson())
    await walk.restart()
    assert.equal(bodyOf(await other.go(begun)).error.code, 'OAUTH_STATE_INVALID')
  })
})

describe('PKCE', () => {
  test('uses S256, and the token endpoint gets the verifier that belongs to the challenge [O4]', async () => {
    const browser = walkingBrowser()
    const { next } = await browser.go(`${walk.service.baseUrl}/auth/google/start`, () => true)
    assert.equal(next?.searchParams.get('code_challenge_method'), 'S256')
    const page = await browser.go(next ?? '')
    assert.equal((await browser.go(walk.provider.logIn(page.url, newPerson()))).status, 200)
    const { form, status } = walk.provider.tokenCalls.at(-1)!
    assert.equal(status, 200)
    const challenge = createHash('sha256')
      .update(form['code_verifier'] ?? '')
      .digest('base64url')
    assert.equal(next?.searchParams.get('code_challenge'), challenge)
  })

  test('refuses a code with another verifier or none, and in another browser [O3]', async () => {
    const { form } = walk.provider.tokenCalls.at(-1)!
    for (const verifier of ['v'.repeat(43), form['code_verifier'] ?? '', '']) {
      const browser = walkingBrowser()
      const callback = await walk.toCallback(browser, await walk.toPage(browser), newPerson())
      const { code_verifier: _verifier, ...others } = form
      const stolen = { ...others, code: callback.searchParams.get('code') ?? '' }
      const answer = await fetch(`${walk.provider.url}/token`, {
        method: 'POST',
        body: new URLSearchParams(verifier === '' ? stolen : { ...stolen, code_verifier: verifier }),
      })
      assert.equal(answer.status, 400)
      assert.equal(((await answer.json()) as any).error, 'invalid_grant')
    }
    const [browser, thief] = [walkingBrowser(), walkingBrowser()]
    const stolen = await walk.toCallback(browser, await walk.toPage(browser), newPerson())
    const own = await walk.toCallback(thief, await walk.toPage(thief), newPerson())
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    const earlier = await walk.counts()
    const stop = await thief.go(own)
    assert.equal(stop.status, 401)
    assert.equal(bodyOf(stop).error.code, 'GOOGLE_CREDENTIAL_INVALID')
    assert.equal(walk.provider.tokenCalls.at(-1)?.status, 400, 'the provider refused it')
    assert.deepEqual(await walk.counts(), { ...earlier, tokenCalls: earlier.tokenCalls + 1 })
    assert.deepEqual(walk.flowsOf(thief), [])
  })
})
