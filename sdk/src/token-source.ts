/**
 * Returns the token for a call, or undefined if there is none.
 * @param refused a token that got 401; it is not returned again
 */
export type TokenSource = (refused?: string) => Promise<string | undefined>

export type ExchangeAnswer = Readonly<{ token: string; expiresInSeconds: number }>

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
export function exchangedTokens(exchange: () => Promise<ExchangeAnswer>, nowMs: () => number): TokenSource {
  let kept: Readonly<{ token: string; untilMs: number }> | undefined
  let pending: Promise<string> | undefined

  async function renew(): Promise<string> {
    const askedAtMs = nowMs()
    const { token, expiresInSeconds } = await exchange()
    const lifetimeMs = expiresInSeconds * 1000
    kept = { token, untilMs: askedAtMs + lifetimeMs - Math.min(EARLY_MS, lifetimeMs / 10) }
    return token
  }

  return async (refused) => {
    // Of several calls refused with one token, the first drops it; the others get a newer one or wait for it.
    if (kept?.token === refused) kept = undefined
    if (kept !== undefined && nowMs() < kept.untilMs) return kept.token
    pending ??= renew().finally(() => (pending = undefined))
    return pending
  }
}
