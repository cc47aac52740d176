/**
 * Checks a caller with `GET /auth/check`, for the middlewares. Answers are not cached: a token may be revoked before
 * the next request.
 */
import { checkedBaseUrl } from './base-url.ts'
import { PaylinkAuthError, UnexpectedAnswerError } from './errors.ts'
import type { Currency, Scope } from './generated/schemas.ts'
import { attempt, detailsOf } from './sending.ts'
import type { Fetch } from './sending.ts'

export type Caller = Readonly<{
  userId: string
  role: string
  /** Record id of the API key that the token came from; null for a person's token. */
  apiKeyId: string | null
  /** What the API key may do; null for a person's token. Empty with a service older than `X-Api-Key-Scopes`. */
  scopes: readonly Scope[] | null
  /** Whether the holder of the account's address has proven it. Always false with a service older than `X-Account-Claimed`. */
  claimed: boolean
  /** From `X-Currency`; RON if the caller sent none. */
  currency: Currency
  /** `X-Request-Id`: identifies the check in the service's log. The caller's own if it sent a valid one. */
  requestId: string | null
}>

export type CheckOptions = Readonly<{
  /** URL of the service including `/api/v1`: https, or http to loopback. */
  baseUrl: string
  /** What the routes behind it need of the token of a restricted API key. Without it, such tokens get 403 `INSUFFICIENT_SCOPE`. */
  scope?: Scope
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

export type CheckedRequest = Readonly<{
  authorization: string | undefined
  currency: string | undefined
  /** Names the check in the service's log. */
  requestId: string | undefined
  /** The client's IP address: an API key may be restricted to networks. */
  address: string | undefined
}>

/** Rejects only if `onUnavailable` throws. */
export type Check = (
  request: CheckedRequest,
) => Promise<Readonly<{ caller: Caller; refusal?: never }> | Readonly<{ refusal: Refusal; caller?: never }>>

/** Header fields of a refusal that are passed on to the caller. */
const PASSED_ON = ['content-type', 'www-authenticate', 'cache-control', 'x-request-id']

/** @throws {TypeError} if `baseUrl` is not valid */
export function createCheck(options: CheckOptions): Check {
  const { baseUrl, scope, requireClaimed = false, timeoutSeconds = 5, onUnavailable, fetch } = options
  const query = scope === undefined ? '' : `?${new URLSearchParams({ scope }).toString()}`
  const url = `${checkedBaseUrl(baseUrl)}/auth/check${query}`
  const send = fetch ?? ((request) => globalThis.fetch(request))

  async function ask({ authorization, currency, requestId, address }: CheckedRequest): ReturnType<Check> {
    const headers = new Headers()
    if (authorization !== undefined) headers.set('authorization', authorization)
    if (currency !== undefined) headers.set('x-currency', currency)
    if (requestId !== undefined) headers.set('x-request-id', requestId)
    if (address !== undefined) headers.set('x-forwarded-for', address)
    const response = await attempt(send, new Request(url, { headers }), timeoutSeconds)
    if (isRefusal(response)) return { refusal: await passedOn(response) }
    if (response.status !== 200) {
      const message = `Unexpected answer to GET /auth/check: status ${response.status}.`
      throw new UnexpectedAnswerError(message, detailsOf(response))
    }
    const caller = callerIn(response, requireClaimed)
    return requireClaimed && !caller.claimed ? { refusal: unclaimed(caller.requestId) } : { caller }
  }

  return async (request) => {
    try {
      return await ask(request)
    } catch (error) {
      const known =
        error instanceof PaylinkAuthError ? error : new PaylinkAuthError('GET /auth/check could not be sent.')
      onUnavailable?.(known)
      return { refusal: unavailable(known instanceof UnexpectedAnswerError ? known : undefined) }
    }
  }
}

// A 403 without the challenge is from something between, such as a firewall.
const isRefusal = ({ status, headers }: Response): boolean =>
  status === 401 ||
  status === 400 ||
  (status === 403 && headers.get('www-authenticate')?.includes('error="insufficient_scope"') === true)

const ABSENT_ID = 'check `baseUrl`, or let the proxy pass the field on'
const REQUIRED = { 'X-User-Id': ABSENT_ID, 'X-User-Role': ABSENT_ID }
const REQUIRED_CLAIMED = {
  ...REQUIRED,
  'X-Account-Claimed': 'upgrade paylink-auth, or let the proxy pass the field on',
}

// A 200 without these did not come from the service, or a proxy has dropped them.
function callerIn(response: Response, requireClaimed: boolean): Caller {
  const { headers } = response
  for (const [name, remedy] of Object.entries(requireClaimed ? REQUIRED_CLAIMED : REQUIRED)) {
    if (headers.get(name)) continue
    const message = `The answer to GET /auth/check has no \`${name}\`: ${remedy}.`
    throw new UnexpectedAnswerError(message, detailsOf(response))
  }
  const apiKeyId = headers.get('x-api-key-id')
  const scopes = (headers.get('x-api-key-scopes') ?? '').split(' ').filter((scope) => scope !== '')
  return {
    userId: headers.get('x-user-id') ?? '',
    role: headers.get('x-user-role') ?? '',
    apiKeyId,
    scopes: apiKeyId === null ? null : (scopes as Scope[]),
    claimed: headers.get('x-account-claimed') === 'true',
    currency: (headers.get('x-currency') ?? 'RON') as Currency,
    requestId: headers.get('x-request-id'),
  }
}

function unclaimed(requestId: string | null): Refusal {
  const message =
    'Nobody has proven the e-mail address of this account yet. Its holder must sign in by magic link once.'
  return refused(403, { message, code: 'EMAIL_NOT_VERIFIED' }, requestId)
}

async function passedOn(response: Response): Promise<Refusal> {
  const kept = PASSED_ON.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() }
}

function unavailable(answer: UnexpectedAnswerError | undefined): Refusal {
  const error = { message: 'The caller cannot be checked at the moment. Try again shortly.', code: 'UNAVAILABLE' }
  return refused(503, error, answer?.requestId, { 'retry-after': String(answer?.retryAfterSeconds ?? 1) })
}

function refused(
  status: number,
  error: Readonly<{ message: string; code: string }>,
  requestId: string | null | undefined,
  more = {},
): Refusal {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...(requestId && { 'x-request-id': requestId }),
    ...more,
  }
  return { status, headers, body: JSON.stringify({ error }) }
}
