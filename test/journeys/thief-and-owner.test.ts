import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { databaseContent, recipientsOf, userOf } from '../support/database/state.ts'

describe('a thief signs up with the address of another person', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const exchange = (key: any) =>
    service.call('POST /auth/api/token', {
      body: { keyId: key.apiKey.keyId, keySecret: key.keySecret },
    })
  const keep = (token: string, key: any) => service.call(`POST /auth/api-keys/${key.apiKey.id}/keep`, { token })

  /** A thief's account with two more keys and a token obtained in each way. */
  async function newThief(email: string) {
    const { call } = service
    const body = { email, name: 'Your bank', keyName: 'Planted' }
    const first = (await call('POST /auth/api/signup', { body })).body
    const fromExchange = (await exchange(first)).body.token
    const second = (await call('POST /auth/api-keys', { token: first.token, body: { name: 'Two' } })).body
    const third = (await call('POST /auth/api-keys', { token: fromExchange, body: { name: 'Three' } })).body
    const fromSecond = (await exchange(second)).body.token
    const tokens: string[] = [first.token, fromExchange, fromSecond]
    for (const token of tokens) assert.equal((await call('GET /users/me', { token })).status, 200)
    return { keys: [first, second, third], tokens }
  }

  test('the owner signs in by link, and every token and key of the thief is dead [GHSA-g38m-r43w-p2q7, M14, P1, P2]', async () => {
    const { call, db } = service
    const email = 'owner@example.com'
    const { keys, tokens } = await newThief(email)
    const notice = await service.smtp.mailTo(email)
    assert.ok(!notice.raw.includes('Your bank'), 'a mail to the owner has no text of the thief')

    const owner = await service.signIn(email)
    const me = (await call('GET /users/me', { token: owner })).body.user
    assert.equal(me.name, null, "the thief's name is gone")
    assert.equal(me.needsOnboarding, true)
    await recipientsOf(service)
    const content = await databaseContent(db)
    for (const token of tokens) {
      assertError(await call('GET /users/me', { token }), 'UNAUTHORIZED')
      assertError(await call('POST /auth/api-keys', { token }), 'UNAUTHORIZED')
      assertError(await call('PATCH /users/me', { token, body: { name: 'Thief' } }), 'UNAUTHORIZED')
      assertError(await call('POST /auth/tokens/revoke', { token }), 'UNAUTHORIZED')
      for (const key of keys) assertError(await keep(token, key), 'UNAUTHORIZED')
    }
    for (const key of keys) {
      assertError(await exchange(key), 'KEY_AWAITS_OWNER')
      assertError(await exchange({ ...key, keySecret: `${key.keySecret}x` }), 'INVALID_CREDENTIALS')
    }
    assert.deepEqual(await databaseContent(db), content, "the thief's attempts had no effect")

    const { apiKeys } = (await call('GET /auth/api-keys', { token: owner })).body
    const statuses = apiKeys.map((key: any) => [key.name, key.status])
    const waiting = ['Three', 'Two', 'Planted'].map((name) => [name, 'AWAITS_OWNER'])
    assert.deepEqual(statuses, waiting)
    assert.deepEqual(await recipientsOf(service), [email, email], 'the notice and the link')
  })

  test('the owner keeps one key: it works again, the others do not, and the thief can keep none [P3]', async () => {
    const { call, db } = service
    const email = 'keeper@example.com'
    const { keys, tokens } = await newThief(email)
    await service.smtp.mailTo(email)
    const [first, second, third] = keys
    const owner = await service.signIn(email)

    const kept = await keep(owner, second)
    assert.equal(kept.status, 200)
    assert.equal(kept.body.apiKey.status, 'ACTIVE')
    const exchanged = await exchange(second)
    assert.equal(exchanged.status, 200)
    const fromKept = exchanged.body.token
    assert.equal((await call('GET /users/me', { token: fromKept })).status, 200)
    for (const token of tokens) assertError(await call('GET /users/me', { token }), 'UNAUTHORIZED')
    for (const key of [first, third]) {
      assertError(await exchange(key), 'KEY_AWAITS_OWNER')
      assertError(await keep(fromKept, key), 'SIGN_IN_REQUIRED')
      assertError(await exchange(key), 'KEY_AWAITS_OWNER')
    }

    const stranger = await service.signIn('stranger@example.com')
    for (const key of keys) assertError(await keep(stranger, key), 'NOT_FOUND')

    // The owner revokes the rest, and the account is complete.
    for (const key of [first, third]) {
      const revoked = await call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, { token: owner })
      assert.equal(revoked.body.apiKey.status, 'REVOKED')
      assertError(await exchange(key), 'INVALID_CREDENTIALS')
      assert.equal((await keep(owner, key)).body.apiKey.status, 'REVOKED', 'keeping revives nothing')
      assertError(await exchange(key), 'INVALID_CREDENTIALS')
    }
    await call('PATCH /users/me', { token: owner, body: { name: 'Owner' } })
    const me = (await call('GET /users/me', { token: owner })).body.user
    assert.equal(me.needsOnboarding, false)

    // A later sign-in does not claim again: tokens and the kept key still work.
    await service.signIn(email)
    assert.equal((await call('GET /users/me', { token: fromKept })).status, 200)
    assert.equal((await userOf(db, email)).token_version, 1)
    assert.equal((await userOf(db, email)).name, 'Owner')
  })

  test('the thief can neither keep the owner out nor take the address again [CVE-2026-44166]', async () => {
    const { call } = service
    const email = 'late@example.com'
    const { tokens } = await newThief(email)
    await service.smtp.mailTo(email)
    for (const token of tokens) await call('POST /auth/tokens/revoke', { token })
    const owner = await service.signIn(email)
    assert.equal((await call('GET /users/me', { token: owner })).status, 200)
    assertError(await call('POST /auth/api/signup', { body: { email } }), 'EMAIL_TAKEN')
    assertError(await call('POST /auth/api/signup', { body: { email: 'LATE@example.com' } }), 'EMAIL_TAKEN')
    assert.equal((await call('GET /users/me', { token: owner })).status, 200)
  })
})
