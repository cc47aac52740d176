/** `POST /auth/sessions/:id/revoke`: ends a sign-in; its tokens are refused from then on. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { requirePersonIfClaimed, withAuthority } from '../../domain/sign-in/authority.ts'
import { endSignIn } from '../../domain/sign-in/end-sign-in.ts'
import { findSignIn } from '../../domain/sign-in/sign-in-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { User } from '../../domain/users/user-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { exampleSession, SessionAnswer, toSessionAnswer } from './session-answer.ts'

const Answer = Type.Object(
  { session: SessionAnswer },
  { description: 'The sign-in, which has ended.', examples: [{ session: { ...exampleSession, current: false } }] },
)

const Params = Type.Object({ id: Type.String({ description: 'The id of the sign-in.' }) })

export const revokeSession: Endpoint = (app, deps) => {
  app.post('/auth/sessions/:id/revoke', {
    config: { access: 'authenticated', scope: 'account:write', errors: ['SIGN_IN_REQUIRED', 'NOT_FOUND'] },
    schema: {
      operationId: 'revokeSession',
      summary: 'End a sign-in',
      description:
        'Every token of the sign-in is refused from this response on, on every process. Idempotent for any sign-in but the caller’s own, until a week after the sign-in would have expired; then it is NOT_FOUND. On an account with a proven address, a token from a magic-link or Google sign-in is required.',
      tags: ['Sign-ins'],
      'x-beyond-specification': true,
      params: Params,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      const { id } = request.params
      // Also checked before the lock: otherwise a thief's calls in a loop would delay the owner's.
      requirePersonIfClaimed(caller, caller.account)
      const end = async (trx: Transaction, user: User) => {
        requirePersonIfClaimed(caller, user)
        const signIn = await findSignIn(trx, user.id, id)
        if (signIn === undefined) throw new ApiError('NOT_FOUND')
        await endSignIn(deps, trx, { user, signIn }, request)
        return { session: toSessionAnswer(signIn, caller) }
      }
      return withAuthority(deps, caller, end, { endsToken: id === caller.signInId, isRevocation: true })
    },
  })
}
