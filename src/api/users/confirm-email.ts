/** `POST /auth/email/confirm`: changes the address, with the mailed token and the sign-in that asked. */
import { Type } from 'typebox'
import { confirmMailedChange } from '../../domain/address-change/confirm-change.ts'
import { SIGN_IN_LIFETIME_SECONDS } from '../../domain/sign-in/access-token.ts'
import { withAuthority } from '../../domain/sign-in/authority.ts'
import { carrySignInOver } from '../../domain/sign-in/sign-in-store.ts'
import { needsOnboarding } from '../../domain/users/onboarding.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { callerOf } from '../../http/guard.ts'
import { sha256 } from '../../lib/hash.ts'
import { clientNetwork } from '../../lib/network.ts'
import { exampleUser, toUserAnswer, UserAnswer } from './user-answer.ts'

const Body = Type.Object(
  { token: Type.String({ description: 'The token of the link mailed to the new address.' }) },
  { additionalProperties: false, examples: [{ token: 'k3Zr0bXn4Yk2pV9c1sQ7tLw8mJf5hDg6aEo-uRi_xyU' }] },
)

const Answer = Type.Object(
  {
    token: Type.String({
      description: 'An access token of the same sign-in, which expires when the one of this call would have.',
    }),
    ...UserAnswer.properties,
  },
  {
    description: 'The address is changed. Every access token issued before is invalid.',
    examples: [
      { token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjRrUWcxeU9oIn0.e30.c2lnbmF0dXJl', user: exampleUser },
    ],
  },
)

export const confirmEmail: Endpoint = (app, deps) => {
  const { clock, mailer, rateLimits, accessTokens } = deps

  app.post('/auth/email/confirm', {
    config: {
      access: 'authenticated',
      scope: 'account:write',
      errors: ['SIGN_IN_REQUIRED', 'LINK_INVALID', 'EMAIL_TAKEN', 'RATE_LIMITED'],
    },
    schema: {
      operationId: 'confirmEmail',
      summary: 'Confirm a new e-mail address',
      description:
        'Takes the mailed token, and an access token of the sign-in that asked: with any other the answer is `SIGN_IN_REQUIRED`, and the link still works. It revokes every access token, voids the links mailed to both addresses, and disconnects Google accounts. For seven days the old address is reserved, and its holder can undo the change with the button of a mail. Signing out everywhere, “This wasn’t you?” and disabling end a change that is not confirmed.',
      tags: ['Users'],
      'x-beyond-specification': true,
      body: Body,
      response: { 200: Answer },
    },
    async handler(request, reply) {
      const caller = callerOf(request)
      const { signInId } = caller
      if (signInId === null) throw new ApiError('SIGN_IN_REQUIRED')
      const tokenHash = sha256(request.body.token)
      const confirmed = await withAuthority(deps, caller, async (trx, user) => {
        const changed = await confirmMailedChange(deps, trx, user, { tokenHash, signInId, source: request })
        // A token of an earlier version has no `sid`, and its sign-in no row.
        if (changed && caller.sid !== undefined) await carrySignInOver(trx, caller.sid, changed.token_version)
        return changed && { user: changed, isUnfinished: await needsOnboarding(trx, changed, clock.now()) }
      })
      if (confirmed === undefined) {
        await rateLimits.count(reply, ['sign-in-failures', clientNetwork(request.ip)])
        throw new ApiError('LINK_INVALID', { message: LINK_INVALID })
      }
      mailer.wake()
      const { user, isUnfinished } = confirmed
      const token = accessTokens.issue({
        userId: user.id,
        role: user.role,
        tokenVersion: user.token_version,
        amr: caller.amr,
        ...(caller.sid === undefined ? {} : { sid: caller.sid }),
        // Not a new sign-in: neither its age nor its end changes.
        issuedAtSeconds: caller.issuedAtSeconds,
        lifetimeSeconds: SIGN_IN_LIFETIME_SECONDS,
      })
      return { token, ...toUserAnswer(user, isUnfinished) }
    },
  })
}

const LINK_INVALID =
  'This link is unknown, used or expired, or the change it belongs to has ended. Ask for the change again.'
