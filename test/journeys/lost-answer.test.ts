import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { createKey, exchange, listed, listKeys, statesOf, tokenOf } from '../support/accounts/keys.ts'
import { mailedToken } from '../support/mail/links.ts'
import { startLossyProxy } from '../support/wire/lossy-proxy.ts'
import type { LossyProxy } from '../support/wire/lossy-proxy.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { databaseContent, recipientsOf, userOf } from '../support/database/state.ts'

let service: Service
let lossy: LossyProxy

before(async () => {
  service = await startService()
  lossy = await startLossyProxy(service.baseUrl)
})
after(async () => {
  await lossy.close()
  await service.close()
})

const keysOf = async (email: string) => {
  const { id } = await userOf(service.db, email)
  return (await databaseContent(service.db)).apiKeys.filter((key) => key.user_id === id)
}

describe('a revocation whose answer is lost', () => {
  test('of a key kills the key and its tokens, and a retry gets the same answer as the first call [F14, K5]', async () => {
    const token = await service.signIn('ana@example.com')
    const key = await createKey(service, token)
    const ofKey = await tokenOf(service, key)
    const route = `POST /auth/api-keys/${key.apiKey.id}/revoke`
    await lossy.callInVain(route, { token })
    const [stored] = await keysOf('ana@example.com')
    assert.equal(stored?.revoked_at_ms, service.clock.now())
    assert.deepEqual(await statesOf(service, [ofKey, token]), ['UNAUTHORIZED', 'ana@example.com'])
    assertError(await exchange(service, key), 'INVALID_CREDENTIALS')

    service.clock.advance(1000)
    const again = await service.call(route, { token })
    assert.equal(again.status, 200)
    assert.equal(again.body.apiKey.revokedAt, new Date(stored.revoked_at_ms).toISOString())
    assert.deepEqual(await keysOf('ana@example.com'), [stored])
  })

  test('of a key by its own token is confirmed by the 401 of a retry [F14]', async () => {
    const key = await createKey(service, await service.signIn('bob@example.com'))
    const token = await tokenOf(service, key)
    const route = `POST /auth/api-keys/${key.apiKey.id}/revoke`
    await lossy.callInVain(route, { token })
    assertError(await service.call(route, { token }), 'UNAUTHORIZED', 'Unauthorized')
    assertError(await exchange(service, key), 'INVALID_CREDENTIALS')
  })

  test('of every token takes effect once, and a retry gets 401 [F14]', async () => {
    const token = await service.signIn('cia@example.com')
    const other = await service.signIn('cia@example.com')
    await lossy.callInVain('POST /auth/tokens/revoke', { token })
    assert.deepEqual(await statesOf(service, [token, other]), ['UNAUTHORIZED', 'UNAUTHORIZED'])
    assertError(await service.call('POST /auth/tokens/revoke', { token }), 'UNAUTHORIZED')
    assert.equal((await userOf(service.db, 'cia@example.com')).token_version, 1)
  })

  test('of a thief’s credentials by the owner’s first sign-in holds, and the next link signs the owner in [F14]', async () => {
    const thief = await service.signUp('dan@example.com')
    const link = await mailedToken(service, 'dan@example.com')
    await lossy.callInVain(`GET /auth/verify?token=${link}`)
    assert.deepEqual(await statesOf(service, [thief.token]), ['UNAUTHORIZED'])
    assertError(await exchange(service, thief), 'KEY_AWAITS_OWNER')
    assertError(await service.call(`GET /auth/verify?token=${link}`), 'LINK_INVALID')
    const owner = await service.signIn('dan@example.com')
    assert.deepEqual(await statesOf(service, [owner]), ['dan@example.com'])
    assert.equal((await userOf(service.db, 'dan@example.com')).token_version, 1)
  })
})

// Only the hash of a secret is stored, so a repeat cannot get it again. docs/security.md describes the outcome of a retry.
describe('a creation whose answer is lost', () => {
  test('of a key with an Idempotency-Key creates no second key on retry, and rotating the named key gives a secret [F45, K10]', async () => {
    const token = await service.signIn('eli@example.com')
    const create = { token, body: { name: 'Server' }, headers: { 'idempotency-key': 'server-1' } }
    await lossy.callInVain('POST /auth/api-keys', create)
    const again = await service.call('POST /auth/api-keys', create)
    assertError(again, 'ALREADY_CREATED')
    const [route = ''] = /POST \/auth\/api-keys\/[\w-]+\/rotate/.exec(again.body.error.message) ?? []
    const rotated = await service.call(route, { token })
    assert.equal(rotated.status, 200)
    assert.equal((await exchange(service, rotated.body)).status, 200)
    assert.equal((await listKeys(service, token)).length, 1)
  })

  test('of a key creates another key on retry without one, and the first one is listed and can be revoked [F45, K10]', async () => {
    const token = await service.signIn('eva@example.com')
    const create = { token, body: { name: 'Server' } }
    await lossy.callInVain('POST /auth/api-keys', create)
    const [lost] = await listKeys(service, token)
    const made = await service.call('POST /auth/api-keys', create)
    assert.equal(made.status, 201)
    assert.notEqual(made.body.apiKey.id, lost.id)
    assert.deepEqual(
      (await listKeys(service, token)).map(({ name }) => name),
      ['Server', 'Server'],
    )

    assert.equal((await service.call(`POST /auth/api-keys/${lost.id}/revoke`, { token })).status, 200)
    assert.equal((await listed(service, token, lost.id)).status, 'REVOKED')
    assert.equal((await exchange(service, made.body)).status, 200)
  })

  test('of an account gets 409 on retry: one account, one mail, and the owner can sign in [F45]', async () => {
    const email = 'fay@example.com'
    await lossy.callInVain('POST /auth/api/signup', { body: { email } })
    await service.smtp.mailTo(email)
    for (const spelling of [email, 'FAY@example.com']) {
      const again = await service.call('POST /auth/api/signup', { body: { email: spelling } })
      assertError(again, 'EMAIL_TAKEN')
      assert.match(
        again.body.error.message,
        /exists.*answer was lost.*\/auth\/api\/token.*\(POST \/auth\/request\).*create a key/,
      )
    }
    const sameAddress = (await databaseContent(service.db)).users.filter((user) => user.email === email)
    assert.equal(sameAddress.length, 1)
    assert.equal((await keysOf(email)).length, 1)
    assert.equal((await recipientsOf(service)).filter((to) => to === email).length, 1)

    const token = await service.signIn(email)
    const [waiting] = await listKeys(service, token)
    assert.equal(waiting.status, 'AWAITS_OWNER')
    await service.call(`POST /auth/api-keys/${waiting.id}/revoke`, { token })
    assert.equal((await service.call('POST /auth/api-keys', { token })).status, 201)
  })

  test('of an access token returns another token of the same key on retry [F45]', async () => {
    const key = await service.signUp('gus@example.com')
    const body = { keyId: key.apiKey.keyId, keySecret: key.keySecret }
    await lossy.callInVain('POST /auth/api/token', { body })
    assert.deepEqual(await statesOf(service, [await tokenOf(service, key)]), ['gus@example.com'])
    assert.equal((await keysOf('gus@example.com')).length, 1)
  })
})
