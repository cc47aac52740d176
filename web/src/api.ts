/** The public API, as these pages use it: the same calls that any program can make. */
import { signInFor, goTo } from './addresses.ts'
import { inLanguage, language } from './language.ts'
import { currentToken, forgetToken } from './session.ts'
import { errorWords } from './api.words.ts'

/** Where the API is. */
export const baseUrl = `${location.origin}/api/v1`
/** How long an answer is waited for, in milliseconds. */
const TIMEOUT_MS = 30_000

/** A call that was refused or did not arrive; its message says what to do. */
export class CallError extends Error {
  /** The service's error code; `UNREACHABLE`: no answer came. */
  readonly code: string
  /** When to try again, in seconds; 0 when the answer did not say. */
  readonly retryAfterSeconds: number

  constructor(code: string, retryAfterSeconds: number, requestId: string | null) {
    const words = inLanguage(errorWords)
    // The code may come out of an address.
    super((Object.hasOwn(words.byCode, code) && words.byCode[code]?.(retryAfterSeconds)) || words.other(requestId))
    this.name = 'CallError'
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What is sent along. */
export type CallOptions = Readonly<{
  body?: Readonly<Record<string, unknown>>
  token?: string
  headers?: Readonly<Record<string, string>>
}>

/**
 * Makes a call.
 * @returns the answer's body, and when the same may be done again, in seconds, by its `RateLimit` field
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
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const init = { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await fetch(baseUrl + path, init).catch(() => undefined)
  const answer: unknown = await response?.json().catch(() => undefined)
  if (response === undefined || answer === undefined) throw new CallError('UNREACHABLE', 0, null)
  if (response.ok) return { ...(answer as T), againAfterSeconds: againAfterSeconds(response) }
  // A proxy in front may answer in a form of its own.
  const { error } = (answer ?? {}) as { error?: { code?: string } }
  throw new CallError(error?.code ?? 'INTERNAL', tryAgainAfterSeconds(response), response.headers.get('x-request-id'))
}

/** When the same may be done again. */
export type Timed = Readonly<{ againAfterSeconds: number }>

/**
 * Makes a call of the signed-in person. Without a token that is accepted, it leaves for the sign-in
 * page, which comes back here.
 * @throws {CallError} for every other refusal
 */
export async function callSignedIn<T>(
  method: Method,
  path: string,
  body?: CallOptions['body'],
  headers: CallOptions['headers'] = {},
): Promise<T & Timed> {
  const token = currentToken()
  if (token === undefined) return goTo(signInFor(location.pathname), 'replace')
  try {
    return await call<T>(method, path, body === undefined ? { token, headers } : { token, headers, body })
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'UNAUTHORIZED') throw error
    forgetToken()
    return goTo(signInFor(location.pathname), 'replace')
  }
}

// RFC 9110, section 10.2.3: seconds, or from a proxy in front also a date.
function tryAgainAfterSeconds({ headers }: Response): number {
  const value = headers.get('retry-after') ?? ''
  const seconds = /^\d*$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Math.max(0, Math.ceil(seconds)) || 0
}

// RateLimit: "request-repeat";r=0;t=30, … (draft-ietf-httpapi-ratelimit-headers): those that are used up count.
function againAfterSeconds({ headers }: Response): number {
  const usedUp = [...(headers.get('ratelimit') ?? '').matchAll(/;r=0;t=(\d+)/g)]
  return Math.max(0, ...usedUp.map(([, seconds]) => Number(seconds)))
}
