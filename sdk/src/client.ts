/** The client: typed calls of the service's operations, with tokens that take care of themselves. */
import createCore from 'openapi-fetch'
import type { Client as Core, ClientPathsWithMethod, MaybeOptionalInit, MethodResponse } from 'openapi-fetch'
import { answered, unexpected } from './answer.ts'
import { checkedBaseUrl } from './base-url.ts'
import type { paths } from './generated/openapi.ts'
import { publicOperations } from './generated/public-operations.ts'
import { send } from './sending.ts'
import type { Fetch } from './sending.ts'
import { exchangedTokens, fixedToken, isToken, noToken } from './token-source.ts'
import type { Exchanged, TokenSource } from './token-source.ts'

type Typed = Core<paths, 'application/json'>
type Method = 'get' | 'post' | 'patch' | 'delete'

/** A currency of `X-Currency`. */
export type Currency = NonNullable<NonNullable<paths['/users/me']['get']['parameters']['header']>['x-currency']>

/** What a call can be given besides its path: `params` and `body` as the operation declares them. */
export type CallOptions<M extends Method, Path extends ClientPathsWithMethod<Typed, M>> = Pick<
  NonNullable<MaybeOptionalInit<paths[Path], M>>,
  'params' | 'body'
> &
  Readonly<{
    /** Further header fields. */
    headers?: Readonly<Record<string, string>>
    /** Ends the call, its waits included; it then rejects with the signal's reason. */
    signal?: AbortSignal
  }>

/**
 * A call of one operation. It resolves with the answer's `data`, and its `response` for the header fields.
 * @throws {ApiError} the class of the answer's code
 * @throws {UnexpectedAnswerError} when something else than the service answered
 * @throws {ConnectionError} when nothing did
 */
export type Call<M extends Method> = <Path extends ClientPathsWithMethod<Typed, M>>(
  path: Path,
  ...options: undefined extends MaybeOptionalInit<paths[Path], M>
    ? [options?: CallOptions<M, Path>]
    : [options: CallOptions<M, Path>]
) => Promise<{ data: MethodResponse<Typed, M, Path>; response: Response }>

/** Calls of the service. It shows neither key secret nor token, however it is printed. */
export type Client = Readonly<{
  GET: Call<'get'>
  POST: Call<'post'>
  PATCH: Call<'patch'>
  DELETE: Call<'delete'>
  /**
   * An access token, for a call of another service that sits behind this one.
   * @param refused the token that was answered 401 there: another one is fetched
   * @throws as a call does; {TypeError} when there is no (other) token
   */
  token(refused?: string): Promise<string>
}>

/** What a client is made of. */
export type ClientOptions = Readonly<{
  /** Where the service is, up to and with `/api/v1`: https, or http to loopback. */
  baseUrl: string
  /** The currency of all calls (`X-Currency`); a call's own header field comes first. RON when absent. */
  currency?: Currency
  /** How long one attempt may take, in seconds; 30 when absent. */
  timeoutSeconds?: number
  /** How long a call waits at most for what `Retry-After` asks for, in seconds; 30 when absent, 0: never. */
  longestWaitSeconds?: number
  /** In place of the global `fetch`. */
  fetch?: Fetch
}> &
  (ApiKey | PersonToken | Nobody)

type Key = Readonly<{ keyId: string; keySecret: string }>
type ApiKey = Key & Readonly<{ token?: never }>
type PersonToken = Readonly<{ token: string; keyId?: never; keySecret?: never }>
type Nobody = Readonly<{ token?: never; keyId?: never; keySecret?: never }>

/**
 * Makes a client: with `keyId` and `keySecret` for a program, with `token` for a person who signed in, with
 * neither for public operations. Nothing is sent before the first call.
 * @throws {TypeError} when an option is not what it must be; the message never shows its value
 */
export function createClient(options: ClientOptions): Client {
  const { currency, timeoutSeconds = 30, longestWaitSeconds = 30 } = options
  const fetch = options.fetch ?? ((request) => globalThis.fetch(request))
  const core = createCore<paths>({
    baseUrl: checkedBaseUrl(options.baseUrl),
    headers: currency === undefined ? {} : { 'x-currency': currency },
  })
  const tokens = tokensOf(options, exchange)

  function call<M extends Method>(method: M): Call<M> {
    const upper = method.toUpperCase()
    return async (path, ...[given = {}]) => {
      const { params, body, headers, signal } = given as CallOptions<'post', '/payment-links'>
      const needed = publicOperations.has(`${upper} ${path}`) ? noToken : tokens
      const answer = await core.request(method as 'post', path as '/payment-links', {
        ...(params && { params }),
        body,
        ...(headers && { headers }),
        ...(signal && { signal }),
        parseAs: 'text',
        fetch: (request) => send(fetch, request, needed, { timeoutSeconds, longestWaitSeconds }),
      })
      return { data: answered(answer), response: answer.response } as never
    }
  }

  async function exchange(key: Key): Promise<Exchanged> {
    const { data, response } = await client.POST('/auth/api/token', { body: key })
    if (!isToken(data?.token) || !(data.expiresInSeconds > 0)) throw unexpected(response)
    return data
  }

  const client: Client = Object.freeze({
    GET: call('get'),
    POST: call('post'),
    PATCH: call('patch'),
    DELETE: call('delete'),
    async token(refused?: string) {
      const token = await tokens(refused)
      if (token === undefined) throw new TypeError('This client has no API key to get a token by')
      return token
    },
  })
  return client
}

function tokensOf(options: ClientOptions, exchange: (key: Key) => Promise<Exchanged>): TokenSource {
  // What is there and undefined is an environment variable that was forgotten.
  const isGiven = (name: string) => name in options
  if (isGiven('token')) {
    if (isGiven('keyId') || isGiven('keySecret')) throw new TypeError('Give either token, or keyId and keySecret')
    return fixedToken(options.token as string)
  }
  if (!isGiven('keyId') && !isGiven('keySecret')) return noToken
  const { keyId, keySecret } = options
  if (typeof keyId !== 'string' || !keyId.startsWith('plk_')) throw new TypeError('keyId must be an API key id: plk_…')
  if (typeof keySecret !== 'string' || !keySecret.startsWith('pls_'))
    throw new TypeError('keySecret must be an API key secret: pls_…')
  return exchangedTokens(
    () => exchange({ keyId, keySecret }),
    () => performance.now(),
  )
}
