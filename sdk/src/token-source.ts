/**
 * Returns the token for a call, or undefined if there is none.
 * @param refused a token that got 401; it is not returned again
 */
export type TokenSource = (refused?: string) => Promise<string | undefined>

export type ExchangeAnswer = Readonly<{ token: string; expiresInSeconds: number }>

/** Of an OAuth token endpoint (RFC 6749, section 5.1), as OAuth libraries return it. Without `expires_in`: until it is refused. */
export type OAuthTokens = Readonly<{ access_token: string; expires_in?: number | undefined }>

/** @param refused the token of the last answer, if it got 401: a stored copy of it is of no use any more */
export type GetToken = (refused?: string) => Promise<OAuthTokens>

/** How long before its expiry a token is renewed: a call may take a while to arrive. */
const EARLY_MS = 60_000

/** For public operations and clients without credentials. */
export const noToken: TokenSource = async () => undefined

/** The syntax of RFC 6750, section 2.1. Checked because `fetch` quotes an invalid header value in its error. */
export function isToken(text: unknown): text is string {
  return typeof text === 'string' && /^[\w.~+/-]+=*$/.test(text)
}

/**
 * The token of a person's sign-in, which cannot be renewed.
 * @throws {TypeError} if it is not a bearer token; the message does not contain it
 */
export function fixedToken(token: string): TokenSource {
  if (!isToken(token)) throw new TypeError('token must be an access token')
  return async (refused) => (refused === token ? undefined : token)
}

/**
 * Tokens of an API key, cached until shortly before they expire. Concurrent calls share one exchange; if it fails, all
 * of them fail, and the next call tries again.
 * @param nowMs a monotonic clock; if it stops while the machine sleeps, a 401 renews the token
 */
export function exchangedTokens(
  exchange: (refused?: string) => Promise<ExchangeAnswer>,
  nowMs: () => number,
): TokenSource {
  let kept: Readonly<{ token: string; untilMs: number }> | undefined
  let pending: Promise<string> | undefined

  async function renew(refused?: string): Promise<string> {
    const askedAtMs = nowMs()
    const { token, expiresInSeconds } = await exchange(refused)
    const lifetimeMs = expiresInSeconds * 1000
    kept = { token, untilMs: askedAtMs + lifetimeMs - Math.min(EARLY_MS, lifetimeMs / 10) }
    return token
  }

  return async (refused) => {
    // Of several calls refused with one token, the first drops it; the others get a newer one or wait for it.
    if (kept?.token === refused) kept = undefined
    if (kept !== undefined && nowMs() < kept.untilMs) return kept.token
    pending ??= renew(refused).finally(() => (pending = undefined))
    return pending
  }
}

/**
 * Tokens of an OAuth client, cached and shared as those of an API key. A token that was refused and is given again is
 * not sent again.
 */
export function oauthTokens(getToken: GetToken, nowMs: () => number): TokenSource {
  const tokens = exchangedTokens(async (refused) => {
    const { access_token: token, expires_in: expiresInSeconds = Infinity } = await getToken(refused)
    if (isToken(token) && expiresInSeconds > 0) return { token, expiresInSeconds }
    throw new TypeError('token must resolve with access_token, and expires_in in seconds')
  }, nowMs)
  return async (refused) => {
    const token = await tokens(refused)
    return token === refused ? undefined : token
  }
}
