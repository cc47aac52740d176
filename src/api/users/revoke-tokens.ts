/** `POST /auth/tokens/revoke`: invalidates every access token issued to the user so far. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { requirePersonIfClaimed, withAuthority } from '../../domain/sign-in/authority.ts'
import { recordRepeatedEvent } from '../../domain/events/security-events.ts'
import { incrementTokenVersion } from '../../domain/users/user-store.ts'
import type { User } from '../../domain/users/user-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { Endpoint } from '../../http/endpoint.ts'

const Answer = Type.Object(
  { ok: Type.Boolean() },
  { description: 'Every access token issued before this response is invalid.', examples: [{ ok: true }] },
)

export const revokeTokens: Endpoint = (app, deps) => {
  app.post('/auth/tokens/revoke', {
    config: { access: 'authenticated', scope: 'account:write', errors: ['SIGN_IN_REQUIRED'] },
    schema: {
      operationId: 'revokeTokens',
      summary: 'Sign out everywhere',
      description:
        'Increments the user’s tokenVersion, which invalidates every access token of the user, including the token of this call. API keys stay valid and can be exchanged again. On an account with a proven address, a token from a magic-link or Google sign-in is required.',
      tags: ['Users'],
      'x-beyond-specification': true,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      // Also checked before the lock: otherwise a thief's calls in a loop would delay the owner's.
      requirePersonIfClaimed(caller, caller.account)
      const revoke = async (trx: Transaction, user: User) => {
        requirePersonIfClaimed(caller, user)
        await incrementTokenVersion(trx, user.id)
        await recordRepeatedEvent(trx, deps, { userId: user.id, type: 'tokens_revoked' }, request)
      }
      await withAuthority(deps, caller, revoke, { endsToken: true, isRevocation: true })
      return { ok: true }
    },
  })
}
