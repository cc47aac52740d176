/** OAuth's endpoints with production limits: they share those of the exchange, and a right secret is never locked out. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { consent, redeem, startApp } from '../../../support/accounts/apps.ts'
import { createKey } from '../../../support/accounts/keys.ts'
import { assertError } from '../../../support/http/answers.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import { assertOAuthError, basicOf, postForm, postOf } from '../../../support/http/oauth.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

const GRANT = { grant_type: 'client_credentials' }
let service: Service

before(async () => {
  service = await startService({ ...productionLimits, RATE_LIMIT_SIGNUP_HOUR: '100/1h' })
})
after(() => service.close())

test('wrong secrets count together with those at the exchange, at every endpoint; the right one still works [A40]', async () => {
  const key = await service.signUp('ana@example.com')
  const address = from('192.0.2.1')
  const wrong = basicOf({ ...key, keySecret: 'guess' })
  const guesses = [
    () => postForm(service, '/oauth/token', GRANT, { ...wrong, ...address }),
    () => postForm(service, '/oauth/introspect', { token: 'x' }, { ...wrong, ...address }),
    () => postForm(service, '/oauth/revoke', { token: 'x' }, { ...wrong, ...address }),
  ]
  for (let n = 0; n < 9; n++) assertOAuthError(await guesses[n % 3]!(), 'INVALID_CREDENTIALS')
  const body = { keyId: key.apiKey.keyId, keySecret: 'guess' }
  assertError(await service.call('POST /auth/api/token', { body, headers: address }), 'INVALID_CREDENTIALS')
  for (const guess of guesses) {
    const answer = await guess()
    assertOAuthError(answer, 'RATE_LIMITED', /^Too many requests\. Try again in \d+ seconds\.$/)
    assert.equal(answer.headers.get('retry-after'), '900')
  }
  assertError(await service.call('POST /auth/api/token', { body, headers: address }), 'RATE_LIMITED')
  assert.equal((await postForm(service, '/oauth/token', { ...GRANT, ...postOf(key) }, address)).status, 200)
})

test('the tokens of a key count together with those of the exchange', async () => {
  const key = await createKey(service, await service.signIn('bob@example.com'))
  const body = { keyId: key.apiKey.keyId, keySecret: key.keySecret }
  for (let n = 0; n < 60; n++) {
    assert.equal((await postForm(service, '/oauth/token', { ...GRANT, ...postOf(key) })).status, 200)
    assert.equal((await service.call('POST /auth/api/token', { body })).status, 200)
  }
  assertOAuthError(await postForm(service, '/oauth/token', { ...GRANT, ...postOf(key) }), 'RATE_LIMITED', /Try again/)
  assertError(await service.call('POST /auth/api/token', { body }), 'RATE_LIMITED')
})

test('guessed codes count, and a right one still works [A40]', async (t) => {
  const guessed = await startService({ ...productionLimits, RATE_LIMIT_EXCHANGE_FAILURES_CLIENT: '5/15m' })
  t.after(() => guessed.close())
  const app = await startApp(t)
  const code = await consent(guessed, await guessed.signIn('cia@example.com'), app)
  for (let n = 0; n < 5; n++) {
    assertOAuthError(await redeem(guessed, app, `guess ${n}`), 'INVALID_GRANT', /^The code is unknown/)
  }
  assertOAuthError(await redeem(guessed, app, 'guess'), 'RATE_LIMITED', /Try again/)
  assert.equal((await redeem(guessed, app, code)).status, 200)
})
