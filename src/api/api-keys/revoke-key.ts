/** `POST /auth/api-keys/:id/revoke`: the key and every token that came from it stop working at once. */
import { Type } from 'typebox'
import { ApiKeyAnswer, exampleApiKey } from '../api-key-answer.ts'
import { describeKey } from '../../domain/keys/describe-key.ts'
import { callerOf } from '../../http/guard.ts'
import { withAuthority } from '../../domain/sign-in/authority.ts'
import { requireWithinBounds } from '../../domain/keys/key-history.ts'
import { requireAuthorityOver } from '../../domain/keys/key-family.ts'
import { findKey } from '../../domain/keys/key-store.ts'
import { setPaymentLinkCount } from '../../domain/users/user-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { KeyParams } from './key-path.ts'
import { revokeKeys } from '../../domain/keys/revoke-keys.ts'

const Answer = Type.Object(
  { apiKey: ApiKeyAnswer },
  {
    description: 'The key as it is now.',
    examples: [{ apiKey: { ...exampleApiKey, status: 'REVOKED', revokedAt: '2026-11-21T11:00:00.000Z' } }],
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
    config: { access: 'authenticated', errors: ['SIGN_IN_REQUIRED', 'NOT_FOUND'] },
    schema: {
      operationId: 'revokeKey',
      summary: 'Revoke an API key',
      description:
        'Revoking a key again changes nothing and answers the same. On an account whose address is proven, a token from an API key revokes that key and the keys made by it, transitively; for another key of the account it gets SIGN_IN_REQUIRED.',
      tags: ['API keys'],
      params: KeyParams,
      querystring: Query,
      response: { 200: Answer },
    },
    async handler(request) {
      const withDescendants = request.query.withDescendants === 'true'
      const caller = callerOf(request)
      if (withDescendants) await requireWithinBounds(deps, caller.userId)
      return withAuthority(deps, caller, async (trx, user) => {
        const key = await findKey(trx, user.id, request.params.id)
        if (key === undefined) throw new ApiError('NOT_FOUND')
        const within = await requireAuthorityOver(trx, caller, user, key.id)
        const { revoked, count } = await revokeKeys(deps, trx, key, { withDescendants, within }, request)
        // What a stolen key made takes none of its owner's room. Only a person's word: a key could make room for itself.
        const isOwner = caller.apiKeyId === null && user.claimed_at_ms !== null
        if (isOwner && count > 0 && user.payment_link_count !== 0) await setPaymentLinkCount(trx, user.id, 0)
        return { apiKey: describeKey(revoked, deps.clock.now()) }
      })
    },
  })
}
