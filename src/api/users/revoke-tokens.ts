/** `POST /auth/tokens/revoke`: every token issued to the caller so far stops working at once. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { requirePersonIfClaimed, withAuthority } from '../../domain/sign-in/authority.ts'
import { recordRepeated } from '../../domain/events/security-events.ts'
import { incrementTokenVersion } from '../../domain/users/user-store.ts'
import type { User } from '../../domain/users/user-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { Endpoint } from '../../http/endpoint.ts'

const Answer = Type.Object(
  { ok: Type.Boolean() },
  { description: 'Every token issued so far is refused from now on.', examples: [{ ok: true }] },
)

/** Adds the endpoint. */
export const revokeTokens: Endpoint = (app, deps) => {
  app.post('/auth/tokens/revoke', {
    config: { access: 'authenticated', errors: ['SIGN_IN_REQUIRED'] },
    schema: {
      operationId: 'revokeTokens',
      summary: 'Sign out everywhere',
      description:
        'Increments the user’s tokenVersion: every access token of theirs, the one of this call included, is refused from now on. API keys stay and can be exchanged again. On an account whose address is proven it takes a token from a sign-in by a person.',
      tags: ['Users'],
      'x-beyond-specification': true,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      // Before the queue too: a thief's loop must not stand where the owner's call waits.
      requirePersonIfClaimed(caller, caller.account)
      const revoke = async (trx: Transaction, user: User) => {
        requirePersonIfClaimed(caller, user)
        await incrementTokenVersion(trx, user.id)
        await recordRepeated(trx, deps, { userId: user.id, type: 'tokens_revoked' }, request)
      }
      await withAuthority(deps, caller, revoke, { endsToken: true })
      return { ok: true }
    },
  })
}
