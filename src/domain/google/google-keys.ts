/** Google's signing keys (RFC 7517): fetched, filtered and cached, so that signature checks rarely call Google. */
import { createLocalJWKSet, errors } from 'jose'
import type { FlattenedJWSInput, JWSHeaderParameters, JSONWebKeySet, JWK } from 'jose'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Clock } from '../../lib/clock.ts'
import { createRefreshingCache } from '../../lib/refreshing-cache.ts'
import type { Freshness } from '../../lib/refreshing-cache.ts'

const MINUTE_MS = 60_000

/** A key that Google withdrew is refused after ten minutes; an unknown one causes at most two fetches a minute. */
const freshness: Freshness = {
  freshForMs: 10 * MINUTE_MS,
  maxAgeOnErrorMs: 24 * 60 * MINUTE_MS,
  cooldownMs: MINUTE_MS / 2,
  failureCooldownMs: 2000,
}

/** Shortest RS256 modulus, in bits (RFC 7518, section 3.3). */
const SHORTEST_MODULUS = 2048
const KEYS_AT_MOST = 20

const isKeySet = Compile(
  Type.Object({ keys: Type.Array(Type.Object({ kty: Type.String() }), { maxItems: KEYS_AT_MOST }) }),
)

export type GoogleKeys = (
  header: JWSHeaderParameters,
  token: FlattenedJWSInput,
) => ReturnType<ReturnType<typeof createLocalJWKSet>>

/** @param fetchKeys calls Google; returns the result of `filterKeys`, or throws */
export function createGoogleKeys(fetchKeys: () => Promise<JSONWebKeySet>, clock: Clock): GoogleKeys {
  const keys = createRefreshingCache(async () => createLocalJWKSet(await fetchKeys()), freshness, clock)

  return async (header, token) => {
    try {
      return await (
        await keys.get()
      )(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      // Google may have a new key, or the token is forged.
      return (await keys.refetch())(header, token)
    }
  }
}

/** @throws when no usable key is left: an invalid answer must not replace good keys */
export function filterKeys(answer: unknown): JSONWebKeySet {
  if (!isKeySet.Check(answer)) throw new Error('the answer is not a key set')
  const keys = (answer.keys as JWK[]).filter(isUsable)
  if (keys.length === 0) throw new Error('the set has no key for RS256')
  // Drops all other properties: the use of the keys is fixed here.
  return { keys: keys.map(({ kid, n, e }) => ({ kty: 'RSA', alg: 'RS256', use: 'sig', kid, n, e }) as JWK) }
}

// With a short modulus, an exponent of 1 or 3, or a published private key, anybody could sign.
function isUsable({ kty, kid, n, e, d, alg = 'RS256', use = 'sig', key_ops: operations = ['verify'] }: JWK): boolean {
  if (kty !== 'RSA' || typeof n !== 'string' || alg !== 'RS256' || use !== 'sig' || d !== undefined) return false
  if (kid !== undefined && typeof kid !== 'string') return false
  if (!Array.isArray(operations) || !operations.includes('verify')) return false
  const modulus = Buffer.from(n, 'base64url')
  return modulus.length * 8 >= SHORTEST_MODULUS && (modulus[0] ?? 0) >= 0x80 && e === 'AQAB'
}
