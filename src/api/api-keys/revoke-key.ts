/** `POST /auth/api-keys/:id/revoke`: revokes a key and every token issued for it, at once. */
import { Type } from 'typebox'
import { ApiKeyAnswer, exampleApiKey } from '../api-key-answer.ts'
import { describeKey } from '../../domain/keys/describe-key.ts'
import { callerOf } from '../../http/guard.ts'
import { withAuthority } from '../../domain/sign-in/authority.ts'
import { requireTrimmedKeyHistory } from '../../domain/keys/key-history.ts'
import { requireAuthorityOver } from '../../domain/keys/key-family.ts'
import { findKey } from '../../domain/keys/key-store.ts'
import { setPaymentLinkCount } from '../../domain/users/user-store.ts'
import type { User } from '../../domain/users/user-store.ts'
import type { Transaction } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { KeyParams } from './key-path.ts'
import { revokeKeys } from '../../domain/keys/revoke-keys.ts'

const Answer = Type.Object(
  { apiKey: ApiKeyAnswer },
  {
    description: 'The current state of the key.',
    examples: [{ apiKey: { ...exampleApiKey, status: 'REVOKED', revokedAt: '2026-11-21T11:00:00.000Z' } }],
  },
)

const Query = Type.Object({
  withDescendants: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Also revoke every key that a token of this key, or of its descendants, created or rotated.',
    }),
  ),
})

export const revokeKey: Endpoint = (app, deps) => {
  app.post('/auth/api-keys/:id/revoke', {
    config: { access: 'authenticated', scope: 'keys:write', errors: ['SIGN_IN_REQUIRED', 'NOT_FOUND'] },
    schema: {
      operationId: 'revokeKey',
      summary: 'Revoke an API key',
      description:
        'Idempotent: revoking a key again changes nothing and returns the same, unless the caller’s token is from that key: its tokens are refused from then on, so the second call is UNAUTHORIZED. On an account with a proven address, a token from an API key can revoke only that key and the keys created with it, transitively; any other key is SIGN_IN_REQUIRED. So it is on any account for a key with restrictions or an expiry.',
      tags: ['API keys'],
      params: KeyParams,
      querystring: Query,
      response: { 200: Answer },
    },
    async handler(request) {
      const withDescendants = request.query.withDescendants === 'true'
      const caller = callerOf(request)
      if (withDescendants) await requireTrimmedKeyHistory(deps, caller.userId, { isRevocation: true })
      const revoke = async (trx: Transaction, user: User) => {
        const key = await findKey(trx, user.id, request.params.id)
        if (key === undefined) throw new ApiError('NOT_FOUND')
        const within = await requireAuthorityOver(trx, caller, user, key.id)
        const { revoked, count } = await revokeKeys(deps, trx, key, { withDescendants, within }, request)
        // Links created by a stolen key must not use up the owner's limit. A person must revoke it: a key could
        // otherwise reset its own limit.
        const isOwner = caller.apiKeyId === null && user.claimed_at_ms !== null
        if (isOwner && count > 0 && user.payment_link_count !== 0) await setPaymentLinkCount(trx, user.id, 0)
        return { apiKey: describeKey(revoked, deps.clock.now()) }
      }
      return withAuthority(deps, caller, revoke, { isRevocation: true })
    },
  })
}
