import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { eventsOf } from '../../support/mail/buttons.ts'
import { oneTap, startGoogleService, useCredential } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { connect, subjectsOf } from '../../support/google/identities.ts'
import { assertNothingHappens, recipientsOf, userOf } from '../../support/database/state.ts'

let service: GoogleService
before(async () => void (service = await startGoogleService()))
after(() => service.close())

/** Asserts that connecting fails and that nothing is written, mailed or spent. */
const refused = (token: string, claims: Record<string, unknown> = {}) =>
  assertNothingHappens(service, () => connect(service, token, claims))

test('a Google account with any address is connected and can sign in, and the owner is notified and sees it', async () => {
  const email = 'ana@example.com'
  const token = await service.signIn(email)
  const at = new Date(service.clock.now()).toISOString()
  const answer = await connect(service, token, { sub: 'ana', email: 'Ana@third.example' })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body, { connection: { email: 'ana@third.example', connectedAt: at } })

  const signedIn = await oneTap(service, { sub: 'ana', email: 'ana@third.example' })
  const { id } = await userOf(service.db, email)
  assert.deepEqual(signedIn.body.user, { id, email, role: 'USER' })
  const { events } = (await service.call('GET /auth/events', { token })).body
  const happened = events.map(({ type, detail }: any) => [type, detail])
  const connected = ['google_connected', 'ana@third.example']
  assert.deepEqual(happened.slice(0, 2), [['signed_in', 'google'], connected])
  assert.deepEqual(
    (await recipientsOf(service)).filter((to) => to !== email),
    [],
    'no mail to the address at Google',
  )
  assert.equal((await service.smtp.mailTo(email)).message.subject, 'Your sign-in with Google changed')
})

test('connecting it again changes nothing and sends no mail, but spends the credential', async () => {
  const email = 'bob@example.com'
  const token = await service.signIn(email)
  const first = await connect(service, token, { sub: 'bob', email: 'bob@gmail.com' })
  const sent = await recipientsOf(service)
  const events = await eventsOf(service, email)
  service.clock.advance(60_000)
  const credential = service.issuer.sign(service.issuer.claims({ sub: 'bob', email: 'bob@gmail.com' }))
  const again = () => service.call('POST /auth/google/connection', { token, body: { credential } })
  assert.deepEqual((await again()).body, first.body)
  assertError(await again(), 'GOOGLE_CREDENTIAL_INVALID')
  assert.deepEqual(await recipientsOf(service), sent)
  assert.deepEqual(await eventsOf(service, email), events)
  assert.deepEqual(await subjectsOf(service, email), ['bob'])
})

describe('connecting is refused and changes nothing:', () => {
  test('for a Google account that is connected to another account', async () => {
    await connect(service, await service.signIn('cia@example.com'), { sub: 'cia' })
    const other = await service.signIn('cora@example.com')
    assertError(await refused(other, { sub: 'cia' }), 'GOOGLE_ALREADY_CONNECTED')
    assert.deepEqual(await subjectsOf(service, 'cia@example.com'), ['cia'])
    assert.deepEqual(await subjectsOf(service, 'cora@example.com'), [])
  })

  test('for a second Google account', async () => {
    const token = await service.signIn('dan@example.com')
    await connect(service, token, { sub: 'dan' })
    assertError(await refused(token, { sub: 'dan2' }), 'GOOGLE_ALREADY_CONNECTED')
    assert.deepEqual(await subjectsOf(service, 'dan@example.com'), ['dan'])
  })

  test('with a token of a key, also of a new key or of a signup', async () => {
    const { token: signup } = await service.signUp('eva@example.com')
    const owner = await service.signIn('eve@example.com')
    const made = await service.call('POST /auth/api-keys', { token: owner, body: {} })
    const { apiKey, keySecret } = made.body
    const { body } = await service.call('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } })
    for (const token of [signup, body.token]) assertError(await refused(token), 'SIGN_IN_REQUIRED', /ten minutes/)
  })

  test('with a token from a sign-in of ten minutes ago, to the millisecond', async () => {
    const email = 'fay@example.com'
    const token = await service.signIn(email)
    service.clock.advance(600_000 - 1)
    assert.equal((await connect(service, token, { sub: 'fay' })).status, 200)
    service.clock.advance(1)
    assertError(await refused(token, { sub: 'fay' }), 'SIGN_IN_REQUIRED')
    const byGoogle = (await oneTap(service, { sub: 'fay' })).body.token
    assert.equal((await connect(service, byGoogle, { sub: 'fay' })).status, 200, 'a Google sign-in is accepted too')
  })

  test('with a credential already used for a sign-in', async () => {
    const { issuer, call } = service
    const token = await service.signIn('gus@example.com')
    const credential = issuer.sign(issuer.claims({ sub: 'gus', email: 'gus@third.example' }))
    assert.equal((await useCredential(service, credential)).status, 200)
    const use = () => call('POST /auth/google/connection', { token, body: { credential } })
    assertError(await assertNothingHappens(service, use), 'GOOGLE_CREDENTIAL_INVALID')
  })

  test('with a credential that fails any check of One Tap, and without a token', async () => {
    const token = await service.signIn('hal@example.com')
    const now = Math.floor(service.clock.now() / 1000)
    const wrong: Record<string, unknown>[] = [
      { aud: 'another-client' },
      { azp: 'another-client' },
      { iss: 'https://evil.example' },
      { exp: now },
      { iat: now + 60 },
      { iat: now - 3601 },
      { sub: '' },
      { sub: 7 },
    ]
    for (const claims of wrong) assertError(await refused(token, claims), 'GOOGLE_CREDENTIAL_INVALID')
    assertError(await refused(token, { email_verified: false }), 'EMAIL_NOT_VERIFIED')
    for (const credential of ['', 'x', token, service.issuer.sign(undefined, { alg: 'HS256' })]) {
      const use = () => service.call('POST /auth/google/connection', { token, body: { credential } })
      assertError(await assertNothingHappens(service, use), 'GOOGLE_CREDENTIAL_INVALID')
    }
    const { text, ...anonymous } = await refused('')
    assertError({ text, ...anonymous }, 'UNAUTHORIZED')
  })
})
