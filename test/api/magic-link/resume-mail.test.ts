import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable, fingerprintOf } from '../../support/http/answers.ts'
import { assertOnlyObjects } from '../../support/http/bodies.ts'
import {
  buttonIn,
  countMailsTo,
  eventsOf,
  pauseMail,
  press,
  pressNotMe,
  signInMail,
} from '../../support/mail/buttons.ts'
import { foreignCalls, ownCalls } from '../../support/http/cross-site.ts'
import { verify } from '../../support/mail/links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent, userOf } from '../../support/database/state.ts'

const ROUTE = 'POST /auth/mail/resume'
const DAY_MS = 24 * 3600 * 1000
let service: Service

before(async () => {
  service = await startService({ APP_URL: 'https://app.example' })
})
after(() => service.close())

const resume = (token: unknown, headers: Record<string, string> = {}) => press(service, 'resume-mail', token, headers)

/** Pauses an address and returns the tokens in its daily mail. */
async function paused(email: string) {
  await pauseMail(service, email)
  const mail = await signInMail(service, email)
  return { ...mail, button: buttonIn(mail.mail, 'resume-mail') }
}

test('mails are sent again without a notice of a pause, and the link beside the button still works', async () => {
  const email = 'ana@example.com'
  const { button, link } = await paused(email)
  const answer = await resume(button)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { ok: true })
  assertUncacheable(answer)
  for (let n = 0; n < 3; n++) {
    const { mail } = await signInMail(service, email)
    assert.doesNotMatch(mail.message.text ?? '', /paused|resume-mail/)
  }
  assert.equal((await verify(service, link)).status, 200)
  assert.equal(await countMailsTo(service, email), 5)
})

test('resuming signs nobody out, changes no key, and is recorded once as an event with the kind and the client', async () => {
  const email = 'bob@example.com'
  const token = await service.signIn(email)
  const { button } = await paused(email)
  const stored = { user: await userOf(service.db, email), keys: (await databaseContent(service.db)).apiKeys }
  for (let n = 0; n < 2; n++) assert.equal((await resume(button)).status, 200)
  const { apiKeys: keys } = await databaseContent(service.db)
  assert.deepEqual({ user: await userOf(service.db, email), keys }, stored)
  assert.equal((await service.call('GET /users/me', { token })).status, 200)
  const events = (await eventsOf(service, email)).filter(({ type }) => type === 'mail_resumed')
  assert.deepEqual(events, [{ type: 'mail_resumed', detail: null, client: '127.0.0.1' }])
})

test('a second press does nothing: a later pause stays', async () => {
  const email = 'cia@example.com'
  const { button } = await paused(email)
  await resume(button)
  await pauseMail(service, email)
  const answer = await assertNothingHappens(service, () => resume(button))
  assert.deepEqual(answer.body, { ok: true })
  assert.equal(
    (await databaseContent(service.db)).pauses.some((pause) => pause.email === email),
    true,
  )
})

test('a new pause can begin after one was lifted, with its first mail at once', async () => {
  const email = 'dan@example.com'
  await resume((await paused(email)).button)
  const { link, button } = await paused(email)
  assert.ok(button)
  assert.equal((await verify(service, link)).status, 200)
})

test('an address without an account gets mail again, and no account is created', async () => {
  const email = 'nobody@example.com'
  const { button } = await paused(email)
  assert.equal((await resume(button)).status, 200)
  const { pauses, users } = await databaseContent(service.db)
  for (const rows of [pauses, users])
    assert.equal(
      rows.some((row) => row.email === email),
      false,
    )
})

test('resuming lifts the pause of one address only', async () => {
  const { button } = await paused('eva@example.com')
  await pauseMail(service, 'eve@example.com')
  await resume(button)
  assert.equal(
    (await databaseContent(service.db)).pauses.some(({ email }) => email === 'eve@example.com'),
    true,
  )
})

test('the not-me button of the same mail works afterwards, and pauses again', async () => {
  const email = 'fay@example.com'
  const { button, notMe } = await paused(email)
  await resume(button)
  await pressNotMe(service, notMe)
  assert.equal(
    (await databaseContent(service.db)).pauses.some((pause) => pause.email === email),
    true,
  )
})

test('the button works until the last millisecond of seven days', async () => {
  const [early, late] = [await paused('early@example.com'), await paused('late@example.com')]
  service.clock.advance(7 * DAY_MS - 1)
  assert.equal((await resume(early.button)).status, 200)
  service.clock.advance(1)
  assertError(await assertNothingHappens(service, () => resume(late.button)), 'LINK_INVALID')
  // The next daily mail has a new button, so nobody is locked out.
  const { mail } = await signInMail(service, 'late@example.com')
  assert.equal((await resume(buttonIn(mail, 'resume-mail'))).status, 200)
})

test('unknown tokens, other kinds of tokens and malformed ones get identical responses and change nothing', async () => {
  const { link, notMe } = await paused('gus@example.com')
  const bearer = await service.signIn('hal@example.com')
  const garbage = ['A'.repeat(43), '', ' ', '\u0000', '\ud800', "' or 1=1 --", 'x'.repeat(10_000)]
  await assertNothingHappens(service, async () => {
    const answers = []
    for (const token of [link, notMe, bearer, ...garbage]) answers.push(await resume(token))
    for (const answer of answers) assertError(answer, 'LINK_INVALID')
    assert.equal(new Set(answers.map(fingerprintOf)).size, 1)
  })
})

test('a resume button’s token is not a link, a not-me button or a bearer token', async () => {
  const { button: token } = await paused('ian@example.com')
  await assertNothingHappens(service, async () => {
    assertError(await verify(service, token), 'LINK_INVALID')
    assertError(await service.call('POST /auth/links/inspect', { body: { token } }), 'LINK_INVALID')
    assertError(await press(service, 'not-me', token), 'LINK_INVALID')
    assertError(await service.call('GET /users/me', { token }), 'UNAUTHORIZED')
  })
  assert.equal((await resume(token)).status, 200, 'none of these calls used the button')
})

test('GET and HEAD of the page and of the endpoint do nothing', async () => {
  const { button } = await paused('jon@example.com')
  await assertNothingHappens(service, async () => {
    for (const method of ['GET', 'HEAD']) {
      const page = await fetch(`${service.origin}/resume-mail#token=${button}`, { method })
      assert.equal(page.status, 200)
      assert.equal((await service.call(`${method} /auth/mail/resume?token=${button}`)).status, 405)
    }
  })
})

test('a page of another site cannot press the button, even with the correct token', async () => {
  const { button } = await paused('kim@example.com')
  await assertNothingHappens(service, async () => {
    for (const headers of foreignCalls(service)) {
      assertError(await resume(button, headers), 'ORIGIN_NOT_ALLOWED')
    }
  })
  for (const headers of ownCalls(service)) assert.equal((await resume(button, headers)).status, 200)
})

test('wrong types, missing and unknown fields are refused with the name of the field', async () => {
  await assertOnlyObjects(service, ROUTE)
  for (const token of [null, 1, ['x'], { $ne: '' }]) {
    assertError(await resume(token), 'VALIDATION_FAILED', /^`token` must be a string, not /)
  }
  assertError(await service.call(ROUTE, { body: {} }), 'VALIDATION_FAILED', '`token` is required.')
  const more = await service.call(ROUTE, { body: { token: 'x', email: 'a@example.com' } })
  assertError(more, 'VALIDATION_FAILED', '`email` is not a known field.')
})
