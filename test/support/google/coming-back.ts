/** Coming back from Google with whatever a test likes, and what has to be so when nobody signs in by it. */
import assert from 'node:assert/strict'
import { startFlow } from './google.ts'
import type { CookieJar, GoogleService, Started } from './google.ts'
import type { Answer } from '../service.ts'
import { contentOf, recipientsOf } from '../database/state.ts'

/** Runs `act`, which signs nobody in: no account, identity, event or mail, and so many calls of the token endpoint. */
export async function assertNobodySignsIn<T>(
  service: GoogleService,
  tokenCalls: number,
  act: () => Promise<T>,
): Promise<T> {
  const look = async () => {
    const { spent: _spent, ...stored } = await contentOf(service.db)
    return { sent: await recipientsOf(service), stored }
  }
  const [before, calls] = [await look(), service.issuer.hits.token]
  const result = await act()
  assert.deepEqual(await look(), before)
  assert.equal(service.issuer.hits.token - calls, tokenCalls, 'calls of the token endpoint')
  return result
}

/** Comes back with a query as it stands. */
export async function comeBackWith(
  service: GoogleService,
  jar: CookieJar,
  query: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await service.call(`GET /auth/google/callback?${query}`, { headers: { ...jar.header(), ...headers } })
  jar.take(answer)
  return answer
}

/** From now on the issuer's answers tell of a user of this flow; only the changes are wrong. */
export function vouchFor({ issuer }: GoogleService, { nonce }: Started, changes: Record<string, unknown> = {}): void {
  issuer.idToken = issuer.sign(issuer.claims({ nonce, ...changes }))
}

/** Begins a flow that the issuer vouches for. */
export async function beginVouchedFor(service: GoogleService, redirectTo?: string): Promise<Started> {
  const started = await startFlow(service, redirectTo === undefined ? {} : { redirectTo })
  vouchFor(service, started)
  return started
}
