/** API keys as their holders use them: made, exchanged, listed. */
import assert from 'node:assert/strict'
import type { Answer, Service } from '../service.ts'

/** A key and its secret, as creation and signup answer them. */
export type NewKey = Readonly<{
  apiKey: Readonly<{ id: string; name: string; keyId: string }>
  keySecret: string
}>

/** A new key of whoever the token is. */
export async function createKey({ call }: Service, token: string, body: object = {}): Promise<NewKey> {
  const answer = await call('POST /auth/api-keys', { token, body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** Asks for a token with a key's right id and secret. */
export function exchange({ call }: Service, { apiKey, keySecret }: NewKey): Promise<Answer> {
  return call('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } })
}

/** A token of a key that works. */
export async function tokenOf(service: Service, key: NewKey): Promise<string> {
  const answer = await exchange(service, key)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.token
}

/** What each of these tokens gets on a protected endpoint: its user's address, or the error's code. */
export function statesOf({ call }: Service, tokens: readonly string[]): Promise<string[]> {
  return Promise.all(
    tokens.map(async (token) => {
      const { body } = await call('GET /users/me', { token })
      return body.user?.email ?? body.error.code
    }),
  )
}

/** The key with this record id in the list that a token is answered. */
export async function listed({ call }: Service, token: string, id: string): Promise<any> {
  const { body } = await call('GET /auth/api-keys', { token })
  return body.apiKeys.find((key: { id: string }) => key.id === id)
}

/** The whole list that a token is answered. */
export async function listKeys({ call }: Service, token: string): Promise<any[]> {
  const answer = await call('GET /auth/api-keys', { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.apiKeys
}

/** A new secret for a key, by whoever the token is. */
export async function rotateKey(
  { call }: Service,
  token: string,
  { apiKey }: NewKey,
  graceSeconds = 0,
): Promise<NewKey> {
  const answer = await call(`POST /auth/api-keys/${apiKey.id}/rotate`, { token, body: { graceSeconds } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Lets a key work again that waits for the owner. */
export async function keepKey({ call }: Service, token: string, { apiKey }: NewKey): Promise<void> {
  const answer = await call(`POST /auth/api-keys/${apiKey.id}/keep`, { token })
  assert.equal(answer.status, 200, answer.text)
}

/** What each of these keys gets at the exchange: `works`, or the error's code. */
export async function exchangesOf(service: Service, keys: readonly NewKey[]): Promise<string[]> {
  const answers = await Promise.all(keys.map((key) => exchange(service, key)))
  return answers.map(({ status, body }) => (status === 200 ? 'works' : body.error.code))
}

/** An account somebody made with an address and some keys (one, and those of `bodies`), and its owner's token. */
export async function claimed(service: Service, email: string, bodies: readonly object[] = []) {
  const stranger = await service.signUp(email)
  const keys: NewKey[] = [stranger]
  for (const body of bodies) keys.push(await createKey(service, stranger.token, body))
  return { stranger: stranger.token as string, keys, key: stranger as NewKey, owner: await service.signIn(email) }
}
