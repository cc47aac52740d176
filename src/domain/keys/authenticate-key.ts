/** Checks the id and the secret of API keys, for the exchange and for OAuth's endpoints. */
import { ApiError } from '../../errors.ts'
import { sameHash, sha256 } from '../../lib/hash.ts'
import { clientNetwork } from '../../lib/network.ts'
import type { DomainDeps } from '../deps.ts'
import { noteLimitHit } from '../events/failure-log.ts'
import type { EventSource } from '../events/security-events.ts'
import { KEY_LIFETIME_SECONDS } from '../sign-in/access-token.ts'
import type { Resource } from '../sign-in/resources.ts'
import { findKeyForExchange } from './key-exchange-store.ts'
import type { ExchangeKey } from './key-exchange-store.ts'
import { isKeyId, isKeySecret } from './key-secret.ts'
import { statusOf } from './key-status.ts'
import type { KeyStatus } from './key-status.ts'
import { isFromAllowedNetwork, parseRestrictions } from './restrictions/restrictions.ts'

export type KeyCredentials = Readonly<{ keyId: string; keySecret: string }>

type Limit = 'exchange-failures' | 'exchange-failures-client' | 'exchange-key'

/** @throws {ApiError} `RATE_LIMITED` */
type Count = (...uses: readonly (readonly [Limit, string])[]) => Promise<void>

/** `source`: the request; `count`: takes from its rate limits. */
export type Attempt = Readonly<{ source: EventSource; count: Count }>

export type KeyAuthenticator = Readonly<{
  /**
   * The key with these credentials.
   * @throws {ApiError} `INVALID_CREDENTIALS`, identical and equally slow for every cause; `KEY_AWAITS_OWNER` for a right
   * secret; `RATE_LIMITED` for failures
   */
  authenticate(credentials: KeyCredentials, attempt: Attempt): Promise<ExchangeKey>
  /**
   * As `authenticate`, and issues a token for an hour.
   * @param resource default: the API
   * @param requireGranted throws if the key does not get the token; the exchange is then not recorded as a use
   */
  exchange(
    credentials: KeyCredentials,
    attempt: Attempt,
    resource?: Resource,
    requireGranted?: (key: ExchangeKey) => void,
  ): Promise<Readonly<{ token: string; key: ExchangeKey }>>
}>

// Stands in for a missing hash in comparisons.
const DUMMY_HASH = sha256('')
// Well-formed, but no key has it: key ids are random.
const DUMMY_KEY_ID = 'plk_0000000000000000000000'

// The key's status if the secret is the key's. Computes everything in every case: the response time must not reveal
// that a key is rotated, revoked or expired, or that its account is disabled.
function checkSecret(
  key: ExchangeKey | undefined,
  { hash, ip, nowMs }: Readonly<{ hash: string; ip: string; nowMs: number }>,
): KeyStatus | 'DISABLED' | 'OUTSIDE_NETWORKS' | undefined {
  const isCurrent = sameHash(hash, key?.secret_hash ?? DUMMY_HASH)
  const isPrevious = sameHash(hash, key?.previous_secret_hash ?? DUMMY_HASH)
  const isInGrace = (key?.previous_secret_until_ms ?? 0) > nowMs
  const isInside = isFromAllowedNetwork(parseRestrictions(key?.effective_restrictions ?? null), ip)
  const status =
    key && (key.disabled_at_ms !== null ? 'DISABLED' : isInside ? statusOf(key, nowMs) : 'OUTSIDE_NETWORKS')
  return isCurrent || (isPrevious && isInGrace) ? status : undefined
}

export function createKeyAuthenticator(deps: DomainDeps): KeyAuthenticator {
  const { db, clock, accessTokens, keyUse, dailyUses, failureLog } = deps
  // The last existing key that was found.
  let existingKeyId = ''

  const authenticate: KeyAuthenticator['authenticate'] = async (credentials, { source, count }) => {
    const { keySecret } = credentials
    // A malformed id costs the same reads. It never reaches PostgreSQL, which rejects some text.
    const keyId = isKeyId(credentials.keyId) ? credentials.keyId : DUMMY_KEY_ID
    // The checksum detects a mistyped secret without a read, whatever the id.
    const isWellFormed = isKeySecret(keySecret)
    const key = isWellFormed ? await findKeyForExchange(db, keyId) : undefined
    if (key !== undefined) existingKeyId = keyId
    const nowMs = clock.now()
    const attempt = { hash: sha256(keySecret), ip: source.ip, nowMs }
    const status = checkSecret(key, attempt)
    if (key !== undefined && status === 'ACTIVE') return key

    const client = clientNetwork(source.ip)
    const { browser } = source
    const who = { by: 'keyId', value: keyId === DUMMY_KEY_ID ? '' : keyId } as const
    if (status === 'AWAITS_OWNER') {
      failureLog.note({ type: 'exchange_refused', who, client, browser, detail: status })
      throw new ApiError('KEY_AWAITS_OWNER')
    }
    // An existing key takes longer to read and compare, which ten thousand attempts would reveal. So every refusal
    // reads one existing and one missing key.
    if (isWellFormed) {
      const other = key === undefined ? existingKeyId : DUMMY_KEY_ID
      checkSecret(await findKeyForExchange(db, other), attempt)
    }
    await count(['exchange-failures-client', client], ['exchange-failures', `${client} ${credentials.keyId}`]).catch(
      noteLimitHit(failureLog, source, who),
    )
    failureLog.note({ type: 'exchange_refused', who, client, browser, detail: status ?? 'WRONG_SECRET' })
    throw new ApiError('INVALID_CREDENTIALS')
  }

  return {
    authenticate,
    async exchange(credentials, attempt, resource, requireGranted) {
      const key = await authenticate(credentials, attempt)
      const who = { by: 'keyId', value: credentials.keyId } as const
      await attempt.count(['exchange-key', key.id]).catch(noteLimitHit(failureLog, attempt.source, who))
      requireGranted?.(key)
      keyUse.note(key.id, attempt.source.ip, key.last_used_at_ms === null)
      dailyUses.noteExchange(key.id)
      const token = accessTokens.issue({
        userId: key.user_id,
        role: key.role,
        tokenVersion: key.token_version,
        amr: 'api_key',
        apiKeyId: key.id,
        lifetimeSeconds: KEY_LIFETIME_SECONDS,
        ...(resource && { resource }),
      })
      return { token, key }
    },
  }
}
