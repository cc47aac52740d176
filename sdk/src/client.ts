import createCore from 'openapi-fetch'
import type { Client as Core, ClientPathsWithMethod, MaybeOptionalInit, MethodResponse } from 'openapi-fetch'
import { parseAnswer, unexpectedAnswer } from './answer.ts'
import { checkedBaseUrl } from './base-url.ts'
import type { paths } from './generated/openapi.ts'
import { publicOperations } from './generated/public-operations.ts'
import type { Currency } from './generated/schemas.ts'
import { send } from './sending.ts'
import type { Fetch } from './sending.ts'
import { exchangedTokens, fixedToken, isToken, noToken, oauthTokens } from './token-source.ts'
import type { ExchangeAnswer, GetToken, TokenSource } from './token-source.ts'

/** Without the operations that take a form: libraries of OAuth call these. */
type JsonPaths = {
  [Path in keyof paths as paths[Path] extends TakesForm ? never : Path]: paths[Path]
}
type TakesForm = { post: { requestBody: { content: { 'application/x-www-form-urlencoded': unknown } } } }
type Typed = Core<JsonPaths, 'application/json'>
type Method = 'get' | 'post' | 'patch' | 'delete'

/** `params` and `body` are those that the operation declares. */
export type CallOptions<M extends Method, Path extends ClientPathsWithMethod<Typed, M>> = Pick<
  NonNullable<MaybeOptionalInit<JsonPaths[Path], M>>,
  'params' | 'body'
> &
  Readonly<{
    headers?: Readonly<Record<string, string>>
    /** Aborts the call, its waits included; it rejects with the signal's reason. */
    signal?: AbortSignal
  }>

/**
 * Calls one operation. Resolves with the answer's `data`, and with `response` for its header fields.
 * @throws {ApiError} the subclass of the answer's code
 * @throws {UnexpectedAnswerError} if the answer did not come from the service
 * @throws {ConnectionError} if there was no answer
 */
export type Call<M extends Method> = <Path extends ClientPathsWithMethod<Typed, M>>(
  path: Path,
  ...options: undefined extends MaybeOptionalInit<JsonPaths[Path], M>
    ? [options?: CallOptions<M, Path>]
    : [options: CallOptions<M, Path>]
) => Promise<{ data: MethodResponse<Typed, M, Path>; response: Response }>

/** Typed calls of the service. Printing a client shows neither key secret nor token. */
export type Client = Readonly<{
  GET: Call<'get'>
  POST: Call<'post'>
  PATCH: Call<'patch'>
  DELETE: Call<'delete'>
  /**
   * Returns an access token, for calls to a service behind this one.
   * @param refused a token that got 401 there; it is not returned again
   * @throws as a call does; {TypeError} if the client has no (other) token
   */
  token(refused?: string): Promise<string>
}>

export type ClientOptions = Readonly<{
  /** URL of the service including `/api/v1`: https, or http to loopback. */
  baseUrl: string
  /** `X-Currency` of every call; a call's own `x-currency` overrides it. The service's default is RON. */
  currency?: Currency
  /** Timeout of one attempt, including its body. Default: 30. */
  timeoutSeconds?: number
  /** Maximum total of the `Retry-After` waits of one call; 0 disables waiting. Default: 30. */
  longestWaitSeconds?: number
  /** Replaces the global `fetch`. */
  fetch?: Fetch
}> &
  (ApiKey | AccessToken | Nobody)

type Key = Readonly<{ keyId: string; keySecret: string }>
type ApiKey = Key & Readonly<{ token?: never }>
type AccessToken = Readonly<{
  /** A function is called for the first token, shortly before one expires, and after a 401. */
  token: string | GetToken
  keyId?: never
  keySecret?: never
}>
type Nobody = Readonly<{ token?: never; keyId?: never; keySecret?: never }>

/**
 * Creates a client: with `keyId` and `keySecret` for a program, with `token` for a signed-in person, or a function that
 * gets tokens from an OAuth library, without credentials for public operations. Sends nothing before the first call.
 * @throws {TypeError} if an option is not valid; the message never contains its value
 */
export function createClient(options: ClientOptions): Client {
  const { currency, timeoutSeconds = 30, longestWaitSeconds = 30 } = options
  const fetch = options.fetch ?? ((request) => globalThis.fetch(request))
  const core = createCore<JsonPaths>({
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
      return { data: parseAnswer(answer), response: answer.response } as never
    }
  }

  async function exchange(key: Key): Promise<ExchangeAnswer> {
    const { data, response } = await client.POST('/auth/api/token', { body: key })
    if (!isToken(data?.token) || !(data.expiresInSeconds > 0)) throw unexpectedAnswer(response)
    return data
  }

  const client: Client = Object.freeze({
    GET: call('get'),
    POST: call('post'),
    PATCH: call('patch'),
    DELETE: call('delete'),
    async token(refused?: string) {
      const token = await tokens(refused)
      if (token === undefined) throw new TypeError('This client cannot get a (new) token')
      return token
    },
  })
  return client
}

function tokensOf(options: ClientOptions, exchange: (key: Key) => Promise<ExchangeAnswer>): TokenSource {
  // An option that is present but undefined is a missing environment variable: refuse it.
  const isGiven = (name: string) => name in options
  if (isGiven('token')) {
    if (isGiven('keyId') || isGiven('keySecret')) throw new TypeError('Give either token, or keyId and keySecret')
    const { token } = options
    return typeof token === 'function' ? oauthTokens(token, nowMs) : fixedToken(token as string)
  }
  if (!isGiven('keyId') && !isGiven('keySecret')) return noToken
  const { keyId, keySecret } = options
  if (typeof keyId !== 'string' || !keyId.startsWith('plk_')) throw new TypeError('keyId must be an API key id: plk_…')
  if (typeof keySecret !== 'string' || !keySecret.startsWith('pls_'))
    throw new TypeError('keySecret must be an API key secret: pls_…')
  return exchangedTokens(() => exchange({ keyId, keySecret }), nowMs)
}

const nowMs = (): number => performance.now()
