/**
 * Asks the service about the caller of another service, for the middlewares. Nobody is let in but on its word for
 * this very request: answers are not kept, since a token may be revoked before the next one.
 */
import { checkedBaseUrl } from './base-url.ts'
import type { Currency } from './client.ts'
import { PaylinkAuthError, UnexpectedAnswerError } from './errors.ts'
import { attempt, detailsOf } from './sending.ts'
import type { Fetch } from './sending.ts'

/** Who calls, and in which currency: what the service says about a request. */
export type Caller = Readonly<{
  userId: string
  role: string
  /** The record id of the API key that the token came from; null for a person's sign-in. */
  apiKeyId: string | null
  /** Of `X-Currency`; RON when the caller sent none. */
  currency: Currency
}>

/** What a middleware is made of. */
export type CheckOptions = Readonly<{
  /** Where the service is, up to and with `/api/v1`: https, or http to loopback. */
  baseUrl: string
  /** How long the service may take, in seconds, before the request is refused; 5 when absent. */
  timeoutSeconds?: number
  /** Is told why the service could not be asked, each time that callers are answered 503 for it. */
  onUnavailable?: (error: PaylinkAuthError) => void
  /** In place of the global `fetch`. */
  fetch?: Fetch
}>

/** What a refused caller is answered. */
export type Refusal = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: string }>

/** Asks, by the two header fields of a request that matter. It rejects with nothing but what `onUnavailable` throws. */
export type Check = (
  authorization: string | undefined,
  currency: string | undefined,
) => Promise<Readonly<{ caller: Caller; refusal?: never }> | Readonly<{ refusal: Refusal; caller?: never }>>

/** What of a refusal is passed on. */
const PASSED_ON = ['content-type', 'www-authenticate', 'cache-control', 'x-request-id']

/**
 * Makes the check.
 * @throws {TypeError} when `baseUrl` is not what it must be
 */
export function createCheck({ baseUrl, timeoutSeconds = 5, onUnavailable, fetch }: CheckOptions): Check {
  const url = `${checkedBaseUrl(baseUrl)}/auth/check`
  const send = fetch ?? ((request) => globalThis.fetch(request))

  async function ask(authorization?: string, currency?: string): ReturnType<Check> {
    const headers = new Headers()
    if (authorization !== undefined) headers.set('authorization', authorization)
    if (currency !== undefined) headers.set('x-currency', currency)
    const response = await attempt(send, new Request(url, { headers }), timeoutSeconds)
    if (response.status === 401 || response.status === 400) return { refusal: await passedOn(response) }
    const caller = response.status === 200 ? callerIn(response.headers) : undefined
    if (caller !== undefined) return { caller }
    throw new UnexpectedAnswerError(`The check was answered with status ${response.status}.`, detailsOf(response))
  }

  return async (authorization, currency) => {
    try {
      return await ask(authorization, currency)
    } catch (error) {
      const known = error instanceof PaylinkAuthError ? error : new PaylinkAuthError('The check could not be sent.')
      onUnavailable?.(known)
      return { refusal: unavailable(known instanceof UnexpectedAnswerError ? known.retryAfterSeconds : null) }
    }
  }
}

// A 200 without these came from something else than the service.
function callerIn(headers: Headers): Caller | undefined {
  const userId = headers.get('x-user-id')
  const role = headers.get('x-user-role')
  if (!userId || !role) return undefined
  const currency = (headers.get('x-currency') ?? 'RON') as Currency
  return { userId, role, apiKeyId: headers.get('x-api-key-id'), currency }
}

async function passedOn(response: Response): Promise<Refusal> {
  const kept = PASSED_ON.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() }
}

function unavailable(retryAfter: number | null): Refusal {
  const error = { message: 'The caller cannot be checked at the moment. Try again shortly.', code: 'UNAVAILABLE' }
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'retry-after': String(retryAfter ?? 1),
  }
  return { status: 503, headers, body: JSON.stringify({ error }) }
}
