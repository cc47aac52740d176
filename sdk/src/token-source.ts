/** Access tokens for calls: where they come from, how long one is used, and that many calls cause one exchange. */

/**
 * Gives the token of a call; undefined: there is none.
 * @param refused a token that was answered 401, which is not given again
 */
export type TokenSource = (refused?: string) => Promise<string | undefined>

/** The part of an exchange's answer that matters here. */
export type Exchanged = Readonly<{ token: string; expiresInSeconds: number }>

/** How long before its end a token is not used any more: a call may be on its way for a while. */
const EARLY_MS = 60_000

/** No token: public operations, and clients without credentials. */
export const noToken: TokenSource = async () => undefined

/** Whether it is a bearer token (RFC 6750, section 2.1). `fetch` shows a header field that it refuses in its error. */
export function isToken(text: unknown): text is string {
  return typeof text === 'string' && /^[\w.~+/-]+=*$/.test(text)
}

/**
 * One token that cannot be renewed: what a person got by signing in.
 * @throws {TypeError} when it is none; the message does not show it
 */
export function fixedToken(token: string): TokenSource {
  if (!isToken(token)) throw new TypeError('token must be an access token')
  return async (refused) => (refused === token ? undefined : token)
}

/**
 * Tokens of an API key, kept until shortly before they expire. However many calls wait, one exchange is under way;
 * when it fails, it fails them all, and the next call tries anew.
 * @param nowMs a clock that only goes forward; where it stops while a machine sleeps, a 401 renews the token
 */
export function exchangedTokens(exchange: () => Promise<Exchanged>, nowMs: () => number): TokenSource {
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
    // Of many calls refused with one token, the first forgets it; the others find a newer one or wait for it.
    if (kept?.token === refused) kept = undefined
    if (kept !== undefined && nowMs() < kept.untilMs) return kept.token
    pending ??= renew().finally(() => (pending = undefined))
    return pending
  }
}
