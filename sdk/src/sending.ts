/**
 * Sends a request with its token: once more with a fresh one after a 401, again after the wait that `Retry-After`
 * asks for, never along a redirect, and never for longer than it may take.
 */
import { ConnectionError, UnexpectedAnswerError } from './errors.ts'
import { retryAfterSeconds } from './retry-after.ts'
import type { TokenSource } from './token-source.ts'

/** The standard function, as far as it is used. */
export type Fetch = (request: Request) => Promise<Response>

/** How long things may take. */
export type Patience = Readonly<{
  /** One attempt, up to the end of its answer. */
  timeoutSeconds: number
  /** All waits of one call together that `Retry-After` asks for. */
  longestWaitSeconds: number
}>

/** `Retry-After: 0` must not become a busy loop. */
const SHORTEST_WAIT_SECONDS = 1

// RFC 9110, section 9.2.2, as far as the interface has them.
const idempotentMethods = new Set(['GET', 'DELETE'])

/**
 * Sends a request until there is an answer to give; its body is kept as text, so that it can be sent again.
 * @throws {ConnectionError} @throws {UnexpectedAnswerError} for a redirect
 * @throws the reason of the request's signal, also while it waits
 */
export async function send(
  fetch: Fetch,
  request: Request,
  tokens: TokenSource,
  { timeoutSeconds, longestWaitSeconds }: Patience,
): Promise<Response> {
  const { signal } = request
  signal.throwIfAborted()
  // Not asked of `request.body`, which Firefox does not have.
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

/**
 * One attempt; its answer is read to the end, so that what breaks later breaks here.
 * @throws {ConnectionError} @throws {UnexpectedAnswerError} for a redirect
 * @throws the reason of the request's signal
 */
export async function attempt(fetch: Fetch, request: Request, timeoutSeconds: number): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
  let response: Response
  let body: ArrayBuffer
  try {
    const signal = AbortSignal.any([request.signal, timeout])
    response = await fetch(new Request(request, { redirect: 'manual', signal }))
    body = await response.arrayBuffer()
  } catch (cause) {
    request.signal.throwIfAborted()
    const what = timeout.aborted ? `has not answered within ${timeoutSeconds} seconds` : 'could not be reached'
    throw new ConnectionError(`The service ${what}.`, { cause })
  }
  const { status, headers, type } = response
  // Node shows the redirect, browsers hide it. Where it leads may be anybody's, and could be given the credentials.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    throw new UnexpectedAnswerError('The service answered with a redirect, which is not followed.', detailsOf(response))
  }
  return new Response(body.byteLength === 0 ? null : body, { status, headers })
}

/** What errors tell of an answer. */
export function detailsOf({ status, headers }: Response): ConstructorParameters<typeof UnexpectedAnswerError>[1] {
  return { status, requestId: headers.get('x-request-id'), retryAfterSeconds: retryAfterSeconds(headers) }
}

// A 429 did nothing. What a 503 did is unknown, so what would be done twice is not repeated.
function mayRepeat(request: Request, status: number): boolean {
  return status === 429 || (status === 503 && isIdempotent(request))
}

// An exchange leaves nothing behind but a token.
function isIdempotent({ method, headers, url }: Request): boolean {
  return idempotentMethods.has(method) || headers.has('idempotency-key') || url.endsWith('/auth/api/token')
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const pausing = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await orAborted(pausing, signal).finally(() => clearTimeout(timer))
}

/** What somebody waits for together with others goes on when one of them gives up. */
function orAborted<T>(waited: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    const giveUp = (): void => reject(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { signal: over.signal })
  })
  return Promise.race([waited, aborted]).finally(() => over.abort())
}
