/** `POST /auth/api-keys`: creates an API key; its secret is in this response only. */
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { ApiKeyAnswer, exampleApiKey } from '../api-key-answer.ts'
import { describeKey } from '../../domain/keys/describe-key.ts'
import { callerOf } from '../../http/guard.ts'
import { familyIdOf, withAuthority } from '../../domain/sign-in/authority.ts'
import { recordEvent } from '../../domain/events/security-events.ts'
import { makeRoomForKey } from '../../domain/keys/key-history.ts'
import { recordCallerAsMaker } from '../../domain/keys/key-family.ts'
import { insertKey } from '../../domain/keys/key-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { allowEmptyBody, DisplayText } from '../../http/input.ts'
import { countKeyCreation, requireRoomForKey } from './key-limit.ts'
import { queueNotice } from '../../domain/mails/notices.ts'
import { MAX_LIFETIME_DAYS, newKey } from '../../domain/keys/new-key.ts'

const DAY_MS = 24 * 3600 * 1000

const Body = Type.Object(
  {
    name: Type.Optional(DisplayText('A label. Default: "API key".')),
    expiresInDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LIFETIME_DAYS,
        description: 'The key expires after this many days. Default: never.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ name: 'Billing server', expiresInDays: 90 }] },
)

const NewApiKey = Type.Pick(ApiKeyAnswer, ['id', 'name', 'keyId', 'createdAt', 'expiresAt'], { title: 'NewApiKey' })

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
    config: { access: 'authenticated', errors: ['KEY_LIMIT_REACHED', 'RATE_LIMITED'] },
    schema: {
      operationId: 'createKey',
      summary: 'Create an API key',
      description:
        'An account can have 25 live keys. A token from a key creates a descendant of that key: see `GET /auth/api-keys/{id}/descendants`.',
      tags: ['API keys'],
      body: Body,
      response: { 201: Answer },
    },
    preValidation: allowEmptyBody,
    async handler(request, reply) {
      const caller = callerOf(request)
      await countKeyCreation(deps, request, reply)
      await makeRoomForKey(deps, caller.userId)
      const { name, expiresInDays } = request.body
      const nowMs = deps.clock.now()
      const key = newKey(deps, {
        userId: caller.userId,
        name,
        expiresAtMs: expiresInDays === undefined ? null : nowMs + expiresInDays * DAY_MS,
        familyId: familyIdOf(caller),
      })
      await withAuthority(deps, caller, async (trx, user) => {
        await requireRoomForKey(deps, trx, request)
        await insertKey(trx, key.row)
        await recordCallerAsMaker(trx, deps, caller, { keyId: key.row.id, how: 'created' })
        const event = { userId: user.id, type: 'key_created', apiKeyId: key.row.id } as const
        await recordEvent(trx, deps, event, request)
        await queueNotice(deps, trx, 'security_notice', user, nowMs)
      })
      deps.mailer.wake()
      reply.status(201)
      return { apiKey: describeKey(key.row, nowMs), keySecret: key.secret }
    },
  })
}
