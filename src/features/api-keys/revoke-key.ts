/** `POST /auth/api-keys/:id/revoke`: the key and every token that came from it stop working at once. */
import { Type } from 'typebox'
import { callerOf, withAuthority } from '../../accounts/authenticate.ts'
import { findKey, markRevoked } from '../../accounts/key-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { ApiKeyAnswer, exampleApiKey, toApiKeyAnswer } from './api-key.ts'

const Params = Type.Object({ id: Type.String({ description: 'The key’s record id.' }) })

const Answer = Type.Object(
  { apiKey: ApiKeyAnswer },
  {
    description: 'The key as it is now.',
    examples: [
      { apiKey: { ...exampleApiKey, status: 'REVOKED', revokedAt: '2026-11-21T11:00:00.000Z' } },
    ],
  },
)

/** Adds the endpoint. */
export const revokeKey: Endpoint = (app, deps) => {
  app.post('/auth/api-keys/:id/revoke', {
    config: { access: 'authenticated', errors: ['NOT_FOUND'] },
    schema: {
      operationId: 'revokeKey',
      summary: 'Revoke an API key',
      description: 'Revoking a key again changes nothing and answers the same.',
      tags: ['API keys'],
      params: Params,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      const nowMs = deps.clock.now()
      return withAuthority(deps, caller, async (trx) => {
        const key = await findKey(trx, caller.userId, request.params.id)
        if (key === undefined) throw new ApiError('NOT_FOUND')
        await markRevoked(trx, key.id, nowMs)
        const revoked = { ...key, revoked_at_ms: key.revoked_at_ms ?? nowMs }
        return { apiKey: toApiKeyAnswer(revoked, nowMs) }
      })
    },
  })
}
