/** `POST /auth/google/onetap`: a person signs in with a credential, once. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError, shapeOf } from '../../support/answers.ts'
import { oneTap, startGoogleService, redirectFlow, useCredential } from '../../support/google.ts'
import type { GoogleService } from '../../support/google.ts'

describe('One Tap', () => {
  let service: GoogleService
  before(async () => void (service = await startGoogleService()))
  after(() => service.close())

  test('signs a person in, and answers exactly what the specification shows', async () => {
    const answer = await oneTap(service, { email: 'ana@gmail.com' })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(shapeOf(answer.body), {
      token: 'string',
      needsOnboarding: 'boolean',
      user: { id: 'string', email: 'string', role: 'string' },
    })
    const me = await service.call('GET /users/me', { token: answer.body.token })
    assert.equal(me.body.user.email, 'ana@gmail.com')
  })

  test('a credential works once', async () => {
    const credential = service.issuer.sign()
    assert.equal((await useCredential(service, credential)).status, 200)
    assertError(await useCredential(service, credential), 'GOOGLE_CREDENTIAL_INVALID')
  })

  test('redirect flow', async () => {
    const answer = await redirectFlow(service, { email: 'flow@gmail.com' })
    assert.equal(answer.status, 200, answer.text)
  })
})
