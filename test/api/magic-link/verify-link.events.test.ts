import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { eventsOf, pressNotMe, signInMail } from '../../support/mail/buttons.ts'
import { from } from '../../support/http/limits.ts'
import { mailedToken, verify } from '../../support/mail/links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { databaseContent, userOf } from '../../support/database/state.ts'

const OWNER = '198.51.100.7'
let service: Service

before(async () => {
  service = await startService({ TRUST_PROXY: '127.0.0.1' })
})
after(() => service.close())

/** All events of refused sign-ins, after pending ones are written. */
async function refusals() {
  await service.deps.failureLog.flush()
  return service.db.query
    .selectFrom('security_events')
    .select(['user_id', 'client', 'times', 'by_api_key_id', 'at_ms'])
    .where('type', '=', 'sign_in_refused')
    .orderBy('id')
    .execute()
}

test('a first sign-in records two events and a later one records one, each with method and client', async () => {
  const email = 'ana@example.com'
  const headers = from(OWNER)
  await verify(service, await mailedToken(service, email), { headers })
  const first = [
    { type: 'account_created', detail: null, client: OWNER },
    { type: 'signed_in', detail: 'magic_link', client: OWNER },
  ]
  assert.deepEqual(await eventsOf(service, email), first)
  await verify(service, await mailedToken(service, email), { headers: from('2001:db8:1:2:3:4:5:6') })
  const next = { type: 'signed_in', detail: 'magic_link', client: '2001:db8:1:2::/64' }
  assert.deepEqual(await eventsOf(service, email), [...first, next])
})

test('the sign-in that claims an account records account_claimed', async () => {
  const email = 'bob@example.com'
  await service.signUp(email)
  await service.signIn(email)
  const types = (await eventsOf(service, email)).map(({ type }) => type)
  assert.deepEqual(types, ['account_created', 'account_claimed', 'signed_in'])
})

test('HEAD, a browser’s GET, a bad redirectTo and inspecting a link record no sign-in', async () => {
  const email = 'cia@example.com'
  await service.signIn(email)
  const stored = (await databaseContent(service.db)).events
  const token = await mailedToken(service, email)
  await verify(service, token, { method: 'HEAD' })
  await verify(service, token, { headers: { accept: 'text/html' } })
  assertError(await verify(service, token, { redirectTo: 'https://evil.example' }), 'REDIRECT_NOT_ALLOWED')
  await service.call('POST /auth/links/inspect', { body: { token } })
  assert.deepEqual((await databaseContent(service.db)).events, stored)
})

test('using a link again, too late or after a not-me records an event of its account with count and client', async () => {
  const email = 'dan@example.com'
  const headers = from('192.0.2.9')
  const used = await mailedToken(service, email)
  await verify(service, used)
  for (let n = 0; n < 3; n++) assertError(await verify(service, used, { headers }), 'LINK_INVALID')
  const { id } = await userOf(service.db, email)
  const common = { user_id: id, by_api_key_id: null, at_ms: service.clock.now() }
  const row = (more: object) => ({ ...common, ...more })
  const found = async () => {
    const its = (await refusals()).filter((refusal) => refusal.user_id === id)
    return its.map((refusal) => Object.assign({}, refusal))
  }
  assert.deepEqual(await found(), [row({ client: '192.0.2.9', times: 3 })])

  const expired = await mailedToken(service, email)
  service.clock.advance(600_000)
  assertError(await verify(service, expired, { headers }), 'LINK_INVALID')
  // The attempts are one event or two: a new hour may have begun.
  const timesFrom = async (client: string) =>
    (await found()).filter((refusal) => refusal.client === client).reduce((sum, { times }) => sum + times, 0)
  assert.equal(await timesFrom('192.0.2.9'), 4)

  const voided = await signInMail(service, email)
  await pressNotMe(service, voided.notMe)
  assertError(await verify(service, voided.link, { headers: from('192.0.2.10') }), 'LINK_INVALID')
  assert.deepEqual([await timesFrom('192.0.2.9'), await timesFrom('192.0.2.10')], [4, 1])
})

test('a guessed token and a link of an address without an account record no event', async () => {
  const unused = await signInMail(service, 'nobody@example.com')
  await pressNotMe(service, unused.notMe)
  const earlier = await refusals()
  for (const token of ['x', 'A'.repeat(43), '', unused.link, unused.notMe]) {
    assertError(await verify(service, token), 'LINK_INVALID')
  }
  assert.deepEqual(await refusals(), earlier)
})
