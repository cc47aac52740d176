/**
 * Sends a request with its token. Retries once with a fresh token after a 401, and after the wait that `Retry-After`
 * asks for. Never follows a redirect.
 */
import { ConnectionError, UnexpectedAnswerError } from './errors.ts'
import { retryAfterSeconds } from './retry-after.ts'
import type { TokenSource } from './token-source.ts'

/** The signature of the standard `fetch` that the client uses. */
export type Fetch = (request: Request) => Promise<Response>

export type RetryLimits = Readonly<{
  /** For one attempt, including its body. */
  timeoutSeconds: number
  /** Total of the `Retry-After` waits of one call. */
  longestWaitSeconds: number
}>

/** `Retry-After: 0` must not become a busy loop. */
const SHORTEST_WAIT_SECONDS = 1

// RFC 9110, section 9.2.2; only those that the API uses.
const idempotentMethods = new Set(['GET', 'DELETE'])

/**
 * Sends a request, with retries. The body is kept as text so that it can be sent again.
 * @throws {ConnectionError} @throws {UnexpectedAnswerError} for a redirect
 * @throws the reason of the request's signal, also during a wait
 */
export async function send(
  fetch: Fetch,
  request: Request,
  tokens: TokenSource,
  { timeoutSeconds, longestWaitSeconds }: RetryLimits,
): Promise<Response> {
  const { signal } = request
  signal.throwIfAborted()
  // Firefox has no `request.body` to test for null.
  const text = await request.text()
  const kept = text === '' ? {} : { body: text }
  let secondsLeft = longestWaitSeconds
  let token = await orAborted(tokens(), signal)
  for (let isRenewed = false; ;) {
    const sent = new Request(request, kept)
    if (token !== undefined) sent.headers.set('authorization', `Bearer ${token}`)
    const response = await attempt(fetch, sent, timeoutSeconds)

    if (response.status === 401 && token !== undefined && !isRenewed) {
      isRenewed = true
      token = await orAborted(tokens(token), signal)
      if (token !== undefined) continue
    }
    const askedSeconds = mayRepeat(request, response.status) ? retryAfterSeconds(response.headers) : null
    if (askedSeconds === null) return response
    const waitSeconds = Math.max(SHORTEST_WAIT_SECONDS, askedSeconds)
    if (waitSeconds > secondsLeft) return response
    secondsLeft -= waitSeconds
    await pause(waitSeconds * 1000, signal)
  }
}

/** Node's `fetch` refers to its request weakly: a garbage collection during the call would end the timeout. */
const inFlight = new Set<Request>()

/**
 * Makes one attempt and reads the whole body, so that a broken connection fails here.
 * @throws {ConnectionError} @throws {UnexpectedAnswerError} for a redirect
 * @throws the reason of the request's signal
 */
export async function attempt(fetch: Fetch, request: Request, timeoutSeconds: number): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
  const sent = new Request(request, { redirect: 'manual', signal: AbortSignal.any([request.signal, timeout]) })
  inFlight.add(sent)
  let response: Response
  let body: ArrayBuffer
  try {
    response = await fetch(sent)
    body = await response.arrayBuffer()
  } catch (cause) {
    request.signal.throwIfAborted()
    const what = timeout.aborted ? `has not answered within ${timeoutSeconds} seconds` : 'could not be reached'
    throw new ConnectionError(`The service ${what}.`, { cause })
  } finally {
    inFlight.delete(sent)
  }
  const { status, headers, type } = response
  // Node returns the redirect, a browser an opaque answer. Following it could send the credentials to another host.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    throw new UnexpectedAnswerError('The service answered with a redirect, which is not followed.', detailsOf(response))
  }
  return new Response(body.byteLength === 0 ? null : body, { status, headers })
}

export function detailsOf({ status, headers }: Response): ConstructorParameters<typeof UnexpectedAnswerError>[1] {
  return { status, requestId: headers.get('x-request-id'), retryAfterSeconds: retryAfterSeconds(headers) }
}

// A 429 changed nothing. A 503 may have, so only idempotent requests are repeated.
function mayRepeat(request: Request, status: number): boolean {
  return status === 429 || (status === 503 && isIdempotent(request))
}

// An exchange changes nothing: it only issues a token.
function isIdempotent({ method, headers, url }: Request): boolean {
  return idempotentMethods.has(method) || headers.has('idempotency-key') || url.endsWith('/auth/api/token')
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const pausing = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await orAborted(pausing, signal).finally(() => clearTimeout(timer))
}

/** Rejects when the signal aborts. The promise itself goes on: other callers may wait for it. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const settled = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { signal: settled.signal })
  })
  return Promise.race([promise, aborted]).finally(() => settled.abort())
}
