import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newMail } from '../../../src/domain/mails/new-mail.ts'
import { assertError, assertUncacheable, fingerprintOf } from '../../support/http/answers.ts'
import { assertOnlyObjects } from '../../support/http/bodies.ts'
import { buttonIn, eventsOf, pauseMail, press, signInMail } from '../../support/mail/buttons.ts'
import { foreignCalls, ownCalls } from '../../support/http/cross-site.ts'
import { verify } from '../../support/mail/links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent, userOf } from '../../support/database/state.ts'

const ROUTE = 'POST /auth/links/not-me'
const DAY_MS = 24 * 3600 * 1000
let service: Service

before(async () => {
  service = await startService({ APP_URL: 'https://app.example' })
})
after(() => service.close())

const notMe = (token: unknown, headers: Record<string, string> = {}) => press(service, 'not-me', token, headers)

/** The links and pauses of one address. */
async function storedOf(email: string) {
  const { links, pauses } = await databaseContent(service.db)
  const its = (row: { email: string }) => row.email === email
  return { links: links.filter(its), pauses: pauses.filter(its) }
}

test('the first press voids every link of the address and of no other, and returns { ok: true }', async () => {
  const first = await signInMail(service, 'ana@example.com')
  const second = await signInMail(service, 'ana@example.com')
  const other = await signInMail(service, 'other@example.com')

  const answer = await notMe(first.notMe)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { ok: true })
  assertUncacheable(answer)
  for (const { link } of [first, second]) assertError(await verify(service, link), 'LINK_INVALID')
  assert.equal((await verify(service, other.link)).status, 200)
  const { links, pauses } = await storedOf('ana@example.com')
  assert.deepEqual(links, [])
  assert.deepEqual(
    pauses.map(({ mailed_at_ms }) => mailed_at_ms),
    [null],
  )
})

test('a queued sign-in mail is never sent; other mails, to this or other addresses, are', async () => {
  const email = 'bob@example.com'
  const { notMe: token } = await signInMail(service, email)
  const mail = newMail(service.deps, { kind: 'sign_in', email, locale: 'en' })
  const later = { ...mail, attempts: 1, due_at_ms: mail.due_at_ms + DAY_MS }
  const waiting = [
    later,
    { ...later, id: 'of another kind', kind: 'security_notice' as const },
    { ...later, id: 'of another', email: 'bert@example.com' },
  ]
  await service.db.query.insertInto('queued_mails').values(waiting).execute()
  assert.equal((await notMe(token)).status, 200)
  const left = (await databaseContent(service.db)).mails.map(({ id }) => id)
  assert.deepEqual(left, ['of another', 'of another kind'])
  await service.db.query.deleteFrom('queued_mails').execute()
})

test('a second press does nothing: an old mail voids no new link and starts no new pause', async () => {
  const email = 'cia@example.com'
  const old = await signInMail(service, email)
  await notMe(old.notMe)
  service.clock.advance(1000)
  const { link, mail } = await signInMail(service, email)
  const answer = await assertNothingHappens(service, () => notMe(old.notMe))
  assert.deepEqual(answer.body, { ok: true })
  assert.equal((await verify(service, link)).status, 200)

  await press(service, 'resume-mail', buttonIn(mail, 'resume-mail'))
  const again = await assertNothingHappens(service, () => notMe(old.notMe))
  assert.deepEqual(again.body, { ok: true })
})

test('buttons of several old mails void no link that was mailed after the pause began', async () => {
  const email = 'several@example.com'
  const old = []
  for (let n = 0; n < 4; n++) old.push(await signInMail(service, email))
  service.clock.advance(1000)
  await notMe(old[0]?.notMe)
  service.clock.advance(1000)
  const ofTheDay = await signInMail(service, email)
  for (const { notMe: token } of old) assert.equal((await notMe(token)).status, 200)
  assert.equal((await verify(service, ofTheDay.link)).status, 200)
})

test('the button of a mail sent during the pause still voids that mail’s link', async () => {
  const email = 'own@example.com'
  await pauseMail(service, email)
  service.clock.advance(1000)
  const ofTheDay = await signInMail(service, email)
  await notMe(ofTheDay.notMe)
  assertError(await verify(service, ofTheDay.link), 'LINK_INVALID')
})

test('the button works for an address without an account: its mail is paused, and no account is created', async () => {
  const email = 'nobody@example.com'
  const { notMe: token, link } = await signInMail(service, email)
  assert.equal((await notMe(token)).status, 200)
  assertError(await verify(service, link), 'LINK_INVALID')
  const { users, events } = await databaseContent(service.db)
  assert.equal(
    users.some((user) => user.email === email),
    false,
  )
  assert.equal((await storedOf(email)).pauses.length, 1)
  assert.equal(
    events.some(({ type, client }) => type === 'not_me' && client === null),
    false,
  )
})

test('the press is recorded once as an event with the kind of mail and the client', async () => {
  const email = 'dan@example.com'
  await service.signIn(email)
  const { notMe: token } = await signInMail(service, email)
  await notMe(token)
  await notMe(token)
  const events = (await eventsOf(service, email)).filter(({ type }) => type === 'not_me')
  assert.deepEqual(events, [{ type: 'not_me', detail: 'sign_in', client: '127.0.0.1' }])
})

test('an unused link signs nobody out and quarantines no key', async () => {
  const email = 'eva@example.com'
  const token = await service.signIn(email)
  const { notMe: button } = await signInMail(service, email)
  const stored = { user: await userOf(service.db, email), keys: (await databaseContent(service.db)).apiKeys }
  await notMe(button)
  assert.equal((await service.call('GET /users/me', { token })).status, 200)
  const { apiKeys: keys } = await databaseContent(service.db)
  assert.deepEqual({ user: await userOf(service.db, email), keys }, stored)
})

test('a button works until the last millisecond of seven days', async () => {
  const early = await signInMail(service, 'early@example.com')
  const late = await signInMail(service, 'late@example.com')
  service.clock.advance(7 * DAY_MS - 1)
  assert.equal((await notMe(early.notMe)).status, 200)
  service.clock.advance(1)
  assertError(await assertNothingHappens(service, () => notMe(late.notMe)), 'LINK_INVALID')
})

test('unknown, expired and other buttons’ tokens, and malformed ones, get identical responses and change nothing', async () => {
  const email = 'fay@example.com'
  await pauseMail(service, email)
  const { link, mail } = await signInMail(service, email)
  const resume = buttonIn(mail, 'resume-mail')
  const bearer = await service.signIn('fred@example.com')
  const garbage = ['A'.repeat(43), '', ' ', '\u0000', '\ud800', "' or 1=1 --", 'x'.repeat(10_000)]
  await assertNothingHappens(service, async () => {
    const answers = []
    for (const token of [link, resume, bearer, ...garbage]) answers.push(await notMe(token))
    for (const answer of answers) assertError(answer, 'LINK_INVALID')
    assert.equal(new Set(answers.map(fingerprintOf)).size, 1)
  })
})

test('a button’s token is not a link, a resume button or a bearer token', async () => {
  const { notMe: token } = await signInMail(service, 'gus@example.com')
  await assertNothingHappens(service, async () => {
    assertError(await verify(service, token), 'LINK_INVALID')
    assertError(await service.call('POST /auth/links/inspect', { body: { token } }), 'LINK_INVALID')
    assertError(await press(service, 'resume-mail', token), 'LINK_INVALID')
    assertError(await service.call('GET /users/me', { token }), 'UNAUTHORIZED')
    const exchanged = { keyId: 'plk_aaaaaaaaaaaaaaaaaaaaaa', keySecret: token }
    assertError(await service.call('POST /auth/api/token', { body: exchanged }), 'INVALID_CREDENTIALS')
  })
  assert.equal((await notMe(token)).status, 200, 'none of these calls used the button')
})

test('GET and HEAD of the page and of the endpoint do nothing', async () => {
  const { notMe: token, link, mail } = await signInMail(service, 'hal@example.com')
  const page = `${service.origin}/not-me`
  await assertNothingHappens(service, async () => {
    for (const method of ['GET', 'HEAD']) {
      for (const address of [`${page}#token=${token}`, `${page}?token=${token}`]) {
        assert.equal((await fetch(address, { method })).status, 200)
      }
      const { status } = await service.call(`${method} /auth/links/not-me?token=${token}`)
      assert.equal(status, 405)
    }
    for (const [address] of mail.message.html?.matchAll(/https?:[^"<\s]+/g) ?? []) {
      await fetch(address, { method: 'HEAD' })
    }
  })
  assert.equal((await verify(service, link)).status, 200)
})

test('a page of another site cannot press the button, even with the correct token', async () => {
  const { notMe: token } = await signInMail(service, 'ian@example.com')
  await assertNothingHappens(service, async () => {
    for (const headers of foreignCalls(service)) {
      assertError(await notMe(token, headers), 'ORIGIN_NOT_ALLOWED')
    }
  })
  for (const headers of ownCalls(service)) assert.equal((await notMe(token, headers)).status, 200)
})

test('wrong types, missing and unknown fields are refused with the name of the field', async () => {
  await assertOnlyObjects(service, ROUTE)
  for (const token of [null, 1, ['x'], { $ne: '' }]) {
    assertError(await notMe(token), 'VALIDATION_FAILED', /^`token` must be a string, not /)
  }
  assertError(await service.call(ROUTE, { body: {} }), 'VALIDATION_FAILED', '`token` is required.')
  const more = await service.call(ROUTE, { body: { token: 'x', email: 'a@example.com' } })
  assertError(more, 'VALIDATION_FAILED', '`email` is not a known field.')
})
