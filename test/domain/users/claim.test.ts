import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { claimOrCreateAccount } from '../../../src/domain/users/claim.ts'
import type { Deps } from '../../../src/http/deps.ts'
import { ApiError } from '../../../src/errors.ts'
import { assertError } from '../../support/http/answers.ts'
import { runInLockstep } from '../../support/wire/lockstep.ts'
import { mailedToken, verify } from '../../support/mail/links.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Service } from '../../support/service.ts'
import { databaseContent, recipientsOf, userOf } from '../../support/database/state.ts'
import { read } from '../../support/accounts/tokens.ts'
import { withPlanted } from '../../support/database/triggers.ts'

let service: Service

before(async () => {
  service = await startService({ LOG_LEVEL: 'error' })
})
after(() => service.close())

const me = (token: string) => service.call('GET /users/me', { token })
const exchange = (keyId: string, keySecret: string): Promise<Answer> =>
  service.call('POST /auth/api/token', { body: { keyId, keySecret } })
const createKey = async (token: string, name: string) =>
  (await service.call('POST /auth/api-keys', { token, body: { name } })).body
const prove = (email: string, deps: Deps = service.deps) =>
  deps.db.transaction((trx) =>
    claimOrCreateAccount(deps, trx, { email, locale: 'en', source: { ip: '127.0.0.1', browser: null, caller: null } }),
  )

/** Signs up with somebody else's address: a name, three keys (one revoked), and tokens of them. */
async function takeAddress(email: string) {
  const signup = await service.call('POST /auth/api/signup', { body: { email, name: 'Mallory' } })
  assert.equal(signup.status, 201)
  await service.smtp.mailTo(email)
  const { token, apiKey, keySecret } = signup.body
  const second = await createKey(token, 'second')
  const revoked = await createKey(token, 'revoked')
  await service.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token })
  const exchanged = await exchange(second.apiKey.keyId, second.keySecret)
  const tokens: string[] = [token, exchanged.body.token]
  for (const live of tokens) assert.equal((await me(live)).body.user.name, 'Mallory')
  return { tokens, keys: [{ apiKey, keySecret }, second], revoked }
}

describe('when somebody else signed up with the address', () => {
  test('the owner’s first sign-in revokes every token, puts every key on hold and clears the name', async () => {
    const email = 'ana@example.com'
    const thief = await takeAddress(email)
    const { id } = await userOf(service.db, email)
    const { body } = await verify(service, await mailedToken(service, email))
    assert.equal(body.needsOnboarding, true)

    for (const token of thief.tokens) assertError(await me(token), 'UNAUTHORIZED')
    for (const { apiKey, keySecret } of thief.keys) {
      assertError(await exchange(apiKey.keyId, keySecret), 'KEY_AWAITS_OWNER')
      const wrongSecret = thief.keys.find((key) => key.keySecret !== keySecret)!.keySecret
      assertError(await exchange(apiKey.keyId, wrongSecret), 'INVALID_CREDENTIALS')
      assertError(await exchange(apiKey.keyId, ''), 'INVALID_CREDENTIALS')
    }
    const { revoked } = thief
    assertError(await exchange(revoked.apiKey.keyId, revoked.keySecret), 'INVALID_CREDENTIALS')

    const { user } = (await me(body.token)).body
    assert.deepEqual([user.id, user.name, user.needsOnboarding], [id, null, true])
    const { apiKeys } = (await service.call('GET /auth/api-keys', { token: body.token })).body
    const statuses = apiKeys.map((key: { name: string; status: string }) => [key.name, key.status])
    assert.deepEqual(Object.fromEntries(statuses), {
      'API key': 'AWAITS_OWNER',
      second: 'AWAITS_OWNER',
      revoked: 'REVOKED',
    })
    const { token_version, claimed_at_ms } = await userOf(service.db, email)
    assert.deepEqual([token_version, claimed_at_ms], [1, service.clock.now()])
    const mails = (await recipientsOf(service)).filter((recipient) => recipient === email)
    assert.equal(mails.length, 2, 'the notice of the signup and the link')
  })

  test('no other account is touched', async () => {
    const bystander = await takeAddress('bob@example.com')
    const owner = await service.signIn('bea@example.com')
    await takeAddress('cia@example.com')
    await service.signIn('cia@example.com')
    for (const token of [...bystander.tokens, owner]) assert.equal((await me(token)).status, 200)
    for (const { apiKey, keySecret } of bystander.keys) {
      assert.equal((await exchange(apiKey.keyId, keySecret)).status, 200)
    }
  })

  test('a second sign-in claims nothing: the owner’s tokens, keys and name stay', async () => {
    const email = 'dan@example.com'
    await takeAddress(email)
    const token = await service.signIn(email)
    const own = await createKey(token, 'own')
    const kept = await exchange(own.apiKey.keyId, own.keySecret)
    await service.call('PATCH /users/me', { token, body: { name: 'Dan' } })
    const stored = await databaseContent(service.db)

    service.clock.advance(1000)
    const again = await service.signIn(email)
    assert.equal(read(again).claims['tokenVersion'], 1)
    for (const live of [token, again, kept.body.token]) assert.equal((await me(live)).body.user.name, 'Dan')
    assert.equal((await exchange(own.apiKey.keyId, own.keySecret)).status, 200)
    const { users, apiKeys } = await databaseContent(service.db)
    assert.deepEqual({ users, apiKeys }, { users: stored.users, apiKeys: stored.apiKeys })
  })

  test('a request for a link claims nothing, nor does an invalid link', async () => {
    const email = 'eli@example.com'
    const { tokens } = await takeAddress(email)
    const link = await mailedToken(service, email)
    assertError(await verify(service, `${link.slice(0, -1)}-`), 'LINK_INVALID')
    await service.call(`HEAD /auth/verify?token=${link}`)
    for (const token of tokens) assert.equal((await me(token)).status, 200)
    assert.equal((await userOf(service.db, email)).claimed_at_ms, null)
  })
})

describe('concurrently', () => {
  test('20 verifications of five links make one sign-in and one claim', async () => {
    const email = 'fia@example.com'
    await takeAddress(email)
    const links: string[] = []
    while (links.length < 5) links.push(await mailedToken(service, email))
    const answers = await runInLockstep(service, 20, (n) => verify(service, links[n % 5]!))
    const signedIn = answers.filter(({ status }) => status === 200)
    assert.equal(signedIn.length, 1)
    assert.equal(answers.filter(({ body }) => body.error?.code === 'LINK_INVALID').length, 19)
    assert.equal((await userOf(service.db, email)).token_version, 1)
    assert.equal((await me(signedIn[0]!.body.token)).status, 200)
  })

  test('20 proofs of a taken address make one claim', async () => {
    const email = 'gil@example.com'
    await takeAddress(email)
    const proven = await Promise.all(Array.from({ length: 20 }, () => prove(email)))
    const stored = await userOf(service.db, email)
    assert.equal(stored.token_version, 1)
    for (const { user, isNew } of proven) assert.deepEqual([{ ...user }, isNew], [{ ...stored }, false])
  })

  test('20 proofs of a new address make one account, claimed from the start', async () => {
    const email = 'hal@example.com'
    const proven = await Promise.all(Array.from({ length: 20 }, () => prove(email)))
    const stored = await userOf(service.db, email)
    assert.deepEqual([stored.token_version, stored.claimed_at_ms], [0, service.clock.now()])
    for (const { user } of proven) assert.deepEqual({ ...user }, { ...stored })
    assert.equal(proven.filter(({ isNew }) => isNew).length, 1)
  })

  test('keys that the thief creates during the claim await the owner, or are refused', async () => {
    const email = 'ian@example.com'
    const thief = await takeAddress(email)
    const link = await mailedToken(service, email)
    const create = { token: thief.tokens[0]!, body: { name: 'late' } }
    // The first requests have passed the guard when the owner signs in; the last have not.
    const answers = await runInLockstep(service, 16, (n) =>
      n === 8 ? verify(service, link) : service.call('POST /auth/api-keys', create),
    )
    const [signedIn] = answers.splice(8, 1)
    const created = answers
    const made = created.filter(({ status }) => status === 201)
    for (const { body } of made) {
      assertError(await exchange(body.apiKey.keyId, body.keySecret), 'KEY_AWAITS_OWNER')
    }
    for (const answer of created) if (answer.status !== 201) assertError(answer, 'UNAUTHORIZED')
    const token: string = signedIn?.body.token
    const { apiKeys } = (await service.call('GET /auth/api-keys', { token })).body
    assert.equal(apiKeys.length, 3 + made.length)
    assert.ok(apiKeys.every(({ status }: { status: string }) => status !== 'ACTIVE'))
  })
})

test('a claim that fails half-way changes nothing, reveals nothing and leaves the link usable', async () => {
  const email = 'joe@example.com'
  const thief = await takeAddress(email)
  const link = await mailedToken(service, email)
  await recipientsOf(service)
  const stored = await databaseContent(service.db)
  const fault = { on: 'before update', table: 'api_keys', fail: 'a detail of the database' } as const
  const failed = await withPlanted(service.db, [fault], () => verify(service, link))
  assertError(failed, 'INTERNAL', 'Internal error. Report it with the X-Request-Id of this response.')
  assert.equal(failed.headers.get('location'), null)
  assert.deepEqual(await databaseContent(service.db), stored)
  for (const token of thief.tokens) assert.equal((await me(token)).status, 200)
  const cause = service.logLines.find((line) => line.includes(failed.headers.get('x-request-id')!))
  assert.match(cause ?? '', /a detail of the database/)
  assert.equal(service.logLines.join('').includes(link), false)

  const again = await verify(service, link)
  assert.equal(again.status, 200)
  assert.equal((await userOf(service.db, email)).token_version, 1)
  for (const token of thief.tokens) assertError(await me(token), 'UNAUTHORIZED')
  assertError(await verify(service, link), 'LINK_INVALID')
})

test('closed signup creates no account, and does not keep an owner from claiming an existing one', async () => {
  const closed: Deps = { ...service.deps, config: { ...service.deps.config, signup: 'closed' } }
  const refused = prove('kim@example.com', closed)
  await assert.rejects(refused, (error) => error instanceof ApiError && error.code === 'SIGNUP_CLOSED')
  await assert.rejects(userOf(service.db, 'kim@example.com'))

  const { tokens } = await takeAddress('lea@example.com')
  assert.equal((await prove('lea@example.com', closed)).user.token_version, 1)
  for (const token of tokens) assertError(await me(token), 'UNAUTHORIZED')
})
