import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { APP_URL, bodyOf, newPerson, startGoogleWalk } from '../support/google/google-walk.ts'
import type { GoogleWalk } from '../support/google/google-walk.ts'
import { shiftedBy } from '../support/faults/shifted-clock.ts'
import { NAVIGATION, walkingBrowser } from '../support/browser/walking-browser.ts'
import type { Stop } from '../support/browser/walking-browser.ts'

let walk: GoogleWalk

before(async () => {
  walk = await startGoogleWalk({ JWT_SECRET: randomBytes(48).toString('base64') })
})
after(() => walk?.stop())

/** Asserts that `act` ends with this error, without a new account, a mail, or a call of the token endpoint. */
async function assertRefused(code: string, act: () => Promise<Stop>): Promise<void> {
  const earlier = await walk.counts()
  const stop = await act()
  assert.equal(stop.status, 400, stop.text)
  assert.equal(bodyOf(stop).error.code, code)
  assert.deepEqual(await walk.counts(), earlier)
}

test('a cancelled consent is reported as JSON, and at the redirectTo of a browser [O9]', async () => {
  const program = walkingBrowser()
  const page = await walk.toPage(program)
  await assertRefused('OAUTH_DENIED', () => program.go(walk.provider.deny(page)))
  assert.deepEqual(walk.flowsOf(program), [])

  const browser = walkingBrowser(NAVIGATION)
  const earlier = await walk.counts()
  const { next, status } = await browser.go(walk.provider.deny(await walk.toPage(browser, `${APP_URL}/after`)))
  assert.equal(status, 302)
  assert.equal(next?.origin, APP_URL)
  assert.equal(next?.search, '')
  const shown = new URLSearchParams(next?.hash.slice(1))
  assert.equal(shown.get('error'), 'OAUTH_DENIED')
  assert.equal(next?.hash.includes('Cancelled'), false)
  assert.deepEqual(await walk.counts(), earlier)
  assert.deepEqual(walk.flowsOf(browser), [])
})

test('a replayed callback with kept cookies sends no second code, nor at the next process [O2, O8, GHSA-7w99-5wm4-3g79]', async () => {
  const browser = walkingBrowser()
  const callback = await walk.toCallback(browser, await walk.toPage(browser), newPerson())
  const kept = browser.copy()
  assert.equal((await browser.go(callback)).status, 200)
  for (const again of [browser, kept.copy(), kept.copy(), kept]) {
    if (again === kept) await walk.restart()
    await assertRefused('OAUTH_STATE_INVALID', () => again.go(callback))
    assert.deepEqual(walk.flowsOf(again), [])
  }
})

test('a callback from another browser, with a forged state or none, ends every flow of that browser [O2]', async () => {
  const victim = walkingBrowser()
  const callback = await walk.toCallback(victim, await walk.toPage(victim), newPerson())
  await assertRefused('OAUTH_STATE_INVALID', () => walkingBrowser().go(callback))
  for (const state of ['another', 'forged', undefined]) {
    const browser = walkingBrowser()
    const own = await walk.toCallback(browser, await walk.toPage(browser), newPerson())
    if (state === undefined) own.searchParams.delete('state')
    else own.searchParams.set('state', state === 'another' ? (callback.searchParams.get('state') ?? '') : state)
    await assertRefused('OAUTH_STATE_INVALID', () => browser.go(own))
    assert.deepEqual(walk.flowsOf(browser), [])
  }
  assert.equal((await victim.go(callback)).status, 200, 'the browser that started the flow can still use it')
})

test('a callback is refused if it names another issuer, or none where the provider always names itself [O5]', async () => {
  for (const iss of ['https://evil.example', `${walk.provider.url}/`, undefined]) {
    const browser = walkingBrowser()
    const callback = await walk.toCallback(browser, await walk.toPage(browser), newPerson())
    assert.equal(callback.searchParams.get('iss'), walk.provider.url)
    if (iss === undefined) callback.searchParams.delete('iss')
    else callback.searchParams.set('iss', iss)
    const earlier = await walk.counts()
    const stop = await browser.go(callback)
    assert.equal(bodyOf(stop).error.code, iss === undefined ? 'GOOGLE_CREDENTIAL_INVALID' : 'OAUTH_STATE_INVALID')
    assert.deepEqual(await walk.counts(), earlier)
    assert.deepEqual(walk.flowsOf(browser), [])
  }
})

test('a callback ten minutes after its start is refused [O2]', async () => {
  const browser = walkingBrowser()
  const callback = await walk.toCallback(browser, await walk.toPage(browser), newPerson())
  await walk.restart(shiftedBy(10 * 60_000))
  await assertRefused('OAUTH_STATE_INVALID', () => browser.go(callback))
  assert.deepEqual(walk.flowsOf(browser), [])
  await walk.restart()
})

test('an address that the provider does not vouch for is refused', async () => {
  for (const verified of [false, 'true', undefined]) {
    const browser = walkingBrowser()
    const earlier = await walk.counts()
    const stop = await walk.signIn(browser, newPerson({ email_verified: verified }))
    assert.equal(stop.status, 403, stop.text)
    assert.equal(bodyOf(stop).error.code, 'EMAIL_NOT_VERIFIED')
    assert.deepEqual(await walk.counts(), { ...earlier, tokenCalls: earlier.tokenCalls + 1 })
    assert.deepEqual(walk.flowsOf(browser), [])
  }
})
