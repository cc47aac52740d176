/** `POST /auth/api-keys/:id/revoke`: the key and every token that came from it stop working at once. */
import { Type } from 'typebox'
import { ApiKeyAnswer, exampleApiKey, toApiKeyAnswer } from '../../accounts/api-key-answer.ts'
import { callerOf, withAuthority } from '../../accounts/authenticate.ts'
import { recordEvent } from '../../accounts/events.ts'
import { familyOf } from '../../accounts/key-family.ts'
import { findMakers } from '../../accounts/key-maker-store.ts'
import { findKey, findKeysOfUser, inLockOrder, updateKey } from '../../accounts/key-store.ts'
import type { ApiKey } from '../../accounts/key-store.ts'
import type { DbTransaction } from '../../db/db.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { KeyParams } from './key-path.ts'

const Answer = Type.Object(
  { apiKey: ApiKeyAnswer },
  {
    description: 'The key as it is now.',
    examples: [
      { apiKey: { ...exampleApiKey, status: 'REVOKED', revokedAt: '2026-11-21T11:00:00.000Z' } },
    ],
  },
)

const Query = Type.Object({
  withDescendants: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Revoke the keys too that this key’s tokens made, and those that their tokens made.',
    }),
  ),
})

/** Adds the endpoint. */
export const revokeKey: Endpoint = (app, deps) => {
  app.post('/auth/api-keys/:id/revoke', {
    config: { access: 'authenticated', errors: ['NOT_FOUND'] },
    schema: {
      operationId: 'revokeKey',
      summary: 'Revoke an API key',
      description: 'Revoking a key again changes nothing and answers the same.',
      tags: ['API keys'],
      params: KeyParams,
      querystring: Query,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      const nowMs = deps.clock.now()
      return withAuthority(deps, caller, async (trx, user) => {
        const key = await findKey(trx, user.id, request.params.id)
        if (key === undefined) throw new ApiError('NOT_FOUND')
        const isWithDescendants = request.query.withDescendants === 'true'
        const keys = isWithDescendants ? await withDescendants(trx, key) : [key]
        for (const { id, revoked_at_ms: before } of inLockOrder(keys)) {
          if (before !== null) continue
          await updateKey(trx, id, { revoked_at_ms: nowMs })
          await recordEvent(trx, deps, { userId: user.id, type: 'key_revoked', apiKeyId: id }, request)
        }
        const revoked = { ...key, revoked_at_ms: key.revoked_at_ms ?? nowMs }
        return { apiKey: toApiKeyAnswer(revoked, nowMs) }
      })
    },
  })
}

async function withDescendants(trx: DbTransaction, { id, user_id: userId }: ApiKey): Promise<ApiKey[]> {
  const family = familyOf(await findMakers(trx, userId), [id])
  return (await findKeysOfUser(trx, userId)).filter((key) => family.has(key.id))
}
