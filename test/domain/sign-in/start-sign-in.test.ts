import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_LIVE_SIGN_INS } from '../../../src/domain/sign-in/start-sign-in.ts'
import { statesOf } from '../../support/accounts/keys.ts'
import { agents, listSessions, revokeSession, signInIdOf } from '../../support/accounts/sessions.ts'
import { recipientsOf, userOf } from '../../support/database/state.ts'
import { mailedToken } from '../../support/mail/links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const DAY_MS = 24 * 3600 * 1000
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

async function signInWith(email: string, agent: string): Promise<string> {
  const token = await mailedToken(service, email)
  const { body } = await service.call(`GET /auth/verify?token=${token}`, { headers: { 'user-agent': agent } })
  return body.token
}

/** Mails to the address that report a sign-in from a new browser. */
async function noticesTo(email: string): Promise<number> {
  await recipientsOf(service)
  const { mails } = service.smtp
  return mails.filter((mail) => mail.to.includes(email) && mail.message.subject === 'New sign-in to your account')
    .length
}

test('a 51st live sign-in ends the least recently seen, and only that one', async () => {
  const email = 'ana@example.com'
  const tokens: string[] = []
  for (let n = 0; n < MAX_LIVE_SIGN_INS; n += 1) {
    tokens.push(await service.signIn(email))
    service.clock.advance(1000)
  }
  await service.call('GET /users/me', { token: tokens[0]! })
  await service.deps.signInUse.flush()
  const newest = await service.signIn(email)
  const ended = tokens[1]!
  assert.deepEqual(await statesOf(service, [tokens[0]!, ended, tokens[2]!]), [email, 'UNAUTHORIZED', email])
  assert.equal((await listSessions(service, newest)).length, MAX_LIVE_SIGN_INS)

  await revokeSession(service, newest, signInIdOf(tokens[2]!))
  await service.signIn(email)
  assert.deepEqual(await statesOf(service, [tokens[3]!]), [email], 'ended ones do not count')
})

test('a browser that is new on the account is told to its owner once; a known one never, and not the first after the claim', async () => {
  const email = 'bob@example.com'
  await signInWith(email, agents['Chrome on Windows'])
  assert.equal(await noticesTo(email), 0)
  await signInWith(email, agents['Firefox on Linux'])
  assert.equal(await noticesTo(email), 1)
  await signInWith(email, agents['Firefox on Linux'])
  await signInWith(email, agents['Chrome on Windows'])
  assert.equal(await noticesTo(email), 1)
  await signInWith(email, 'curl/8.14.1')
  await signInWith(email, 'another-program/1.0')
  assert.equal(await noticesTo(email), 2, 'all programs and unknown browsers count as one browser')
})

test('a browser not seen for 90 days is new again, also if nothing signed in meanwhile', async () => {
  const email = 'cia@example.com'
  await signInWith(email, agents['Chrome on Windows'])
  service.clock.advance(90 * DAY_MS - 60_000)
  await signInWith(email, agents['Chrome on Windows'])
  assert.equal(await noticesTo(email), 0)
  service.clock.advance(91 * DAY_MS)
  await signInWith(email, agents['Chrome on Windows'])
  assert.equal(await noticesTo(email), 1)
})

test('an address that is not proven gets no notice', async () => {
  await service.signUp('dan@example.com')
  const user = await userOf(service.db, 'dan@example.com')
  assert.equal(user.claimed_at_ms, null)
  await signInWith('dan@example.com', agents['Safari on iOS'])
  assert.equal(await noticesTo('dan@example.com'), 0, 'the claim itself')
})
