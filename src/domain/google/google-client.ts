/** Our side of OpenID Connect with Google: discovery, the authorization request, the code's exchange, ID tokens. */
import * as openid from 'openid-client'
import type { Config, GoogleSettings } from '../../config/settings.ts'
import { ApiError } from '../../errors.ts'
import type { BoundedAnswer, BoundedFetch } from '../../lib/bounded-fetch.ts'
import type { Clock } from '../../lib/clock.ts'
import { createRefreshingCache } from '../../lib/refreshing-cache.ts'
import type { Freshness } from '../../lib/refreshing-cache.ts'
import type { Log } from '../../lib/log.ts'
import { isLoopback } from '../../lib/network.ts'
import { createGoogleKeys, siftKeys } from './google-keys.ts'
import { createIdTokenVerifier } from './id-token.ts'
import type { GoogleUser, VerifyIdToken } from './id-token.ts'

const MINUTE_MS = 60_000

/** Google's endpoints change once in years. */
const freshness: Freshness = {
  freshForMs: 60 * MINUTE_MS,
  heldForMs: 24 * 60 * MINUTE_MS,
  cooldownMs: MINUTE_MS,
  failureCooldownMs: 2000,
}

const ERROR_CODE = /^[a-z_]{1,40}$/

/** How long a caller should wait who was refused because Google did not answer, in seconds. */
const RETRY_AFTER_SECONDS = 5

/** By what a sign-in is recognised when the browser comes back (RFC 9700, section 2.1). */
export type FlowSecrets = Readonly<{ state: string; nonce: string; codeVerifier: string }>

/** What the browser brings back, and the network it comes from. */
export type AuthorizationResponse = Readonly<{ code: string; iss?: string | undefined; client: string }>

/** Talks to Google. Each call ends within three seconds; where Google does not answer, or answers nonsense, all throw `GOOGLE_UNAVAILABLE`. */
export type GoogleClient = Readonly<{
  settings: GoogleSettings
  /** Where the browser is sent to sign in. */
  authorizationUrl(flow: FlowSecrets): Promise<URL>
  /**
   * The user that a code stands for.
   * @throws {ApiError} `GOOGLE_CREDENTIAL_INVALID`, `EMAIL_NOT_VERIFIED`
   */
  exchangeCode(response: AuthorizationResponse, flow: FlowSecrets): Promise<GoogleUser>
  /** The user that an ID token tells of. */
  verifyIdToken: VerifyIdToken
}>

type Infrastructure = Readonly<{ clock: Clock; log: Log; fetch: BoundedFetch }>

/** Makes the client of these settings. */
export function createGoogleClient(
  settings: GoogleSettings,
  { baseUrl }: Pick<Config, 'baseUrl'>,
  { clock, log, fetch }: Infrastructure,
): GoogleClient {
  const { clientId, clientSecret, issuer } = settings
  // Never from a header of the request: where a code goes is not the caller's to choose.
  const redirectUri = `${baseUrl}/auth/google/callback`
  const isPlain = issuer.startsWith('http:')
  const metadata = createRefreshingCache(() => orUnavailable('discovery', discover), freshness, clock)
  const keys = createGoogleKeys(async () => {
    const { jwks_uri: address = '' } = await metadata.get()
    return orUnavailable('keys', async () => siftKeys(readAnswer(successIn(await fetch(address)))))
  }, clock)
  const verifyIdToken = createIdTokenVerifier(settings, keys, { clock, log })

  async function discover(): Promise<openid.ServerMetadata> {
    const discovered = await openid.discovery(new URL(issuer), clientId, undefined, undefined, {
      execute: isPlain ? [openid.allowInsecureRequests] : [],
      [openid.customFetch]: async (url) => toResponse(successIn(await fetch(url))),
    })
    const found = discovered.serverMetadata()
    // To the letter (OpenID Connect Discovery 1.0, section 4.3): the library takes a slash more.
    if (found.issuer !== issuer) throw new Error('the metadata is of another issuer')
    const endpoints = [found.authorization_endpoint, found.token_endpoint, found.jwks_uri]
    if (!endpoints.every((endpoint) => isSafeEndpoint(endpoint, isPlain))) {
      throw new Error('the metadata lacks an endpoint, or names one without TLS')
    }
    return found
  }

  async function configuration(tokenFetch?: openid.CustomFetch): Promise<openid.Configuration> {
    const authentication = openid.ClientSecretPost(clientSecret)
    const configured = new openid.Configuration(await metadata.get(), clientId, undefined, authentication)
    if (isPlain) openid.allowInsecureRequests(configured)
    if (tokenFetch !== undefined) configured[openid.customFetch] = tokenFetch
    return configured
  }

  // What Google does wrong, or is asked wrongly for, is told apart here from what is wrong with the code.
  const exchangeFor =
    (client: string): openid.CustomFetch =>
    (url, { method, headers, body }) =>
      orUnavailable('token', async () => {
        const answer = await fetch(url, { method, headers, client, ...(body ? { body } : {}) })
        const { error, ...tokens } = readAnswer(answer)
        const isRefused = answer.status === 400 && error === 'invalid_grant'
        const isComplete = ['access_token', 'token_type', 'id_token'].every((name) => typeof tokens[name] === 'string')
        if (!isRefused && !(answer.status === 200 && isComplete)) {
          // A code of RFC 6749, section 5.2, for example `invalid_client`: it tells the operator what to mend.
          throw new Error(
            `status ${answer.status}, error ${typeof error === 'string' && ERROR_CODE.test(error) ? error : 'none'}`,
          )
        }
        return toResponse(answer)
      })

  async function orUnavailable<T>(step: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const { cause } = error as Error
      log.warn({ err: cause instanceof Error ? cause : error, step }, 'Google could not be used')
      throw new ApiError('GOOGLE_UNAVAILABLE', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } })
    }
  }

  return {
    settings,
    verifyIdToken,

    async authorizationUrl({ state, nonce, codeVerifier }) {
      return openid.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
    },

    async exchangeCode({ code, iss, client }, { state, nonce, codeVerifier }) {
      const configured = await configuration(exchangeFor(client))
      const returned = new URL(redirectUri)
      returned.search = new URLSearchParams({ code, state, ...(iss === undefined ? {} : { iss }) }).toString()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier }
      const { id_token: idToken = '' } = await openid
        .authorizationCodeGrant(configured, returned, checks)
        .catch((error: Error) => {
          if (error.cause instanceof ApiError) throw error.cause
          log.info({ err: error.cause instanceof Error ? error.cause : error }, 'a code of Google was refused')
          throw new ApiError('GOOGLE_CREDENTIAL_INVALID')
        })
      return verifyIdToken(idToken, { nonce })
    },
  }
}

function successIn(answer: BoundedAnswer): BoundedAnswer {
  if (answer.status !== 200) throw new Error(`status ${answer.status}`)
  return answer
}

function readAnswer({ status, text }: BoundedAnswer): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw new Error(`status ${status}, and no JSON`)
  }
}

function toResponse({ status, contentType, text }: BoundedAnswer): Response {
  return new Response(text, { status, headers: { 'content-type': contentType } })
}

function isSafeEndpoint(endpoint: string | undefined, isPlain: boolean): boolean {
  // The library looks at none of the metadata's types.
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return false
  const { protocol, hostname } = new URL(endpoint)
  return protocol === 'https:' || (isPlain && protocol === 'http:' && isLoopback(hostname))
}
