/** `POST /auth/api/token`: exchanges an API key's id and secret for a one-hour access token. */
import { Type } from 'typebox'
import { KEY_LIFETIME_SECONDS } from '../../domain/sign-in/access-token.ts'
import { noteLimitHit } from '../../domain/events/failure-log.ts'
import { isFromAllowedNetwork, parseRestrictions } from '../../domain/keys/restrictions/restrictions.ts'
import { isKeyId, isKeySecret } from '../../domain/keys/key-secret.ts'
import { statusOf } from '../../domain/keys/key-status.ts'
import type { KeyStatus } from '../../domain/keys/key-status.ts'
import { findKeyForExchange } from '../../domain/keys/key-exchange-store.ts'
import type { ExchangeKey } from '../../domain/keys/key-exchange-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { displayEmailAddress } from '../../lib/email-address.ts'
import { sameHash, sha256 } from '../../lib/hash.ts'
import { clientNetwork } from '../../lib/network.ts'

const Body = Type.Object(
  {
    keyId: Type.String({ description: 'The API key id, `plk_…`.' }),
    keySecret: Type.String({ description: 'The API key secret, `pls_…`.' }),
  },
  {
    additionalProperties: false,
    examples: [{ keyId: 'plk_4fR7sQ0bXy2LkTz9WcNd1e', keySecret: 'pls_…53 characters' }],
  },
)

const Answer = Type.Object(
  {
    token: Type.String(),
    tokenType: Type.Literal('Bearer'),
    expiresInSeconds: Type.Integer(),
    user: Type.Object({ id: Type.String(), email: Type.String(), role: Type.String() }, { title: 'SignedInUser' }),
  },
  {
    description: 'An access token, valid for one hour.',
    examples: [
      {
        token: 'eyJ…',
        tokenType: 'Bearer',
        expiresInSeconds: KEY_LIFETIME_SECONDS,
        user: { id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10', email: 'ana@example.com', role: 'USER' },
      },
    ],
  },
)

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

export const exchangeToken: Endpoint = (app, deps) => {
  const { db, clock, accessTokens, rateLimits, keyUse, dailyUses, failureLog } = deps
  // The last existing key that was found.
  let existingKeyId = ''

  app.post('/auth/api/token', {
    config: {
      access: 'public',
      signIn: 'api_key',
      errors: ['INVALID_CREDENTIALS', 'KEY_AWAITS_OWNER', 'RATE_LIMITED'],
    },
    schema: {
      operationId: 'exchangeToken',
      summary: 'Exchange API key credentials for an access token',
      description:
        'The response is the same for an unknown id, a wrong secret, a revoked key, an expired key, a key of a disabled account and a key used from outside of its networks.',
      tags: ['API keys'],
      body: Body,
      response: { 200: Answer },
    },
    async handler(request, reply) {
      const { keySecret } = request.body
      // A malformed id costs the same reads. It never reaches PostgreSQL, which rejects some text.
      const keyId = isKeyId(request.body.keyId) ? request.body.keyId : DUMMY_KEY_ID
      // The checksum detects a mistyped secret without a read, whatever the id.
      const isWellFormed = isKeySecret(keySecret)
      const key = isWellFormed ? await findKeyForExchange(db, keyId) : undefined
      if (key !== undefined) existingKeyId = keyId
      const nowMs = clock.now()
      const attempt = { hash: sha256(keySecret), ip: request.ip, nowMs }
      const status = checkSecret(key, attempt)
      if (key === undefined || status !== 'ACTIVE') {
        const client = clientNetwork(request.ip)
        const { browser } = request
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
        await rateLimits
          .count(reply, ['exchange-failures-client', client], ['exchange-failures', `${client} ${request.body.keyId}`])
          .catch(noteLimitHit(failureLog, request, who))
        failureLog.note({ type: 'exchange_refused', who, client, browser, detail: status ?? 'WRONG_SECRET' })
        throw new ApiError('INVALID_CREDENTIALS')
      }
      await rateLimits
        .count(reply, ['exchange-key', key.id])
        .catch(noteLimitHit(failureLog, request, { by: 'keyId', value: keyId }))

      keyUse.note(key.id, request.ip, key.last_used_at_ms === null)
      dailyUses.noteExchange(key.id)
      return {
        token: accessTokens.issue({
          userId: key.user_id,
          role: key.role,
          tokenVersion: key.token_version,
          amr: 'api_key',
          apiKeyId: key.id,
          lifetimeSeconds: KEY_LIFETIME_SECONDS,
        }),
        tokenType: 'Bearer' as const,
        expiresInSeconds: KEY_LIFETIME_SECONDS,
        user: { id: key.user_id, email: displayEmailAddress(key.email), role: key.role },
      }
    },
  })
}
