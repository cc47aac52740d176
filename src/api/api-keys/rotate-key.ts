/** `POST /auth/api-keys/:id/rotate`: replaces a key's secret; the old one works until its grace period ends. */
import { Type } from 'typebox'
import { ApiKeyAnswer, exampleApiKey } from '../api-key-answer.ts'
import { describeKey } from '../../domain/keys/describe-key.ts'
import { alreadyCreated, toKeyMade } from './already-created.ts'
import { withIdempotencyKey } from '../../domain/idempotency/idempotency.ts'
import { callerOf } from '../../http/guard.ts'
import { limitCaller } from '../../http/rate-limit/caller-limit.ts'
import { withAuthority } from '../../domain/sign-in/authority.ts'
import { recordEvent } from '../../domain/events/security-events.ts'
import { makeRoomForKey } from '../../domain/keys/key-history.ts'
import { recordCallerAsMaker, requireAuthorityOver } from '../../domain/keys/key-family.ts'
import { newKeySecret } from '../../domain/keys/key-secret.ts'
import { statusOf } from '../../domain/keys/key-status.ts'
import { findKey, updateKey } from '../../domain/keys/key-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { allowEmptyBody, IdempotencyHeaders, readIdempotencyKey } from '../../http/input.ts'
import { sha256 } from '../../lib/hash.ts'
import { queueNotice } from '../../domain/mails/notices.ts'
import { KeyParams } from './key-path.ts'

const Body = Type.Object(
  {
    graceSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description: 'How long the old secret keeps working. Default: 0.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ graceSeconds: 3600 }] },
)

const Answer = Type.Object(
  {
    apiKey: ApiKeyAnswer,
    keySecret: Type.String({ description: 'The new secret, returned only in this response.' }),
  },
  {
    description: 'The key and its new secret; the keyId stays the same.',
    examples: [{ apiKey: exampleApiKey, keySecret: 'pls_…53 characters' }],
  },
)

export const rotateKey: Endpoint = (app, deps) => {
  app.post('/auth/api-keys/:id/rotate', {
    config: {
      access: 'authenticated',
      scope: 'keys:write',
      errors: [
        'SIGN_IN_REQUIRED',
        'NOT_FOUND',
        'KEY_NOT_ACTIVE',
        'ALREADY_CREATED',
        'IDEMPOTENCY_CONFLICT',
        'RATE_LIMITED',
      ],
    },
    schema: {
      operationId: 'rotateKey',
      summary: 'Rotate the secret of an API key',
      description:
        'Access tokens already issued for the key stay valid; revoke the key to end them. A secret still in the grace period of an earlier rotation stops working. On an account with a proven address, a token from an API key can rotate only that key and the keys created with it, transitively; any other key is SIGN_IN_REQUIRED. So it is on any account for a key with restrictions or an expiry. With an `Idempotency-Key` a repeat within 24 hours rotates nothing and gets `ALREADY_CREATED`; another rotation, with another `Idempotency-Key`, gives a secret.',
      tags: ['API keys'],
      'x-beyond-specification': true,
      params: KeyParams,
      headers: IdempotencyHeaders,
      body: Body,
      response: { 200: Answer },
    },
    preValidation: allowEmptyBody,
    async handler(request, reply) {
      const caller = callerOf(request)
      const idempotencyKey = readIdempotencyKey(request)
      await limitCaller(deps, request, reply, 'key-creation')
      await makeRoomForKey(deps, caller.userId)
      const nowMs = deps.clock.now()
      const graceMs = (request.body.graceSeconds ?? 0) * 1000
      const keySecret = newKeySecret(deps.random)
      const apiKey = await withAuthority(deps, caller, async (trx, user) => {
        const key = await findKey(trx, user.id, request.params.id)
        if (key === undefined) throw new ApiError('NOT_FOUND')
        await requireAuthorityOver(trx, caller, user, key.id)
        const idempotency = { key: idempotencyKey, operation: 'rotateKey', caller, user, nowMs }
        const content = { id: key.id, ...request.body }
        const once = await withIdempotencyKey(trx, idempotency, content, async () => {
          if (statusOf(key, nowMs) !== 'ACTIVE') throw new ApiError('KEY_NOT_ACTIVE')
          await updateKey(trx, key.id, {
            secret_hash: sha256(keySecret),
            rotated_at_ms: nowMs,
            previous_secret_hash: graceMs > 0 ? key.secret_hash : null,
            previous_secret_until_ms: graceMs > 0 ? nowMs + graceMs : null,
          })
          await recordCallerAsMaker(trx, deps, caller, { keyId: key.id, how: 'rotated' })
          await recordEvent(trx, deps, { userId: user.id, type: 'key_rotated', apiKeyId: key.id }, request)
          await queueNotice(deps, trx, 'security_notice', user, nowMs)
          return toKeyMade(key)
        })
        if (once?.isReplay) throw alreadyCreated('rotated', once.answer, key, nowMs)
        return describeKey(key, nowMs)
      })
      deps.mailer.wake()
      return { apiKey, keySecret }
    },
  })
}
