import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { runInLockstep } from '../../../support/wire/lockstep.ts'
import {
  assertRefusedSignIn,
  startFlowWithValidIdToken,
  callCallbackWithQuery,
  returnValidIdToken,
} from '../../../support/google/callback-calls.ts'
import { startFlow, startGoogleService } from '../../../support/google/google.ts'
import type { CookieJar, GoogleService } from '../../../support/google/google.ts'
import { answerJson } from '../../../support/google/issuer.ts'

let service: GoogleService

before(async () => {
  service = await startGoogleService({ APP_URL: 'https://app.example.com' })
})
after(() => service.close())

/** The cookie header of this jar, as an attacker might keep it. */
function copyOf({ cookies }: CookieJar): Record<string, string> {
  return { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }
}

test('a callback for another browser’s state is refused, without a cookie and with the cookie of another flow [O2]', async () => {
  const victim = await startFlowWithValidIdToken(service)
  const attacker = await startFlowWithValidIdToken(service)
  for (const jar of [{ ...attacker.jar, header: () => ({}) }, attacker.jar]) {
    const query = `code=c&state=${victim.state}`
    assertError(
      await assertRefusedSignIn(service, 0, () => callCallbackWithQuery(service, jar, query)),
      'OAUTH_STATE_INVALID',
    )
  }
  assert.equal(attacker.jar.cookies.size, 0)
  // The other browser's flow still works.
  returnValidIdToken(service, victim)
  assert.equal((await callCallbackWithQuery(service, victim.jar, `code=c&state=${victim.state}`)).status, 200)
})

test('a code issued to another browser’s sign-in is refused by its nonce, and PKCE verifiers differ [O3]', async () => {
  const [victim, attacker] = [await startFlowWithValidIdToken(service), await startFlowWithValidIdToken(service)]
  // A provider that ignores PKCE: the ID token still has the other flow's nonce.
  returnValidIdToken(service, victim)
  const query = `code=code-of-the-victim&state=${attacker.state}`
  assertError(
    await assertRefusedSignIn(service, 1, () => callCallbackWithQuery(service, attacker.jar, query)),
    'GOOGLE_CREDENTIAL_INVALID',
  )
  assert.equal(attacker.jar.cookies.size, 0)
  const verifierOf = service.issuer.tokenRequests.at(-1)?.get('code_verifier')
  returnValidIdToken(service, victim)
  assert.equal((await callCallbackWithQuery(service, victim.jar, `code=c&state=${victim.state}`)).status, 200)
  assert.notEqual(service.issuer.tokenRequests.at(-1)?.get('code_verifier'), verifierOf)
})

test('a nonce that is wrong, missing, empty or of another type is refused', async () => {
  for (const change of [
    { nonce: 'x' },
    { nonce: undefined },
    { nonce: '' },
    { nonce: null },
    { nonce: true },
    { nonce: [] },
  ] as const) {
    const started = await startFlowWithValidIdToken(service)
    returnValidIdToken(service, started, change)
    const answer = await assertRefusedSignIn(service, 1, () =>
      callCallbackWithQuery(service, started.jar, `code=c&state=${started.state}`),
    )
    assertError(answer, 'GOOGLE_CREDENTIAL_INVALID')
    assert.equal(started.jar.cookies.size, 0)
  }
  const started = await startFlowWithValidIdToken(service)
  const listed = [started.nonce]
  returnValidIdToken(service, started, { nonce: listed })
  assertError(
    await callCallbackWithQuery(service, started.jar, `code=c&state=${started.state}`),
    'GOOGLE_CREDENTIAL_INVALID',
  )
})

test('a repeated callback with a copied cookie is refused and sends no code again [O2, O8, CVE-2025-46815, GHSA-7w99-5wm4-3g79]', async () => {
  for (const first of ['code=c', 'code=wrong']) {
    const started = await startFlowWithValidIdToken(service)
    const kept = copyOf(started.jar)
    const query = `state=${started.state}`
    await callCallbackWithQuery(service, started.jar, `${query}&${first}`)
    assert.equal(started.jar.cookies.size, 0)
    for (const again of ['code=c', 'code=another']) {
      const answer = await assertRefusedSignIn(service, 0, () =>
        callCallbackWithQuery(service, started.jar, `${query}&${again}`, kept),
      )
      assertError(answer, 'OAUTH_STATE_INVALID')
      assert.match(answer.headers.getSetCookie().join(), /Max-Age=0/)
    }
  }
})

test('of twenty equal callbacks at once one signs in, and one code is sent [CVE-2026-34224]', async () => {
  const started = await startFlowWithValidIdToken(service)
  const kept = copyOf(started.jar)
  const calls = service.issuer.hits.token
  const answers = await runInLockstep(service, 20, () =>
    service.call(`GET /auth/google/callback?code=c&state=${started.state}`, { headers: kept }),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  assert.equal(refused.length, 19)
  for (const answer of refused) assertError(answer, 'OAUTH_STATE_INVALID')
  assert.equal(service.issuer.hits.token - calls, 1)
})

test('an ID token that Google issues twice signs in once, by any flow [GHSA-7w99-5wm4-3g79]', async () => {
  const started = await startFlowWithValidIdToken(service)
  assert.equal((await callCallbackWithQuery(service, started.jar, `code=c&state=${started.state}`)).status, 200)
  const other = await startFlow(service)
  const answer = await assertRefusedSignIn(service, 1, () =>
    callCallbackWithQuery(service, other.jar, `code=c&state=${other.state}`),
  )
  assertError(answer, 'GOOGLE_CREDENTIAL_INVALID')
  const credential = { credential: service.issuer.idToken }
  const tapped = await assertRefusedSignIn(service, 0, () =>
    service.call('POST /auth/google/onetap', { body: credential }),
  )
  assertError(tapped, 'GOOGLE_CREDENTIAL_INVALID')
})

test('a code that Google refuses is an invalid credential, and Google’s error text is not repeated', async () => {
  service.issuer.handlers.token = (_request, response) =>
    answerJson(response, { error: 'invalid_grant', error_description: '<b>spent</b>' }, 400)
  try {
    const started = await startFlowWithValidIdToken(service)
    const answer = await assertRefusedSignIn(service, 1, () =>
      callCallbackWithQuery(service, started.jar, `code=c&state=${started.state}`),
    )
    assertError(answer, 'GOOGLE_CREDENTIAL_INVALID')
    assert.equal(answer.text.includes('spent'), false)
    assert.equal(started.jar.cookies.size, 0)
  } finally {
    delete service.issuer.handlers.token
  }
})
