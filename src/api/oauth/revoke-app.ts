/** `POST /auth/apps/:id/revoke`: ends the access of an app; its token is refused from then on. */
import { Type } from 'typebox'
import { describeApp } from '../../domain/oauth/describe-app.ts'
import { findApp } from '../../domain/keys/key-app-store.ts'
import { revokeKeys } from '../../domain/keys/revoke-keys.ts'
import { requirePersonIfClaimed, withAuthority } from '../../domain/sign-in/authority.ts'
import { setPaymentLinkCount } from '../../domain/users/user-store.ts'
import type { User } from '../../domain/users/user-store.ts'
import type { Transaction } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { callerOf } from '../../http/guard.ts'
import { AppAnswer, exampleApp } from './app-answer.ts'

const Params = Type.Object({ id: Type.String({ description: 'The id of the app in `GET /auth/apps`.' }) })

const Answer = Type.Object(
  { app: AppAnswer },
  { description: 'The app, whose access has ended.', examples: [{ app: exampleApp }] },
)

export const revokeApp: Endpoint = (app, deps) => {
  app.post('/auth/apps/:id/revoke', {
    config: { access: 'authenticated', scope: 'account:write', errors: ['SIGN_IN_REQUIRED', 'NOT_FOUND'] },
    schema: {
      operationId: 'revokeApp',
      summary: 'Disconnect an app',
      description:
        'Every token of the app is refused from this response on, on every process. Idempotent. On an account with a proven address, a token from a magic-link or Google sign-in is required.',
      tags: ['OAuth'],
      'x-beyond-specification': true,
      params: Params,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      // Also checked before the lock: otherwise a thief's calls in a loop would delay the owner's.
      requirePersonIfClaimed(caller, caller.account)
      const revoke = async (trx: Transaction, user: User) => {
        requirePersonIfClaimed(caller, user)
        const found = await findApp(trx, user.id, request.params.id)
        if (found === undefined) throw new ApiError('NOT_FOUND')
        const { revoked, count } = await revokeKeys(deps, trx, found, { withDescendants: false }, request)
        // As for a revoked key: what it created must not use up the owner's limit.
        if (count > 0 && user.payment_link_count !== 0) await setPaymentLinkCount(trx, user.id, 0)
        return { app: describeApp(revoked, deps.config), count }
      }
      const { app: ended, count } = await withAuthority(deps, caller, revoke, { isRevocation: true })
      if (count > 0) deps.oauthCounts.noteApp('disconnected')
      return { app: ended }
    },
  })
}
