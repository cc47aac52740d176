import assert from 'node:assert/strict'
import type { Answer, Service } from '../service.ts'

/** A key and its secret, in the form that creation and signup return. */
export type NewKey = Readonly<{
  apiKey: Readonly<{ id: string; name: string; keyId: string }>
  keySecret: string
}>

export async function createKey({ call }: Service, token: string, body: object = {}): Promise<NewKey> {
  const answer = await call('POST /auth/api-keys', { token, body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** Exchanges a key for a token; the caller checks the status. */
export function exchange({ call }: Service, { apiKey, keySecret }: NewKey): Promise<Answer> {
  return call('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } })
}

export async function tokenOf(service: Service, key: NewKey): Promise<string> {
  const answer = await exchange(service, key)
  assert.equal(answer.status, 200, answer.text)
  // At once, so that what the test reads later does not depend on when the first use is written.
  await service.deps.keyUse.flush()
  return answer.body.token
}

/** What each token gets on a protected endpoint: its user's address, or the error code. */
export function statesOf({ call }: Service, tokens: readonly string[]): Promise<string[]> {
  return Promise.all(
    tokens.map(async (token) => {
      const { body } = await call('GET /users/me', { token })
      return body.user?.email ?? body.error.code
    }),
  )
}

/** The entry of this record id in the key list that the token sees. */
export async function listed({ call }: Service, token: string, id: string): Promise<any> {
  const { body } = await call('GET /auth/api-keys', { token })
  return body.apiKeys.find((key: { id: string }) => key.id === id)
}

export async function listKeys({ call }: Service, token: string): Promise<any[]> {
  const answer = await call('GET /auth/api-keys', { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.apiKeys
}

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

/** Changes what a key may do, or its name, and returns it. */
export async function updateKey({ call }: Pick<Service, 'call'>, token: string, { apiKey }: NewKey, body: object) {
  const answer = await call(`PATCH /auth/api-keys/${apiKey.id}`, { token, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.apiKey
}

/** Lets a key that awaits the owner's decision work again. */
export async function keepKey({ call }: Service, token: string, { apiKey }: NewKey): Promise<void> {
  const answer = await call(`POST /auth/api-keys/${apiKey.id}/keep`, { token })
  assert.equal(answer.status, 200, answer.text)
}

/** What each key gets at the exchange: `workloads`, or the error code. */
export async function exchangesOf(service: Service, keys: readonly NewKey[]): Promise<string[]> {
  const answers = await Promise.all(keys.map((key) => exchange(service, key)))
  return answers.map(({ status, body }) => (status === 200 ? 'works' : body.error.code))
}

/** An account that was signed up, then claimed by the owner of its address. It has one key, plus those of `bodies`. */
export async function signUpAndClaim(service: Service, email: string, bodies: readonly object[] = []) {
  const stranger = await service.signUp(email)
  const keys: NewKey[] = [stranger]
  for (const body of bodies) keys.push(await createKey(service, stranger.token, body))
  return { stranger: stranger.token as string, keys, key: stranger as NewKey, owner: await service.signIn(email) }
}
