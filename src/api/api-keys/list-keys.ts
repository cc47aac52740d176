/** `GET /auth/api-keys`: the caller's API keys, newest first. */
import { Type } from 'typebox'
import { ApiKeyAnswer, exampleApiKey } from '../api-key-answer.ts'
import { describeKey } from '../../domain/keys/describe-key.ts'
import { callerOf } from '../../http/guard.ts'
import { findKeysOfUser } from '../../domain/keys/key-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'

const Answer = Type.Object(
  { apiKeys: Type.Array(ApiKeyAnswer) },
  {
    description: 'The keys, newest first. Of the revoked and of the expired keys, only the latest hundred each.',
    examples: [{ apiKeys: [exampleApiKey] }],
  },
)

export const listKeys: Endpoint = (app, { db, clock }) => {
  app.get('/auth/api-keys', {
    config: { access: 'authenticated', scope: 'keys:read' },
    schema: {
      operationId: 'listKeys',
      summary: 'List the API keys of the authenticated user',
      description:
        'Every key of the account, also those that a program created. Ended keys are deleted after EVENTS_KEEP_DAYS days, by default 180. Secrets are never listed.',
      tags: ['API keys'],
      response: { 200: Answer },
    },
    async handler(request) {
      const nowMs = clock.now()
      const keys = await findKeysOfUser(db, callerOf(request).userId, nowMs)
      return { apiKeys: keys.map((key) => describeKey(key, nowMs)) }
    },
  })
}
