import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { oneTap, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { mailedToken } from '../../../support/mail/links.ts'
import { assertNothingHappens, userOf } from '../../../support/database/state.ts'

let service: GoogleService
before(async () => void (service = await startGoogleService()))
after(() => service.close())

test('an unproven account and its owner’s link survive, and the owner can sign in [P5]', async () => {
  const email = 'owner@company.example'
  const thief = { sub: 'thief', email }
  const signedIn = await oneTap(service, thief)
  assert.equal(signedIn.status, 200, signedIn.text)
  const link = await mailedToken(service, email)
  for (let turn = 0; turn < 3; turn += 1) {
    const { token } = (await oneTap(service, thief)).body
    const answer = await assertNothingHappens(service, () => service.call('DELETE /users/me', { token }))
    assertError(answer, 'SIGN_IN_REQUIRED', /not proven/)
  }
  const owner = await service.call(`GET /auth/verify?token=${link}`)
  assert.equal(owner.status, 200, owner.text)
  assert.ok((await userOf(service.db, email)).claimed_at_ms)
  assertError(await service.call('GET /users/me', { token: signedIn.body.token }), 'UNAUTHORIZED')
  assertError(await oneTap(service, thief), 'EMAIL_NOT_VERIFIED')
  assert.equal((await service.call('DELETE /users/me', { token: owner.body.token })).status, 200)
})
