/** `DELETE /users/me`: disables the account at once, then erases it in the background, except for a tombstone. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { requireProven, requireRecentSignIn, withAuthority } from '../../domain/sign-in/authority.ts'
import type { Transaction } from '../../database/database.ts'
import type { User } from '../../domain/users/user-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { deleteAccount } from '../../domain/users/pending-deletion.ts'

const Answer = Type.Object({ ok: Type.Boolean() }, { description: 'The account is deleted.', examples: [{ ok: true }] })

export const deleteMe: Endpoint = (app, deps) => {
  app.delete('/users/me', {
    config: { access: 'authenticated', scope: 'account:write', errors: ['SIGN_IN_REQUIRED'] },
    schema: {
      operationId: 'deleteMe',
      summary: 'Delete the current user',
      description:
        'Requires a token from a magic-link or Google sign-in in the last ten minutes, and a proven address. After the response, nothing of the account works or is visible, and its address is free for a new account. Google identity, sign-in links and queued mail are deleted at once; keys, events and payment links within seconds, or within minutes for very large accounts. If the address was changed in the last seven days, the account is only disabled at once, and all of it is deleted when the change can no longer be undone; undoing it restores the account.',
      tags: ['Users'],
      'x-beyond-specification': true,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      const nowMs = deps.clock.now()
      requireRecentSignIn(caller, nowMs)
      const erase = async (trx: Transaction, user: User) => {
        // A Google sign-in that does not prove the address must not delete the owner's links and mail pause.
        requireProven(user)
        await deleteAccount(deps, trx, user, request)
      }
      await withAuthority(deps, caller, erase, { isRevocation: true })
      deps.erasure.wake()
      return { ok: true }
    },
  })
}
