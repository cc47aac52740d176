/** Calls of the public API. */
import { signInFor, goTo } from './page-paths.ts'
import { language } from './language.ts'
import { currentToken, forgetToken, isOtherUsers } from './session.ts'
import { errorWords } from './api.words.ts'
import type { Answer, Parameters, Route } from './operations.ts'

export const baseUrl = `${location.origin}/api/v1`
const TIMEOUT_MS = 30_000

/** A call failed; `message` is for the person and says what to do. */
export class CallError extends Error {
  /** The API's error code; `UNREACHABLE` if there was no answer; `OTHER_USER` if no call was made for another user. */
  readonly code: string
  /** From `Retry-After`; 0 if absent. */
  readonly retryAfterSeconds: number

  constructor(code: string, retryAfterSeconds: number, requestId: string | null) {
    // The code may come from a URL, so it is untrusted.
    super(
      (Object.hasOwn(errorWords.byCode, code) && errorWords.byCode[code]?.(retryAfterSeconds)) ||
        errorWords.other(requestId),
    )
    this.name = 'CallError'
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export type CallOptions<R extends Route> = Parameters<R> &
  Readonly<{
    /** Cancels the call, which then fails as `UNREACHABLE`. */
    signal?: AbortSignal | undefined
    /** Lets the call outlive the page. */
    keepalive?: boolean
  }>

/** Optional for an operation without a required parameter. */
export type OptionsOf<R extends Route, More = unknown> =
  Partial<CallOptions<R>> extends CallOptions<R> ? [options?: CallOptions<R> & More] : [options: CallOptions<R> & More]

export type WithToken = Readonly<{ token?: string | undefined }>

type Values = Readonly<Record<string, unknown>>
type AnyOptions = Readonly<{
  path?: Values
  query?: Values
  header?: Values
  body?: Values
  token?: string | undefined
  signal?: AbortSignal | undefined
  keepalive?: boolean
}>

/**
 * Returns the answer's body, and `againAfterSeconds` from its `RateLimit` field.
 * @throws {CallError}
 */
export function call<R extends Route>(route: R, ...[options]: OptionsOf<R, WithToken>): Promise<Answer<R> & Timed> {
  return send(route, options as AnyOptions) as Promise<Answer<R> & Timed>
}

async function send(route: string, options: AnyOptions = {}): Promise<unknown> {
  const { path = {}, query = {}, header, body, token, keepalive = false } = options
  const [method = '', template = ''] = route.split(' ')
  const search = new URLSearchParams(query as Record<string, string>).toString()
  const url =
    baseUrl +
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name]))) +
    (search && `?${search}`)
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-language': language,
    ...(header as Record<string, string>),
  }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  const init = { method, headers, signal, keepalive, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await fetch(url, init).catch(() => undefined)
  const answer: unknown = await response?.json().catch(() => undefined)
  if (response === undefined || answer === undefined) throw new CallError('UNREACHABLE', 0, null)
  if (response.ok) return { ...(answer as object), againAfterSeconds: againAfterSeconds(response) }
  // A proxy may answer with another error format.
  const { error } = (answer ?? {}) as { error?: { code?: string } }
  throw new CallError(error?.code ?? 'INTERNAL', tryAgainAfterSeconds(response), response.headers.get('x-request-id'))
}

/** Time until the same call is allowed again; 0 if it is already. */
export type Timed = Readonly<{ againAfterSeconds: number }>

/**
 * The token of the user whom the page shows; undefined if nobody is signed in.
 * @throws {CallError} OTHER_USER
 */
export function tokenOfShownUser(): string | undefined {
  const token = currentToken()
  if (token !== undefined && isOtherUsers(token)) throw new CallError('OTHER_USER', 0, null)
  return token
}

/**
 * Calls with the access token. Without a valid token it goes to the sign-in page, which returns here.
 * @throws {CallError} for every error except UNAUTHORIZED; OTHER_USER without a call
 */
export async function callSignedIn<R extends Route>(route: R, ...[options]: OptionsOf<R>): Promise<Answer<R> & Timed> {
  const token = tokenOfShownUser()
  if (token === undefined) return goTo(signInFor(location.pathname), 'replace')
  try {
    return await callAs(token, route, options as CallOptions<R>)
  } catch (error) {
    if (!isSignedOut(error)) throw error
    return goTo(signInFor(location.pathname), 'replace')
  }
}

/**
 * Calls with this token, and forgets it if the service refuses it.
 * @throws {CallError}
 */
export async function callAs<R extends Route>(
  token: string | undefined,
  route: R,
  options: CallOptions<R>,
): Promise<Answer<R> & Timed> {
  try {
    return (await send(route, { ...(options as AnyOptions), token })) as Answer<R> & Timed
  } catch (error) {
    // Another tab may have signed in meanwhile.
    if (isSignedOut(error) && currentToken() === token) forgetToken()
    throw error
  }
}

export const isSignedOut = (error: unknown): boolean => error instanceof CallError && error.code === 'UNAUTHORIZED'

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
