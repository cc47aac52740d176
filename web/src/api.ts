/** Calls of the public API. */
import { signInFor, goTo } from './page-paths.ts'
import { inLanguage, language } from './language.ts'
import { currentToken, forgetToken } from './session.ts'
import { errorWords } from './api.words.ts'

export const baseUrl = `${location.origin}/api/v1`
const TIMEOUT_MS = 30_000

/** A call failed; `message` is for the person and says what to do. */
export class CallError extends Error {
  /** The API's error code, or `UNREACHABLE` if there was no answer. */
  readonly code: string
  /** From `Retry-After`; 0 if absent. */
  readonly retryAfterSeconds: number

  constructor(code: string, retryAfterSeconds: number, requestId: string | null) {
    const words = inLanguage(errorWords)
    // The code may come from a URL, so it is untrusted.
    super((Object.hasOwn(words.byCode, code) && words.byCode[code]?.(retryAfterSeconds)) || words.other(requestId))
    this.name = 'CallError'
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type CallOptions = Readonly<{
  body?: Readonly<Record<string, unknown>>
  token?: string
  headers?: Readonly<Record<string, string>>
  /** Cancels the call, which then fails as `UNREACHABLE`. */
  signal?: AbortSignal | undefined
}>

/**
 * Returns the answer's body, and `againAfterSeconds` from its `RateLimit` field.
 * @throws {CallError}
 */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T & Timed> {
  const { body, token } = options
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-language': language,
    ...options.headers,
  }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  const init = { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await fetch(baseUrl + path, init).catch(() => undefined)
  const answer: unknown = await response?.json().catch(() => undefined)
  if (response === undefined || answer === undefined) throw new CallError('UNREACHABLE', 0, null)
  if (response.ok) return { ...(answer as T), againAfterSeconds: againAfterSeconds(response) }
  // A proxy may answer with another error format.
  const { error } = (answer ?? {}) as { error?: { code?: string } }
  throw new CallError(error?.code ?? 'INTERNAL', tryAgainAfterSeconds(response), response.headers.get('x-request-id'))
}

/** Time until the same call is allowed again; 0 if it is already. */
export type Timed = Readonly<{ againAfterSeconds: number }>

/**
 * Calls with the access token. Without a valid token it goes to the sign-in page, which returns here.
 * @throws {CallError} for every error except UNAUTHORIZED
 */
export async function callSignedIn<T>(
  method: Method,
  path: string,
  options: Omit<CallOptions, 'token'> = {},
): Promise<T & Timed> {
  const token = currentToken()
  if (token === undefined) return goTo(signInFor(location.pathname), 'replace')
  try {
    return await call<T>(method, path, { ...options, token })
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'UNAUTHORIZED') throw error
    forgetToken()
    return goTo(signInFor(location.pathname), 'replace')
  }
}

// RFC 9110, section 10.2.3: seconds; a proxy may send a date.
function tryAgainAfterSeconds({ headers }: Response): number {
  const value = headers.get('retry-after') ?? ''
  const seconds = /^\d*$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Math.max(0, Math.ceil(seconds)) || 0
}

// RateLimit: "request-repeat";r=0;t=30, … (draft-ietf-httpapi-ratelimit-headers): the exhausted limits count.
function againAfterSeconds({ headers }: Response): number {
  const usedUp = [...(headers.get('ratelimit') ?? '').matchAll(/;r=0;t=(\d+)/g)]
  return Math.max(0, ...usedUp.map(([, seconds]) => Number(seconds)))
}
