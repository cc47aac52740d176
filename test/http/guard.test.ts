import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { bearerChallenge, fingerprintOf } from '../support/http/answers.ts'
import { startService } from '../support/service.ts'
import type { Answer, Service } from '../support/service.ts'
import { userOf } from '../support/database/state.ts'
import { mint, read, rightParts } from '../support/accounts/tokens.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const me = (token: string) => service.call('GET /users/me', { token })

async function assertLives(token: string, what = 'a token that is good'): Promise<void> {
  assert.equal((await me(token)).status, 200, what)
}

/** Refused exactly like a forged token, so that the reason stays hidden. */
async function assertDead(token: string, what = 'a dead token'): Promise<void> {
  const answer = await me(token)
  assert.equal(fingerprintOf(answer), fingerprintOf(await me('no.real.token')), what)
  assert.equal(answer.status, 401, what)
  assert.equal(answer.headers.get('www-authenticate'), bearerChallenge(service.origin, 'invalid_token'))
  assert.equal(answer.text, '{"error":{"message":"Unauthorized","code":"UNAUTHORIZED"}}')
}

/** A claimed account with a token of a sign-in, and two keys with a token each. */
async function accountWithKeys(email: string) {
  const signedIn = await service.signIn(email)
  const keys = await Promise.all([1, 2].map((number) => keyOf(signedIn, `key ${number}`)))
  const [one, two] = keys as [(typeof keys)[number], (typeof keys)[number]]
  for (const token of [signedIn, one.token, two.token]) await assertLives(token)
  return { signedIn, one, two }
}

async function keyOf(token: string, name: string) {
  const { body } = await service.call('POST /auth/api-keys', { token, body: { name } })
  const exchanged = await exchange(body.apiKey.keyId, body.keySecret)
  assert.equal(exchanged.status, 200)
  return { id: String(body.apiKey.id), token: String(exchanged.body.token) }
}

const exchange = (keyId: string, keySecret: string): Promise<Answer> =>
  service.call('POST /auth/api/token', { body: { keyId, keySecret } })

const changeUser = (email: string, values: { token_version?: number; role?: string }) =>
  service.db.query.updateTable('users').set(values).where('email', '=', email).execute()

const changeKey = (
  id: string,
  values: { awaits_owner_at_ms?: number; expires_at_ms?: number; revoked_at_ms?: number },
) => service.db.query.updateTable('api_keys').set(values).where('id', '=', id).execute()

describe('tokenVersion', () => {
  test('when incremented: every token of the user is refused on the next call [J17, GHSA-qvp4-rpmr-xwrr]', async () => {
    const account = await accountWithKeys('ana@example.com')
    const other = await service.signIn('bob@example.com')
    const revoked = await service.call('POST /auth/tokens/revoke', { token: account.signedIn })
    assert.equal(revoked.status, 200)
    await Promise.all(
      [account.signedIn, account.one.token, account.two.token].flatMap((token) =>
        Array.from({ length: 10 }, () => assertDead(token)),
      ),
    )
    await assertLives(other, 'another account’s')
    await assertLives(await service.signIn('ana@example.com'), 'a new sign-in')
  })

  test('when lower than a token’s: the token is refused too [J17]', async () => {
    await service.signIn('cia@example.com')
    const user = await userOf(service.db, 'cia@example.com')
    const right = rightParts(service.deps.config, user.id, service.clock.now())
    const ofVersion = (tokenVersion: number) => mint({ ...right, claims: { ...right.claims, tokenVersion } })
    await assertLives(ofVersion(0))
    for (const ahead of [1, 2, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      await assertDead(ofVersion(ahead), String(ahead))
    }
    await changeUser('cia@example.com', { token_version: 1 })
    await assertDead(ofVersion(0))
    await assertLives(ofVersion(1))
  })
})

describe('a token’s API key', () => {
  test('when revoked: exactly its tokens get 401 on the next call [K6, GHSA-qvp4-rpmr-xwrr]', async () => {
    const { signedIn, one, two } = await accountWithKeys('dan@example.com')
    const path = `POST /auth/api-keys/${one.id}/revoke`
    assert.equal((await service.call(path, { token: signedIn })).status, 200)
    await Promise.all(Array.from({ length: 10 }, () => assertDead(one.token)))
    await assertLives(two.token, 'the other key’s')
    await assertLives(signedIn, 'the person’s')
  })

  test('when revoked with its own token: that call is the token’s last', async () => {
    const { signedIn, one } = await accountWithKeys('eli@example.com')
    const path = `POST /auth/api-keys/${one.id}/revoke`
    assert.equal((await service.call(path, { token: one.token })).status, 200)
    await assertDead(one.token)
    await assertLives(signedIn)
  })

  test('when created by the signup: its token ends with it as well', async () => {
    const { token, apiKey } = await service.signUp('fia@example.com')
    const second = await keyOf(token, 'second')
    assert.equal((await service.call(`POST /auth/api-keys/${apiKey.id}/revoke`, { token })).status, 200)
    await assertDead(token)
    await assertLives(second.token)
  })

  test('while it waits for the owner: exactly its tokens are refused', async () => {
    const { signedIn, one, two } = await accountWithKeys('gil@example.com')
    await changeKey(one.id, { awaits_owner_at_ms: service.clock.now() })
    await assertDead(one.token)
    await assertLives(two.token)
    await assertLives(signedIn)
  })

  test('when expired: its tokens are refused from that millisecond, though their hour is not over', async () => {
    const { signedIn, one, two } = await accountWithKeys('hal@example.com')
    await changeKey(one.id, { expires_at_ms: service.clock.now() + 1000 })
    service.clock.advance(999)
    await assertLives(one.token, 'a millisecond before')
    service.clock.advance(1)
    await assertDead(one.token)
    await assertLives(two.token)
    await assertLives(signedIn)
  })

  test('when deleted, or of another account: the token is refused', async () => {
    const { one, two } = await accountWithKeys('ian@example.com')
    const other = await accountWithKeys('joe@example.com')
    const { header, claims } = read(one.token)
    const { jwtSecret: secret } = service.deps.config
    const from = (apiKeyId: string) => mint({ header, claims: { ...claims, apiKeyId }, secret })
    await assertLives(from(two.id), 'control: another key of the same user')
    await assertDead(from(other.one.id), 'a key of another user')
    await service.db.query.deleteFrom('api_keys').where('id', '=', one.id).execute()
    await assertDead(one.token, 'a key that is gone')
  })
})

describe('a token’s user', () => {
  test('when deleted: the token is refused [J6]', async () => {
    const token = await service.signIn('kim@example.com')
    await assertLives(token)
    const { status } = await service.call('DELETE /users/me', { token })
    assert.equal(status, 200)
    await assertDead(token)
    await assertLives(await service.signIn('kim@example.com'), 'a new account of the address')
    await assertDead(token)
  })

  test('when the role has changed: the token is refused, and a new one has the new role [GHSA-qvp4-rpmr-xwrr]', async () => {
    const token = await service.signIn('lea@example.com')
    await changeUser('lea@example.com', { role: 'ADMIN' })
    await assertDead(token)
    const promoted = await service.signIn('lea@example.com')
    assert.equal((await me(promoted)).body.user.role, 'ADMIN')
    await changeUser('lea@example.com', { role: 'USER' })
    await assertDead(promoted)
  })
})

test('a token is refused from the second in which it expires [GHSA-qvp4-rpmr-xwrr]', async () => {
  const token = await service.signIn('mia@example.com')
  const { exp } = read(token).claims
  service.clock.advance(Number(exp) * 1000 - service.clock.now() - 1)
  await assertLives(token)
  service.clock.advance(1)
  await assertDead(token)
})
