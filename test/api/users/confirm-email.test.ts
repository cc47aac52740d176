/** `POST /auth/email/confirm`: the mailed link and the sign-in that asked change the address, once and as a whole. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { disable, enable } from '../../support/accounts/disabled.ts'
import { askForChange, changeAddress, confirmWith } from '../../support/accounts/address-changes.ts'
import { createKey, exchange, statesOf, tokenOf } from '../../support/accounts/keys.ts'
import { read } from '../../support/accounts/tokens.ts'
import { assertNothingHappens, databaseContent, recipientsOf, userOf } from '../../support/database/state.ts'
import { startGoogleService, oneTap } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { connect, subjectsOf } from '../../support/google/identities.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { eventsOf, signInMail } from '../../support/mail/buttons.ts'

let service: GoogleService

before(async () => {
  service = await startGoogleService()
})
after(() => service.close())

test('changes the address, and only a new token of the same sign-in works', async () => {
  const [email, newEmail] = ['ana@example.com', 'ana-2@example.com']
  const other = await service.signIn(email)
  const token = await service.signIn(email)
  const key = await createKey(service, token)
  const { id, token_version: version } = await userOf(service.db, email)
  service.clock.advance(60_000)
  const mailed = await askForChange(service, token, newEmail)
  const answer = await confirmWith(service, token, mailed)
  assert.equal(answer.status, 200, answer.text)
  assertUncacheable(answer)
  assert.deepEqual(Object.keys(answer.body).toSorted(), ['token', 'user'])
  assert.equal(answer.body.user.email, newEmail)
  assert.equal(answer.body.user.id, id)
  const [was, is] = [read(token).claims, read(answer.body.token).claims]
  assert.deepEqual(is, { ...was, jti: is.jti, tokenVersion: version + 1 })
  assert.deepEqual(await statesOf(service, [token, other, answer.body.token]), [
    'UNAUTHORIZED',
    'UNAUTHORIZED',
    newEmail,
  ])
  const { sessions } = (await service.call('GET /auth/sessions', { token: answer.body.token })).body
  assert.deepEqual(
    sessions.map(({ current }: { current: boolean }) => current),
    [true],
    'the sign-in goes on, and no other does',
  )
  assert.equal((await exchange(service, key)).status, 200, 'keys made before work')
  assert.equal((await userOf(service.db, newEmail)).id, id)
  assert.deepEqual((await eventsOf(service, newEmail)).at(-1), {
    type: 'email_changed',
    detail: newEmail,
    client: '127.0.0.1',
  })
})

test('with a token of an earlier version, whose sign-in has no row, gets a token without one that works', async () => {
  const [email, newEmail] = ['amy@example.com', 'amy-2@example.com']
  const other = await service.signIn(email)
  const { id } = await userOf(service.db, email)
  const subject = { userId: id, role: 'USER', tokenVersion: 0, amr: 'magic_link', lifetimeSeconds: 3600 } as const
  const earlier = service.deps.accessTokens.issue(subject)
  const { token } = (await confirmWith(service, earlier, await askForChange(service, earlier, newEmail))).body
  assert.equal(read(token).claims['sid'], undefined)
  assert.deepEqual(await statesOf(service, [earlier, other, token]), ['UNAUTHORIZED', 'UNAUTHORIZED', newEmail])
  const { sessions } = (await service.call('GET /auth/sessions', { token })).body
  assert.deepEqual(sessions, [], 'no row of a sign-in is carried over')
})

test('does not renew the sign-in: ten minutes after it, deleting the account takes another', async () => {
  const from = 'bob@example.com'
  const token = await service.signIn(from)
  service.clock.advance(9 * 60_000)
  const changed = await changeAddress(service, token, { from, to: 'bob-2@example.com' })
  service.clock.advance(61_000)
  assertError(await service.call('DELETE /users/me', { token: changed.token }), 'SIGN_IN_REQUIRED')
})

test('voids the links mailed to both addresses', async () => {
  const from = 'cia@example.com'
  const token = await service.signIn(from)
  const mailed = await askForChange(service, token, 'cia-2@example.com')
  const old = await signInMail(service, from)
  const early = await signInMail(service, 'cia-2@example.com')
  assert.equal((await confirmWith(service, token, mailed)).status, 200)
  for (const { link } of [old, early]) assertError(await service.call(`GET /auth/verify?token=${link}`), 'LINK_INVALID')
  assertError(await confirmWith(service, await service.signIn('cia-2@example.com'), mailed), 'LINK_INVALID')
})

test('disconnects Google accounts, which then no longer sign in to the account', async () => {
  const from = 'dan@example.com'
  const token = await service.signIn(from)
  await connect(service, token, { sub: 'dan', email: 'dan@third.example' })
  const changed = await changeAddress(service, token, { from, to: 'dan-2@example.com' })
  assert.deepEqual(await subjectsOf(service, 'dan-2@example.com'), [])
  const byGoogle = await oneTap(service, { sub: 'dan', email: 'dan@third.example' })
  assert.notEqual(byGoogle.body.user.id, (await service.call('GET /users/me', { token: changed.token })).body.user.id)
})

describe('is refused, and the link still works,', () => {
  async function refusedWith(code: 'SIGN_IN_REQUIRED' | 'UNAUTHORIZED', name: string, other: () => Promise<string>) {
    const token = await service.signIn(`${name}@example.com`)
    const mailed = await askForChange(service, token, `${name}-2@example.com`)
    const stranger = await other()
    assertError(await assertNothingHappens(service, () => confirmWith(service, stranger, mailed)), code)
    assert.equal((await confirmWith(service, token, mailed)).status, 200)
  }

  test('with the token of another sign-in of the account', () =>
    refusedWith('SIGN_IN_REQUIRED', 'eva', () => service.signIn('eva@example.com')))

  test('with the token of another account: a click in one’s own mailbox moves nobody’s account', () =>
    refusedWith('SIGN_IN_REQUIRED', 'fay', () => service.signIn('fay-other@example.com')))

  test('with a key’s token', () =>
    refusedWith('SIGN_IN_REQUIRED', 'gil', async () =>
      tokenOf(service, await createKey(service, await service.signIn('gil@example.com'))),
    ))

  test('without a token', () => refusedWith('UNAUTHORIZED', 'hal', async () => 'none'))
})

describe('is refused for good', () => {
  async function assertDead(email: string, mailed: string): Promise<void> {
    const again = await service.signIn(email)
    assertError(await assertNothingHappens(service, () => confirmWith(service, again, mailed)), 'LINK_INVALID')
  }

  test('ten minutes after the mail', async () => {
    const token = await service.signIn('ida@example.com')
    const mailed = await askForChange(service, token, 'ida-2@example.com')
    service.clock.advance(10 * 60_000)
    assertError(await confirmWith(service, token, mailed), 'LINK_INVALID')
  })

  test('for a token that was never mailed', async () => {
    const token = await service.signIn('jan@example.com')
    assertError(await confirmWith(service, token, 'x'.repeat(43)), 'LINK_INVALID')
  })

  test('once all tokens were revoked', async () => {
    const token = await service.signIn('kai@example.com')
    const mailed = await askForChange(service, token, 'kai-2@example.com')
    await service.call('POST /auth/tokens/revoke', { token })
    await assertDead('kai@example.com', mailed)
  })

  test('once the account was disabled, also after it is enabled again', async () => {
    const token = await service.signIn('lea@example.com')
    const mailed = await askForChange(service, token, 'lea-2@example.com')
    await disable(service, 'lea@example.com')
    assertError(await confirmWith(service, token, mailed), 'UNAUTHORIZED')
    await enable(service, 'lea@example.com')
    await assertDead('lea@example.com', mailed)
  })
})

test('does not take the address from an account created since the request', async () => {
  const token = await service.signIn('max@example.com')
  const mailed = await askForChange(service, token, 'max-2@example.com')
  await service.signUp('max-2@example.com')
  const answer = await assertNothingHappens(service, () => confirmWith(service, token, mailed))
  assertError(answer, 'EMAIL_TAKEN')
  assert.deepEqual(await statesOf(service, [token]), ['max@example.com'])
})

describe('for seven days the old address', () => {
  const from = 'nia@example.com'
  before(async () => {
    await changeAddress(service, await service.signIn(from), { from, to: 'nia-2@example.com' })
  })

  test('cannot sign up', async () => {
    const signUp = () => service.call('POST /auth/api/signup', { body: { email: from } })
    assertError(await assertNothingHappens(service, signUp), 'EMAIL_TAKEN')
  })

  test('gets the mail with the undo instead of a sign-in link, for any requester', async () => {
    const links = (await databaseContent(service.db)).links.length
    const sent = (await recipientsOf(service)).length
    const asked = await service.call('POST /auth/request', { body: { email: from } })
    assert.deepEqual(asked.body, { ok: true })
    assert.deepEqual((await recipientsOf(service)).slice(sent), [from])
    const { raw, message } = service.smtp.mails.at(-1) ?? assert.fail()
    assert.equal(message.subject, 'Your account has another e-mail address')
    assert.ok(!raw.includes('/auth/verify') && !raw.includes('nia-2'), raw)
    assert.equal((await databaseContent(service.db)).links.length, links)
  })

  test('cannot be signed in to with Google, even if Google runs the mailbox', async () => {
    const refused = () => oneTap(service, { sub: 'nia', email: from, hd: 'example.com' })
    assertError(await assertNothingHappens(service, refused), 'EMAIL_NOT_VERIFIED', /other address/)
    const unproven = () => oneTap(service, { sub: 'nia', email: from, hd: undefined })
    assertError(await assertNothingHappens(service, unproven), 'EMAIL_NOT_VERIFIED', /other address/)
  })

  test('is free afterwards', async () => {
    service.clock.advance(7 * 24 * 3600 * 1000)
    const { user } = await service.signUp(from)
    assert.notEqual(user.id, (await userOf(service.db, 'nia-2@example.com')).id)
  })
})
