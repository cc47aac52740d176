import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable, shapeOf } from '../../support/http/answers.ts'
import { assertOnlyObjects } from '../../support/http/bodies.ts'
import { foreignCalls, ownCalls } from '../../support/http/cross-site.ts'
import { oneTap, redirectFlow, startGoogleService, useCredential } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { assertNothingHappens, databaseContent, recipientsOf, userOf } from '../../support/database/state.ts'
import { read } from '../../support/accounts/tokens.ts'

const ROUTE = 'POST /auth/google/onetap'
let service: GoogleService
before(async () => {
  service = await startGoogleService()
})
after(() => service.close())

test('a credential signs a person in: the response has exactly the fields of the specification, and the token lives seven days', async () => {
  const answer = await oneTap(service, { email: 'Ana@Gmail.com' })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(shapeOf(answer.body), {
    token: 'string',
    needsOnboarding: 'boolean',
    user: { id: 'string', email: 'string', role: 'string' },
  })
  assertUncacheable(answer)
  assert.equal(answer.headers.get('set-cookie'), null)
  const { id, email, role } = answer.body.user
  assert.deepEqual([email, role, answer.body.needsOnboarding], ['ana@gmail.com', 'USER', true])

  const { claims } = read(answer.body.token)
  assert.deepEqual([claims['sub'], claims['amr']], [id, ['google']])
  assert.equal(Number(claims['exp']) - Number(claims['iat']), 7 * 24 * 3600)
  const me = await service.call('GET /users/me', { token: answer.body.token })
  assert.equal(me.body.user.email, 'ana@gmail.com')
  assert.ok(!(await recipientsOf(service)).includes('ana@gmail.com'), 'a proven address gets no mail')
})

test('the same person gets the same account every time, by One Tap and by the redirect flow', async () => {
  const { sub, email } = service.issuer.claims()
  const ids = [
    await oneTap(service, { sub, email }),
    await oneTap(service, { sub, email }),
    await redirectFlow(service, { sub, email }),
  ]
  assert.equal(new Set(ids.map(({ body }) => body.user.id)).size, 1)
  const { identities } = await databaseContent(service.db)
  assert.equal(identities.filter(({ subject }) => subject === sub).length, 1)
})

test('an address that Google is not authoritative for gets an unclaimed account, and its holder is notified', async () => {
  const answer = await oneTap(service, { email: 'cia@elsewhere.example' })
  assert.deepEqual([answer.status, answer.body.needsOnboarding], [200, true])
  assert.equal((await userOf(service.db, 'cia@elsewhere.example')).claimed_at_ms, null)
  assert.deepEqual((await recipientsOf(service)).filter((to) => to === 'cia@elsewhere.example').length, 1)
})

test('a credential works once, and a second use changes nothing [G6, CVE-2025-46815]', async () => {
  const credential = service.issuer.sign()
  assert.equal((await useCredential(service, credential)).status, 200)
  await assertNothingHappens(service, async () => {
    assertError(await useCredential(service, credential), 'GOOGLE_CREDENTIAL_INVALID')
  })
})

test('Google’s own object is accepted as it is, and only its credential counts', async () => {
  const object = { select_by: 'btn_confirm', clientId: 'another', client_id: 'another', state: 'x', g_csrf_token: 'x' }
  const body = { credential: service.issuer.sign(), ...object }
  const answer = await service.call(ROUTE, { body })
  assert.equal(answer.status, 200, answer.text)
  const wrong = service.issuer.sign(service.issuer.claims({ aud: 'another' }))
  assertError(await service.call(ROUTE, { body: { ...body, credential: wrong } }), 'GOOGLE_CREDENTIAL_INVALID')
})

test('the body must be a JSON object with a credential and no field that Google does not send [G13]', async () => {
  const credential = service.issuer.sign()
  await assertNothingHappens(service, async () => {
    await assertOnlyObjects(service, ROUTE)
    const more = {
      nonce: 'x',
      hd: 'gmail.com',
      email: 'ana@gmail.com',
    }
    for (const [name, value] of Object.entries(more)) {
      assertError(
        await service.call(ROUTE, { body: { credential, [name]: value } }),
        'VALIDATION_FAILED',
        new RegExp(name),
      )
    }
    for (const wrong of [null, 1, true, [credential], { credential }]) {
      assertError(await service.call(ROUTE, { body: { credential: wrong } }), 'VALIDATION_FAILED')
    }
    assertError(await service.call(ROUTE, { body: {} }), 'VALIDATION_FAILED', /credential/)
  })
  assert.equal((await useCredential(service, credential)).status, 200)
})

test('a page of another site is refused without spending the credential; our pages and programs are accepted [G13]', async () => {
  const credential = service.issuer.sign()
  await assertNothingHappens(service, async () => {
    for (const headers of foreignCalls(service)) {
      assertError(await service.call(ROUTE, { body: { credential }, headers }), 'ORIGIN_NOT_ALLOWED')
    }
  })
  assert.equal((await useCredential(service, credential)).status, 200)
  for (const headers of ownCalls(service)) {
    const answer = await service.call(ROUTE, { body: { credential: service.issuer.sign() }, headers })
    assert.equal(answer.status, 200, `${JSON.stringify(headers)}: ${answer.text}`)
  }
})
