import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, fingerprintOf } from '../../support/http/answers.ts'
import { buttonIn, countMailsTo, eventsOf, pauseMail, press, signInMail } from '../../support/mail/buttons.ts'
import { openAt } from '../../support/database/database.ts'
import { disable, enable } from '../../support/accounts/disabled.ts'
import { oneTap, redirectFlow, startGoogleService } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { createKey, exchange, statesOf, tokenOf } from '../../support/accounts/keys.ts'
import { mailedToken, verify } from '../../support/mail/links.ts'
import { createLink, publicStatusOf } from '../../support/accounts/payment-links.ts'
import { assertNothingHappens, databaseContent, recipientsOf, userOf } from '../../support/database/state.ts'

const DAY_MS = 24 * 3600 * 1000
let service: GoogleService
before(async () => {
  service = await startGoogleService()
})
after(() => service.close())

test('a disabled account’s tokens get 401 on the next call and stay revoked; its keys work again once it is enabled [J6]', async () => {
  const email = 'ana@example.com'
  const signedIn = await service.signIn(email)
  const key = await createKey(service, signedIn)
  const fromKey = await tokenOf(service, key)
  const tokens = [signedIn, fromKey]
  await disable(service, email)
  assert.deepEqual(await statesOf(service, tokens), ['UNAUTHORIZED', 'UNAUTHORIZED'])
  assertError(await service.call('POST /auth/api-keys', { token: signedIn }), 'UNAUTHORIZED')
  assertError(await exchange(service, key), 'INVALID_CREDENTIALS')

  await enable(service, email)
  assert.deepEqual(await statesOf(service, tokens), ['UNAUTHORIZED', 'UNAUTHORIZED'])
  assert.deepEqual(await statesOf(service, [await tokenOf(service, key)]), [email])
})

test('a token with the current token version is refused too: the state alone is enough', async () => {
  const email = 'eva@example.com'
  const token = await service.signIn(email)
  const { id } = await userOf(service.db, email)
  const other = openAt(service.databaseUrl)
  await other.query
    .updateTable('users')
    .set({ disabled_at_ms: 1 })
    .where('id', '=', id)
    .execute()
    .finally(() => other.close())
  assertError(await service.call('GET /users/me', { token }), 'UNAUTHORIZED')
  await assertNothingHappens(service, async () =>
    assertError(await service.call('POST /auth/tokens/revoke', { token }), 'UNAUTHORIZED'),
  )
})

test('the exchange answers for a disabled account as for a wrong secret, even while its key awaits the owner [K4]', async () => {
  const email = 'bob@example.com'
  const squatter = await service.signUp(email)
  const key = await createKey(service, await service.signIn(email))
  const wrong = await exchange(service, { ...key, keySecret: squatter.keySecret })
  await disable(service, email)
  for (const refused of [key, squatter])
    assert.equal(fingerprintOf(await exchange(service, refused)), fingerprintOf(wrong))
})

test('links sent before are void for good; a link requested meanwhile is answered by a mail without a link, one a day', async () => {
  const email = 'cia@example.com'
  await service.signIn(email)
  const out = await mailedToken(service, email)
  const unknown = await verify(service, 'no-link-of-ours')
  await disable(service, email)
  assert.equal(fingerprintOf(await verify(service, out)), fingerprintOf(unknown))
  const mailsBefore = await countMailsTo(service, email)
  for (let n = 0; n < 3; n++) {
    const asked = await service.call('POST /auth/request', { body: { email } })
    assert.deepEqual([asked.status, asked.body], [200, { ok: true }])
    await recipientsOf(service)
  }
  const told = await service.smtp.mailTo(email, 1000, 'disabled the account')
  assert.doesNotMatch(`${told.message.text}${told.message.html}`, /https?:|token/)
  assert.equal(await countMailsTo(service, email), mailsBefore + 1)
  service.clock.advance(DAY_MS + 1)
  await service.call('POST /auth/request', { body: { email } })
  assert.equal(await countMailsTo(service, email), mailsBefore + 2)
  assert.equal((await databaseContent(service.db)).links.filter((link) => link.email === email).length, 0)

  await enable(service, email)
  assertError(await verify(service, out), 'LINK_INVALID')
  assert.equal((await verify(service, await mailedToken(service, email))).status, 200)
  assert.deepEqual(
    (await eventsOf(service, email)).map(({ type }) => type).filter((type) => type.startsWith('account_')),
    ['account_created', 'account_disabled', 'account_enabled'],
  )
})

test('a link mailed at the moment of disabling signs nobody in, and is not used up', async () => {
  const email = 'dan@example.com'
  await service.signIn(email)
  const out = await mailedToken(service, email)
  await recipientsOf(service)
  // As if its mail had been in progress.
  await service.db.query.updateTable('users').set({ disabled_at_ms: 1 }).where('email', '=', email).execute()
  await assertNothingHappens(service, async () => assertError(await verify(service, out), 'LINK_INVALID'))
})

test('Google signs nobody in to it: not the connected identity, not the holder of the address, not a claim [CVE-2026-9798]', async () => {
  const [connected, byAddress, unclaimed] = ['fia@gmail.com', 'gus@gmail.com', 'hal@gmail.com']
  const { sub } = service.issuer.claims()
  await oneTap(service, { sub, email: connected })
  await service.signIn(byAddress)
  await service.signUp(unclaimed)
  for (const email of [connected, byAddress, unclaimed]) await disable(service, email)
  await assertNothingHappens(service, async () => {
    assertError(await oneTap(service, { sub, email: connected }), 'GOOGLE_CREDENTIAL_INVALID')
    for (const email of [byAddress, unclaimed])
      assertError(await oneTap(service, { email }), 'GOOGLE_CREDENTIAL_INVALID')
  })
  assertError(await redirectFlow(service, { sub, email: connected }), 'GOOGLE_CREDENTIAL_INVALID')
  assertError(await service.call('POST /auth/api/signup', { body: { email: byAddress } }), 'EMAIL_TAKEN')
  await enable(service, connected)
  assert.equal((await oneTap(service, { sub, email: connected })).status, 200)
})

test('buttons of its mails do nothing, used before or not; once it is enabled they work', async () => {
  const email = 'ida@example.com'
  await service.signIn(email)
  await pauseMail(service, email)
  const { mail, notMe } = await signInMail(service, email)
  const resume = buttonIn(mail, 'resume-mail')
  await disable(service, email)
  await assertNothingHappens(service, async () => {
    assertError(await press(service, 'not-me', notMe), 'LINK_INVALID')
    assertError(await press(service, 'resume-mail', resume), 'LINK_INVALID')
  })
  await enable(service, email)
  assert.equal((await press(service, 'resume-mail', resume)).status, 200)
})

test('its payment links cannot be paid while it is disabled, and nobody learns whose they are', async () => {
  const email = 'jan@example.com'
  const token = await service.signIn(email)
  const link = await createLink(service, token)
  assert.equal(await publicStatusOf(service, link.id), 'ACTIVE')
  await disable(service, email)
  assert.equal(await publicStatusOf(service, link.id), 'INACTIVE')
  await enable(service, email)
  assert.equal(await publicStatusOf(service, link.id), 'ACTIVE')
})
