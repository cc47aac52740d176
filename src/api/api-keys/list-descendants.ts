/** `GET /auth/api-keys/:id/descendants`: the keys created with a key's tokens, for review before revoking it. */
import { Type } from 'typebox'
import { ApiKeyAnswer, exampleApiKey } from '../api-key-answer.ts'
import { describeKey } from '../../domain/keys/describe-key.ts'
import { callerOf } from '../../http/guard.ts'
import { requireTrimmedKeyHistory } from '../../domain/keys/key-history.ts'
import { familyOf } from '../../domain/keys/key-family.ts'
import { findMakersThatAreKeys } from '../../domain/keys/key-maker-store.ts'
import { findKey, findKeysOfUser } from '../../domain/keys/key-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { KeyParams } from './key-path.ts'

const Answer = Type.Object(
  { apiKeys: Type.Array(ApiKeyAnswer) },
  { description: 'The descendants, newest first, without the key itself.', examples: [{ apiKeys: [exampleApiKey] }] },
)

export const listDescendants: Endpoint = (app, deps) => {
  const { db } = deps
  app.get('/auth/api-keys/:id/descendants', {
    config: { access: 'authenticated', scope: 'keys:read', errors: ['NOT_FOUND'] },
    schema: {
      operationId: 'listDescendants',
      summary: 'List the descendants of an API key',
      description:
        'A descendant is a key that a token of this key, or of another descendant, created or rotated. Of the revoked and expired keys, only those in the list of keys are included. `POST /auth/api-keys/:id/revoke?withDescendants=true` revokes the key and its descendants.',
      tags: ['API keys'],
      'x-beyond-specification': true,
      params: KeyParams,
      response: { 200: Answer },
    },
    async handler(request) {
      const { userId } = callerOf(request)
      const key = await findKey(db, userId, request.params.id)
      if (key === undefined) throw new ApiError('NOT_FOUND')
      await requireTrimmedKeyHistory(deps, userId)
      const nowMs = deps.clock.now()
      const family = familyOf(await findMakersThatAreKeys(db, userId), [key.id])
      family.delete(key.id)
      const descendants = (await findKeysOfUser(db, userId, nowMs)).filter(({ id }) => family.has(id))
      return { apiKeys: descendants.map((descendant) => describeKey(descendant, nowMs)) }
    },
  })
}
