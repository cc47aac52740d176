import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newMail } from '../../../src/domain/mails/new-mail.ts'
import { assertError, assertUncacheable, fingerprintOf, shapeOf } from '../../support/http/answers.ts'
import { runInLockstep } from '../../support/wire/lockstep.ts'
import { mailedToken, verify } from '../../support/mail/links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent, recipientsOf, userOf } from '../../support/database/state.ts'
import { read } from '../../support/accounts/tokens.ts'

const FRONTEND = 'https://app.example'
const MINUTE_MS = 60_000
let service: Service

before(async () => {
  service = await startService({ APP_URL: FRONTEND })
})
after(() => service.close())

test('verifying a link returns exactly { token, needsOnboarding }, is not cached, and sends no referrer [M9]', async () => {
  const answer = await verify(service, await mailedToken(service, 'ana@example.com'))
  assert.equal(answer.status, 200)
  assert.deepEqual(shapeOf(answer.body), { token: 'string', needsOnboarding: 'boolean' })
  assertUncacheable(answer)
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
  assert.match(answer.headers.get('vary') ?? '', /\bAccept\b/)
})

// No `acr`: sign-in by mail alone reaches no assurance level (docs/security.md).
test('the token lives 7 days, names the sign-in method, and contains no address [M1]', async () => {
  const { body } = await verify(service, await mailedToken(service, 'bob@example.com'))
  const { header, claims } = read(body.token)
  const { id } = await userOf(service.db, 'bob@example.com')
  assert.deepEqual(Object.keys(header).sort(), ['alg', 'kid', 'typ'])
  const { iat, exp, jti, sid, ...rest } = claims
  assert.equal(Number(exp) - Number(iat), 7 * 24 * 3600)
  assert.equal(iat, Math.floor(service.clock.now() / 1000))
  for (const random of [jti, sid]) assert.match(String(random), /^[0-9a-f-]{36}$/)
  assert.notEqual(jti, sid)
  const fixed = { iss: service.origin, sub: id, aud: service.baseUrl, role: 'USER', tokenVersion: 0 }
  assert.deepEqual(rest, { ...fixed, amr: ['magic_link'] })
  assert.doesNotMatch(JSON.stringify(claims), /bob|@/)
})

test('the account is created and proven when the link is used, and later sign-ins use the same account', async () => {
  const email = 'cia@example.com'
  const first = await mailedToken(service, email)
  const stored = await databaseContent(service.db)
  assert.equal(
    stored.users.some((user) => user.email === email),
    false,
  )

  assert.equal((await verify(service, first)).body.needsOnboarding, true)
  const user = await userOf(service.db, email)
  const nowMs = service.clock.now()
  const expected = { id: user.id, email, role: 'USER', name: null, token_version: 0 }
  const times = {
    claimed_at_ms: nowMs,
    created_at_ms: nowMs,
    deleted_at_ms: null,
    disabled_at_ms: null,
    payment_link_count: 0,
  }
  assert.deepEqual({ ...user }, { ...expected, ...times, locale: 'en' })

  service.clock.advance(1000)
  const token = (await verify(service, await mailedToken(service, email))).body.token
  assert.equal(read(token).claims['sub'], user.id)
  assert.deepEqual(await userOf(service.db, email), user)
})

test('of 200 concurrent calls with one link exactly one signs in, and one account is created [M4]', async () => {
  const token = await mailedToken(service, 'dan@example.com')
  const { users } = await databaseContent(service.db)
  const answers = await runInLockstep(service, 200, () => verify(service, token))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers) if (answer.status !== 200) assertError(answer, 'LINK_INVALID')
  const afterwards = await databaseContent(service.db)
  assert.equal(afterwards.users.length, users.length + 1)
})

test('a link works until the last millisecond of its ten minutes [M5]', async () => {
  const early = await mailedToken(service, 'eva@example.com')
  service.clock.advance(10 * MINUTE_MS - 1)
  assert.equal((await verify(service, early)).status, 200)

  const late = await mailedToken(service, 'eve@example.com')
  service.clock.advance(10 * MINUTE_MS)
  assertError(await verify(service, late), 'LINK_INVALID')
  service.clock.advance(-1)
  assert.equal((await verify(service, late)).status, 200, 'the refusal did not consume it')
})

test('using a link voids the other links of its address only', async () => {
  const [one, two, three] = [
    await mailedToken(service, 'fay@example.com'),
    await mailedToken(service, 'fay@example.com'),
    await mailedToken(service, 'fay@example.com'),
  ]
  const other = await mailedToken(service, 'gus@example.com')
  assert.equal((await verify(service, two)).status, 200)
  for (const token of [one, two, three]) assertError(await verify(service, token), 'LINK_INVALID')
  assert.equal((await verify(service, other)).status, 200)
})

test('using a link deletes the queued sign-in mail of its address, and no other mail', async () => {
  const email = 'lea@example.com'
  const mail = newMail(service.deps, { kind: 'sign_in', email, locale: 'en' })
  const later = { ...mail, attempts: 1, due_at_ms: mail.due_at_ms + MINUTE_MS }
  const others = [
    { ...later, id: 'of another', email: 'mia@example.com' },
    { ...later, id: 'of another kind', kind: 'signup_notice' as const },
    { ...later, id: 'requested since', email: 'ned@example.com', attempts: 0 },
  ]
  const tokens = [await mailedToken(service, email), await mailedToken(service, 'ned@example.com')]
  await recipientsOf(service)
  await service.db.query
    .insertInto('queued_mails')
    .values([later, ...others])
    .execute()

  for (const token of tokens) assert.equal((await verify(service, token)).status, 200)
  const waiting = (await databaseContent(service.db)).mails.map(({ id }) => id)
  assert.deepEqual(waiting.toSorted(), others.map(({ id }) => id).toSorted())
  await service.db.query.deleteFrom('queued_mails').execute()
})

test('an unknown, a used and an expired link get identical responses', async () => {
  const used = await mailedToken(service, 'hal@example.com')
  await verify(service, used)
  const expired = await mailedToken(service, 'ian@example.com')
  service.clock.advance(10 * MINUTE_MS)
  const unknown = `${used.slice(0, -1)}${used.endsWith('A') ? 'E' : 'A'}`

  const answers = []
  for (const token of [unknown, used, expired]) answers.push(await verify(service, token))
  for (const answer of answers) assertError(answer, 'LINK_INVALID')
  assert.equal(new Set(answers.map(fingerprintOf)).size, 1)
})

test('any malformed token gets LINK_INVALID, never a 400 or a 500', async () => {
  const garbage = ['', ' ', 'x', '../../etc/passwd', "' or 1=1 --", '\u0000', 'null', '[object Object]']
  garbage.push('🦊'.repeat(50), 'a'.repeat(10_000))
  const queries = ['token=%zz', 'token=%ff%fe', 'token=%', 'token=%ed%a0%80', 'token']
  await assertNothingHappens(service, async () => {
    for (const token of garbage) assertError(await verify(service, token), 'LINK_INVALID')
    for (const query of queries) {
      assertError(await service.call(`GET /auth/verify?${query}`), 'LINK_INVALID')
    }
  })
})

test('a missing or repeated parameter is a 400 that names it, and does not consume the link [CVE-2026-9689]', async () => {
  const token = await mailedToken(service, 'jon@example.com')
  const here = encodeURIComponent(`${FRONTEND}/`)
  const refused = {
    '': '`token` is required.',
    '?redirectTo=': '`token` is required.',
    [`?token[]=${token}`]: '`token` is required.',
    [`?token=${token}&token=${token}`]: '`token` must be given only once.',
    [`?token=x&token=${token}`]: '`token` must be given only once.',
    [`?token=${token}&redirectTo=${here}&redirectTo=${here}`]: '`redirectTo` must be given only once.',
  }
  for (const [query, message] of Object.entries(refused)) {
    assertError(await service.call(`GET /auth/verify${query}`), 'VALIDATION_FAILED', message)
  }
  const tracked = await service.call(`GET /auth/verify?token=${token}&utm_source=mail`)
  assert.equal(tracked.status, 200, 'parameters added by mail programs are ignored')
})

test('a redirectTo outside the frontend is a 400 before the link is consumed; one on the frontend signs in', async () => {
  const token = await mailedToken(service, 'kim@example.com')
  const elsewhere = ['https://evil.example/', '//evil.example', '/\\evil.example', '/x', '']
  for (const redirectTo of [...elsewhere, `${FRONTEND}.evil.example`, `${FRONTEND}@evil.example`]) {
    assertError(await verify(service, token, { redirectTo }), 'REDIRECT_NOT_ALLOWED')
  }
  const longest = `${FRONTEND}/${'a'.repeat(1024 - FRONTEND.length - 1)}`
  const refused = await verify(service, token, { redirectTo: `${longest}a` })
  assertError(refused, 'VALIDATION_FAILED', /^`redirectTo` must have at most 1024 characters\.$/)
  const encoded = await verify(service, token, { redirectTo: `${FRONTEND}/${'ä'.repeat(200)}` })
  assertError(encoded, 'VALIDATION_FAILED', /^`redirectTo` must have at most 1024 characters when percent-encoded/)
  const answer = await verify(service, token, { redirectTo: longest })
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['token', 'needsOnboarding'])
})

test('with signup closed a new address gets no account and keeps its link, and a known address signs in', async (t) => {
  const closed = await startService({ SIGNUP: 'closed' })
  t.after(() => closed.close())
  const token = await mailedToken(closed, 'new@example.com')
  const refused = await assertNothingHappens(closed, () => verify(closed, token))
  assertError(refused, 'SIGNUP_CLOSED')
  const { users, links } = await databaseContent(closed.db)
  assert.deepEqual([users.length, links.length], [0, 1])

  const known = { id: 'known', email: 'known@example.com', role: 'USER', name: 'Ana', token_version: 3 }
  const row = { ...known, claimed_at_ms: closed.clock.now(), created_at_ms: 1 }
  await closed.db.query.insertInto('users').values(row).execute()
  const answer = await verify(closed, await mailedToken(closed, 'known@example.com'))
  assert.equal(answer.body.needsOnboarding, false)
  assert.equal((await closed.call('GET /users/me', { token: answer.body.token })).status, 200)
  assert.deepEqual(await recipientsOf(closed), ['new@example.com', 'known@example.com'])
})
