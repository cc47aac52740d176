import * as openid from 'openid-client'
import type { Config, GoogleSettings } from '../../config/settings.ts'
import { ApiError } from '../../errors.ts'
import type { BoundedAnswer, BoundedFetch } from '../../lib/bounded-fetch.ts'
import type { Clock } from '../../lib/clock.ts'
import { createRefreshingCache } from '../../lib/refreshing-cache.ts'
import type { Freshness } from '../../lib/refreshing-cache.ts'
import type { Log } from '../../lib/log.ts'
import { isLoopback } from '../../lib/network.ts'
import { createGoogleKeys, filterKeys } from './google-keys.ts'
import { createIdTokenVerifier } from './id-token.ts'
import type { GoogleUser, VerifyIdToken } from './id-token.ts'

const MINUTE_MS = 60_000

/** Google's endpoints rarely change. */
const freshness: Freshness = {
  freshForMs: 60 * MINUTE_MS,
  maxAgeOnErrorMs: 24 * 60 * MINUTE_MS,
  cooldownMs: MINUTE_MS,
  failureCooldownMs: 2000,
}

const ERROR_CODE = /^[a-z_]{1,40}$/

/** For answers that fail because Google did not answer. */
const RETRY_AFTER_SECONDS = 5

/** Binds a sign-in to the browser that started it (RFC 9700, section 2.1). */
export type FlowSecrets = Readonly<{ state: string; nonce: string; codeVerifier: string }>

export type AuthorizationResponse = Readonly<{ code: string; iss?: string | undefined; client: string }>

/** Each call ends within three seconds. All throw `GOOGLE_UNAVAILABLE` without a valid answer from Google. */
export type GoogleClient = Readonly<{
  settings: GoogleSettings
  authorizationUrl(flow: FlowSecrets): Promise<URL>
  /** @throws {ApiError} `GOOGLE_CREDENTIAL_INVALID`, `EMAIL_NOT_VERIFIED` */
  exchangeCode(response: AuthorizationResponse, flow: FlowSecrets): Promise<GoogleUser>
  verifyIdToken: VerifyIdToken
}>

type Infrastructure = Readonly<{ clock: Clock; log: Log; fetch: BoundedFetch }>

export function createGoogleClient(
  settings: GoogleSettings,
  { baseUrl }: Pick<Config, 'baseUrl'>,
  { clock, log, fetch }: Infrastructure,
): GoogleClient {
  const { clientId, clientSecret, issuer } = settings
  // Never from a request header: a caller must not choose where codes are sent.
  const redirectUri = `${baseUrl}/auth/google/callback`
  const isPlain = issuer.startsWith('http:')
  const metadata = createRefreshingCache(() => orUnavailable('discovery', discover), freshness, clock)
  const keys = createGoogleKeys(async () => {
    const { jwks_uri: address = '' } = await metadata.get()
    return orUnavailable('keys', async () => filterKeys(readAnswer(successIn(await fetch(address)))))
  }, clock)
  const verifyIdToken = createIdTokenVerifier(settings, keys, { clock, log })

  async function discover(): Promise<openid.ServerMetadata> {
    const discovered = await openid.discovery(new URL(issuer), clientId, undefined, undefined, {
      execute: isPlain ? [openid.allowInsecureRequests] : [],
      [openid.customFetch]: async (url) => toResponse(successIn(await fetch(url))),
    })
    const found = discovered.serverMetadata()
    // Compared exactly (OpenID Connect Discovery 1.0, section 4.3): the library accepts an additional slash.
    if (found.issuer !== issuer) throw new Error('the metadata names another issuer')
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

  // Separates failures of Google and of our configuration from an invalid code.
  const exchangeFor =
    (client: string): openid.CustomFetch =>
    (url, { method, headers, body }) =>
      orUnavailable('token', async () => {
        const answer = await fetch(url, { method, headers, client, ...(body ? { body } : {}) })
        const { error, ...tokens } = readAnswer(answer)
        const isRefused = answer.status === 400 && error === 'invalid_grant'
        const isComplete = ['access_token', 'token_type', 'id_token'].every((name) => typeof tokens[name] === 'string')
        if (!isRefused && !(answer.status === 200 && isComplete)) {
          // A code of RFC 6749, section 5.2, for example `invalid_client`, tells the operator what to fix.
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
          log.info(
            { err: error.cause instanceof Error ? error.cause : error },
            'an authorization code from Google was refused',
          )
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
    throw new Error(`status ${status}, body is not JSON`)
  }
}

function toResponse({ status, contentType, text }: BoundedAnswer): Response {
  return new Response(text, { status, headers: { 'content-type': contentType } })
}

function isSafeEndpoint(endpoint: string | undefined, isPlain: boolean): boolean {
  // The library does not check the types in the metadata.
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return false
  const { protocol, hostname } = new URL(endpoint)
  return protocol === 'https:' || (isPlain && protocol === 'http:' && isLoopback(hostname))
}
