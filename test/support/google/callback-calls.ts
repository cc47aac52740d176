/** Returns from Google with arbitrary parameters, and the state that must hold when none of them signs anyone in. */
import assert from 'node:assert/strict'
import { startFlow } from './google.ts'
import type { CookieJar, GoogleService, Started } from './google.ts'
import type { Answer } from '../service.ts'
import { databaseContent, recipientsOf } from '../database/state.ts'

/** Asserts that `act` stores nothing, sends no mail, and calls the token endpoint exactly `tokenCalls` times. */
export async function assertRefusedSignIn<T>(
  service: GoogleService,
  tokenCalls: number,
  act: () => Promise<T>,
): Promise<T> {
  const look = async () => {
    const { spent: _spent, ...stored } = await databaseContent(service.db)
    return { sent: await recipientsOf(service), stored }
  }
  const [before, calls] = [await look(), service.issuer.hits.token]
  const result = await act()
  assert.deepEqual(await look(), before)
  assert.equal(service.issuer.hits.token - calls, tokenCalls, 'calls of the token endpoint')
  return result
}

/** Calls the callback with this query, unchanged. */
export async function callCallbackWithQuery(
  service: GoogleService,
  jar: CookieJar,
  query: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await service.call(`GET /auth/google/callback?${query}`, { headers: { ...jar.header(), ...headers } })
  jar.take(answer)
  return answer
}

/** From now on the issuer returns valid ID tokens for this flow, except for the given changes. */
export function returnValidIdToken(
  { issuer }: GoogleService,
  { nonce }: Started,
  changes: Record<string, unknown> = {},
): void {
  issuer.idToken = issuer.sign(issuer.claims({ nonce, ...changes }))
}

/** Starts a flow for which the issuer returns a valid ID token. */
export async function startFlowWithValidIdToken(service: GoogleService, redirectTo?: string): Promise<Started> {
  const started = await startFlow(service, redirectTo === undefined ? {} : { redirectTo })
  returnValidIdToken(service, started)
  return started
}
