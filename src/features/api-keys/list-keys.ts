/** `GET /auth/api-keys`: the caller's API keys, newest first. */
import { Type } from 'typebox'
import { ApiKeyAnswer, exampleApiKey, toApiKeyAnswer } from '../../accounts/api-key-answer.ts'
import { callerOf } from '../../accounts/authenticate.ts'
import { findKeysOfUser } from '../../accounts/key-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'

const Answer = Type.Object(
  { apiKeys: Type.Array(ApiKeyAnswer) },
  { description: 'The keys, newest first; of the revoked ones the newest hundred.', examples: [{ apiKeys: [exampleApiKey] }] },
)

/** Adds the endpoint. */
export const listKeys: Endpoint = (app, { db, clock }) => {
  app.get('/auth/api-keys', {
    config: { access: 'authenticated' },
    schema: {
      operationId: 'listKeys',
      summary: 'List the API keys of the authenticated user',
      tags: ['API keys'],
      response: { 200: Answer },
    },
    async handler(request) {
      const keys = await findKeysOfUser(db, callerOf(request).userId)
      return { apiKeys: keys.map((key) => toApiKeyAnswer(key, clock.now())) }
    },
  })
}
