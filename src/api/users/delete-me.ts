/** `DELETE /users/me`: the account ends at once, its rows go right afterwards; what is left keeps its tokens dead. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { requireRecentSignIn, withAuthority } from '../../domain/sign-in/authority.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { eraseAccount } from '../../domain/users/erase-account.ts'

const UNPROVEN = 'The address of this account is not proven yet. Sign in by magic link first.'

const Answer = Type.Object({ ok: Type.Boolean() }, { description: 'The account is gone.', examples: [{ ok: true }] })

/** Adds the endpoint. */
export const deleteMe: Endpoint = (app, deps) => {
  app.delete('/users/me', {
    config: { access: 'authenticated', errors: ['SIGN_IN_REQUIRED'] },
    schema: {
      operationId: 'deleteMe',
      summary: 'Delete the current user',
      description:
        'Takes a token from a sign-in by a person in the last ten minutes, and a proven address. From the answer on nothing of the account works or is shown, and its address is free for a new one. Everything about it is deleted: Google identity, links and queued mail at once, keys, events and payment links within seconds, of very large accounts within minutes.',
      tags: ['Users'],
      'x-beyond-specification': true,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      const nowMs = deps.clock.now()
      requireRecentSignIn(caller, nowMs)
      await withAuthority(deps, caller, async (trx, user) => {
        // Whoever signed in with a Google account that proves nothing would void its owner's links and pause.
        if (user.claimed_at_ms === null) throw new ApiError('SIGN_IN_REQUIRED', { message: UNPROVEN })
        await eraseAccount(trx, user, nowMs)
      })
      deps.erasure.wake()
      return { ok: true }
    },
  })
}
