/** `POST /auth/api/token`: an API key's id and secret for a one-hour access token. */
import { Type } from 'typebox'
import { KEY_LIFETIME_SECONDS } from '../../domain/sign-in/access-token.ts'
import { noteLimitHit } from '../../domain/events/failure-log.ts'
import { isKeyId, isKeySecret } from '../../domain/keys/key-secret.ts'
import { statusOf } from '../../domain/keys/key-status.ts'
import type { KeyStatus } from '../../domain/keys/key-status.ts'
import { findKeyForExchange } from '../../domain/keys/key-store.ts'
import type { ExchangeKey } from '../../domain/keys/key-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
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
    user: Type.Object({ id: Type.String(), email: Type.String(), role: Type.String() }),
  },
  {
    description: 'An access token for one hour.',
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

// Compared with where there is no secret to compare with.
const HASH_OF_NO_SECRET = sha256('')
// Of the right form, and no key's: ours come from a random source.
const NO_KEY_ID = 'plk_0000000000000000000000'

// What the key is good for, where the secret is its own. Everything is worked out in any case: how
// long it takes must not tell that a key was rotated, revoked or has expired, or its account is disabled.
function examine(key: ExchangeKey | undefined, hash: string, nowMs: number): KeyStatus | 'DISABLED' | undefined {
  const isCurrent = sameHash(hash, key?.secret_hash ?? HASH_OF_NO_SECRET)
  const isPrevious = sameHash(hash, key?.previous_secret_hash ?? HASH_OF_NO_SECRET)
  const isInGrace = (key?.previous_secret_until_ms ?? 0) > nowMs
  const status = key && (key.disabled_at_ms === null ? statusOf(key, nowMs) : 'DISABLED')
  return isCurrent || (isPrevious && isInGrace) ? status : undefined
}

/** Adds the endpoint. */
export const exchangeToken: Endpoint = (app, deps) => {
  const { db, clock, accessTokens, rateLimits, keyUse, failureLog } = deps
  // Changes as keys are found: any one that is there.
  let someKeyId = ''

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
        'An unknown id, a wrong secret, a revoked and an expired key, and a key of a disabled account are answered alike.',
      tags: ['API keys'],
      body: Body,
      response: { 200: Answer },
    },
    async handler(request, reply) {
      const { keySecret } = request.body
      // What is no id of ours costs the same reads; as it is, PostgreSQL would fail at some of it.
      const keyId = isKeyId(request.body.keyId) ? request.body.keyId : NO_KEY_ID
      // A typing error does not cost a read, whatever the id: the checksum tells it.
      const isWellFormed = isKeySecret(keySecret)
      const key = isWellFormed ? await findKeyForExchange(db, keyId) : undefined
      if (key !== undefined) someKeyId = keyId
      const nowMs = clock.now()
      const hash = sha256(keySecret)
      const status = examine(key, hash, nowMs)
      if (key === undefined || status !== 'ACTIVE') {
        const client = clientNetwork(request.ip)
        const who = { by: 'keyId', value: keyId === NO_KEY_ID ? '' : keyId } as const
        if (status === 'AWAITS_OWNER') {
          failureLog.note({ type: 'exchange_refused', who, client, detail: status })
          throw new ApiError('KEY_AWAITS_OWNER')
        }
        // A key that is there takes longer to read and compare, and ten thousand tries would show it:
        // every refusal costs one that is there and one that is not.
        if (isWellFormed) {
          const other = key === undefined ? someKeyId : NO_KEY_ID
          examine(await findKeyForExchange(db, other), hash, nowMs)
        }
        await rateLimits
          .count(reply, ['exchange-failures-client', client], ['exchange-failures', `${client} ${request.body.keyId}`])
          .catch(noteLimitHit(failureLog, request, who))
        failureLog.note({ type: 'exchange_refused', who, client, detail: status ?? 'WRONG_SECRET' })
        throw new ApiError('INVALID_CREDENTIALS')
      }
      await rateLimits
        .count(reply, ['exchange-key', key.id])
        .catch(noteLimitHit(failureLog, request, { by: 'keyId', value: keyId }))

      keyUse.note(key.id)
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
        user: { id: key.user_id, email: key.email, role: key.role },
      }
    },
  })
}
