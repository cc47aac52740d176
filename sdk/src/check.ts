/**
 * Checks a caller with `GET /auth/check`, for the middlewares. Answers are not cached: a token may be revoked before
 * the next request.
 */
import { checkedBaseUrl } from './base-url.ts'
import { PaylinkAuthError, UnexpectedAnswerError } from './errors.ts'
import type { Currency } from './generated/schemas.ts'
import { attempt, detailsOf } from './sending.ts'
import type { Fetch } from './sending.ts'

export type Caller = Readonly<{
  userId: string
  role: string
  /** Record id of the API key that the token came from; null for a person's token. */
  apiKeyId: string | null
  /** Whether the holder of the account's address has proven it. A service older than this client never says so. */
  claimed: boolean
  /** From `X-Currency`; RON if the caller sent none. */
  currency: Currency
}>

export type CheckOptions = Readonly<{
  /** URL of the service including `/api/v1`: https, or http to loopback. */
  baseUrl: string
  /** Refuses accounts whose address nobody has proven with 403 `EMAIL_NOT_VERIFIED`. Default: false. */
  requireClaimed?: boolean
  /** Timeout of the check; then the caller gets 503. Default: 5. */
  timeoutSeconds?: number
  /** Called for each request that gets 503 because the check failed. */
  onUnavailable?: (error: PaylinkAuthError) => void
  /** Replaces the global `fetch`. */
  fetch?: Fetch
}>

export type Refusal = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: string }>

/** Checks the two header fields of a request. Rejects only if `onUnavailable` throws. */
export type Check = (
  authorization: string | undefined,
  currency: string | undefined,
) => Promise<Readonly<{ caller: Caller; refusal?: never }> | Readonly<{ refusal: Refusal; caller?: never }>>

/** Header fields of a refusal that are passed on to the caller. */
const PASSED_ON = ['content-type', 'www-authenticate', 'cache-control', 'x-request-id']

/** @throws {TypeError} if `baseUrl` is not valid */
export function createCheck(options: CheckOptions): Check {
  const { baseUrl, requireClaimed = false, timeoutSeconds = 5, onUnavailable, fetch } = options
  const url = `${checkedBaseUrl(baseUrl)}/auth/check`
  const send = fetch ?? ((request) => globalThis.fetch(request))

  async function ask(authorization?: string, currency?: string): ReturnType<Check> {
    const headers = new Headers()
    if (authorization !== undefined) headers.set('authorization', authorization)
    if (currency !== undefined) headers.set('x-currency', currency)
    const response = await attempt(send, new Request(url, { headers }), timeoutSeconds)
    if (response.status === 401 || response.status === 400) return { refusal: await passedOn(response) }
    const caller = response.status === 200 ? callerIn(response.headers, requireClaimed) : undefined
    if (caller !== undefined) return requireClaimed && !caller.claimed ? { refusal: unclaimed } : { caller }
    throw new UnexpectedAnswerError(
      `Unexpected answer to GET /auth/check: status ${response.status}.`,
      detailsOf(response),
    )
  }

  return async (authorization, currency) => {
    try {
      return await ask(authorization, currency)
    } catch (error) {
      const known =
        error instanceof PaylinkAuthError ? error : new PaylinkAuthError('GET /auth/check could not be sent.')
      onUnavailable?.(known)
      return { refusal: unavailable(known instanceof UnexpectedAnswerError ? known.retryAfterSeconds : null) }
    }
  }
}

// A 200 without these did not come from the service, or from one that is older than `X-Account-Claimed`.
function callerIn(headers: Headers, requireClaimed: boolean): Caller | undefined {
  const userId = headers.get('x-user-id')
  const role = headers.get('x-user-role')
  const claimed = headers.get('x-account-claimed')
  if (!userId || !role || (requireClaimed && claimed === null)) return undefined
  const currency = (headers.get('x-currency') ?? 'RON') as Currency
  return { userId, role, apiKeyId: headers.get('x-api-key-id'), claimed: claimed === 'true', currency }
}

const unclaimed = refused(403, {
  message: 'Nobody has proven the e-mail address of this account yet. Its holder must sign in by magic link once.',
  code: 'EMAIL_NOT_VERIFIED',
})

async function passedOn(response: Response): Promise<Refusal> {
  const kept = PASSED_ON.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() }
}

function unavailable(retryAfter: number | null): Refusal {
  const error = { message: 'The caller cannot be checked at the moment. Try again shortly.', code: 'UNAVAILABLE' }
  return refused(503, error, { 'retry-after': String(retryAfter ?? 1) })
}

function refused(status: number, error: Readonly<{ message: string; code: string }>, more = {}): Refusal {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...more }
  return { status, headers, body: JSON.stringify({ error }) }
}
