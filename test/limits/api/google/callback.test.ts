import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { comeBack, startFlow, startGoogleService, useCredential } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import type { Answer } from '../../../support/service.ts'

const MAX_FAILURES = 3
const redirectTo = 'https://app.example.com/after'
let service: GoogleService

before(async () => {
  service = await startGoogleService({
    ...productionLimits,
    APP_URL: 'https://app.example.com',
    RATE_LIMIT_SIGN_IN_FAILURES: `${MAX_FAILURES}/15m`,
  })
})
after(() => service.close())

async function finish(client: string, claims: Record<string, unknown>, isBrowser = false): Promise<Answer> {
  const { jar, state, nonce } = await startFlow(service, { redirectTo })
  service.issuer.idToken = service.issuer.sign(service.issuer.claims({ nonce, ...claims }))
  return comeBack(
    service,
    jar,
    { code: 'c', state },
    { ...from(client), ...(isBrowser ? { accept: 'text/html' } : {}) },
  )
}

/** The error code, from the JSON answer or from the fragment of the redirect. */
function codeOf(answer: Answer): string {
  if (answer.status !== 302) return answer.body.error.code
  return new URLSearchParams(new URL(answer.headers.get('location') ?? '').hash.slice(1)).get('error') ?? 'none'
}

const forge = (client: string, isBrowser = false) => finish(client, { nonce: 'another' }, isBrowser)

test('after the limit every further failure of the client gets RATE_LIMITED, and other clients are unaffected', async () => {
  for (let n = 0; n < MAX_FAILURES; n += 1) assertError(await forge('203.0.113.1'), 'GOOGLE_CREDENTIAL_INVALID')
  const refused = await forge('203.0.113.1')
  assertError(refused, 'RATE_LIMITED')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assertError(await forge('203.0.113.2'), 'GOOGLE_CREDENTIAL_INVALID')
  assert.equal((await finish('203.0.113.1', {})).status, 200)
})

test('a failure that redirects a browser counts like one answered as JSON', async () => {
  for (let n = 0; n < MAX_FAILURES; n += 1)
    assert.equal(codeOf(await forge('203.0.113.3', true)), 'GOOGLE_CREDENTIAL_INVALID')
  assert.equal(codeOf(await forge('203.0.113.3', true)), 'RATE_LIMITED')
  assertError(await forge('203.0.113.3'), 'RATE_LIMITED')
})

test('forged states, unverified addresses and invalid One Tap credentials share the count', async () => {
  const headers = from('203.0.113.4')
  const { jar } = await startFlow(service)
  assertError(await comeBack(service, jar, { code: 'c', state: 'forged' }, headers), 'OAUTH_STATE_INVALID')
  assertError(await finish('203.0.113.4', { email_verified: false }), 'EMAIL_NOT_VERIFIED')
  const body = { credential: 'garbage' }
  assertError(await service.call('POST /auth/google/onetap', { body, headers }), 'GOOGLE_CREDENTIAL_INVALID')
  assertError(await service.call('POST /auth/google/onetap', { body, headers }), 'RATE_LIMITED')
  assertError(await comeBack(service, jar, { code: 'c', state: 'forged' }, headers), 'RATE_LIMITED')
  assert.equal((await useCredential(service, service.issuer.sign())).status, 200)
})

test('a cancelled consent is no failure, however often', async () => {
  const headers = from('203.0.113.5')
  for (let n = 0; n < 3 * MAX_FAILURES; n += 1) {
    const { jar, state } = await startFlow(service, { redirectTo })
    const accept: Record<string, string> = n % 2 === 0 ? { accept: 'text/html' } : {}
    const answer = await comeBack(service, jar, { error: 'access_denied', state }, { ...headers, ...accept })
    assert.equal(codeOf(answer), 'OAUTH_DENIED')
  }
  assertError(await forge('203.0.113.5'), 'GOOGLE_CREDENTIAL_INVALID')
})
