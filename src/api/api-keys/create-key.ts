/** `POST /auth/api-keys`: creates an API key; its secret is in this response only. */
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { ApiKeyAnswer, exampleApiKey } from '../api-key-answer.ts'
import type { Transaction } from '../../database/database.ts'
import { describeKey } from '../../domain/keys/describe-key.ts'
import { alreadyCreated, toKeyMade } from './already-created.ts'
import { withIdempotencyKey } from '../../domain/idempotency/idempotency.ts'
import { callerOf } from '../../http/guard.ts'
import { limitCaller } from '../../http/rate-limit/caller-limit.ts'
import { familyIdOf, withAuthority } from '../../domain/sign-in/authority.ts'
import { recordEvent } from '../../domain/events/security-events.ts'
import { narrowBelow, storeRestrictions } from '../../domain/keys/restrictions/restrictions.ts'
import { exampleRestrictions, Restrictions } from '../restrictions-schema.ts'
import { makeRoomForKey } from '../../domain/keys/key-history.ts'
import { recordCallerAsMaker } from '../../domain/keys/key-family.ts'
import { findKey, insertKey } from '../../domain/keys/key-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { allowEmptyBody, DisplayText, IdempotencyHeaders, readIdempotencyKey } from '../../http/input.ts'
import { MAX_LIVE_KEYS } from '../../domain/keys/key-limit.ts'
import { noteKeyLimit, requireRoomForKey } from './key-limit.ts'
import type { User } from '../../domain/users/user-store.ts'
import { queueNotice } from '../../domain/mails/notices.ts'
import { MAX_LIFETIME_DAYS, newKey } from '../../domain/keys/new-key.ts'

const Body = Type.Object(
  {
    name: Type.Optional(DisplayText('A label. Default: "API key".')),
    expiresInDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LIFETIME_DAYS,
        description:
          'The key expires after this many days. Default: never. A key created by a key with an expiry expires with it at the latest.',
      }),
    ),
    restrictions: Type.Optional(Restrictions),
  },
  {
    additionalProperties: false,
    examples: [
      { name: 'Billing server', expiresInDays: 90 },
      { name: 'Shopping agent', restrictions: exampleRestrictions },
    ],
  },
)

const NewApiKey = Type.Pick(
  ApiKeyAnswer,
  ['id', 'name', 'keyId', 'createdAt', 'expiresAt', 'restrictions', 'effectiveRestrictions'],
  { title: 'NewApiKey' },
)

const Answer = Type.Object(
  {
    apiKey: NewApiKey,
    keySecret: Type.String({ description: 'Returned only in this response.' }),
  },
  {
    description: 'The key is created. Its secret is in this response only.',
    examples: [
      {
        apiKey: Value.Clean(NewApiKey, { ...exampleApiKey }),
        keySecret: 'pls_…53 characters',
      },
    ],
  },
)

export const createKey: Endpoint = (app, deps) => {
  app.post('/auth/api-keys', {
    config: {
      access: 'authenticated',
      scope: 'keys:write',
      errors: ['KEY_LIMIT_REACHED', 'ALREADY_CREATED', 'IDEMPOTENCY_CONFLICT', 'RATE_LIMITED'],
    },
    schema: {
      operationId: 'createKey',
      summary: 'Create an API key',
      description: `An account can have ${MAX_LIVE_KEYS} live keys. A token from a key creates a descendant of that key: see \`GET /auth/api-keys/{id}/descendants\`. With an \`Idempotency-Key\` a call whose response was lost can be repeated safely for 24 hours: the repeat creates no second key and gets \`ALREADY_CREATED\`, which names the key. Rotate that key to get a secret.`,
      tags: ['API keys'],
      headers: IdempotencyHeaders,
      body: Body,
      response: { 201: Answer },
    },
    preValidation: allowEmptyBody,
    async handler(request, reply) {
      const caller = callerOf(request)
      const idempotencyKey = readIdempotencyKey(request)
      await limitCaller(deps, request, reply, 'key-creation')
      await makeRoomForKey(deps, caller.userId)
      const { name, expiresInDays } = request.body
      const restrictions = storeRestrictions(request.body.restrictions ?? null)
      const nowMs = deps.clock.now()
      const descent = { familyId: familyIdOf(caller), creatorId: caller.apiKeyId }
      const key = newKey(deps, { userId: caller.userId, name, expiresInDays, restrictions, ...descent })
      const { expires_at_ms: askedEndMs } = key.row
      const create = async (trx: Transaction, user: User) => {
        const idempotency = { key: idempotencyKey, operation: 'createKey', caller, user, nowMs }
        const once = await withIdempotencyKey(trx, idempotency, request.body, async () => {
          await requireRoomForKey(deps, trx, caller.userId)
          if (caller.apiKeyId !== null) {
            const creator = await findKey(trx, user.id, caller.apiKeyId)
            key.row.effective_restrictions = narrowBelow(creator?.effective_restrictions ?? null, restrictions)
            // Otherwise a key could outlive its end in a descendant.
            key.row.expires_at_ms = earlier(creator?.expires_at_ms ?? null, askedEndMs)
          }
          await insertKey(trx, key.row)
          await recordCallerAsMaker(trx, deps, caller, { keyId: key.row.id, how: 'created' })
          const event = { userId: user.id, type: 'key_created', apiKeyId: key.row.id } as const
          await recordEvent(trx, deps, event, request)
          await queueNotice(deps, trx, 'security_notice', user, nowMs)
          return toKeyMade(key.row)
        })
        if (once?.isReplay) {
          throw alreadyCreated('created', once.answer, await findKey(trx, user.id, once.answer.id), nowMs)
        }
      }
      await withAuthority(deps, caller, create).catch(noteKeyLimit(deps, request))
      deps.mailer.wake()
      reply.status(201)
      return { apiKey: describeKey(key.row, nowMs), keySecret: key.secret }
    },
  })
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}
