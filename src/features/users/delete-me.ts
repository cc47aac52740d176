/** `DELETE /users/me`: the account and all of it go; what is left keeps its tokens dead. */
import { Type } from 'typebox'
import { callerOf, requireRecentSignIn, withAuthority } from '../../accounts/authenticate.ts'
import { deleteEventsOfUser } from '../../accounts/event-store.ts'
import { deleteAnswersOfUser } from '../../accounts/idempotency-store.ts'
import { deleteIdentitiesOf } from '../../accounts/identity-store.ts'
import { deleteMakersOfUser } from '../../accounts/key-maker-store.ts'
import { deleteKeysOfUser } from '../../accounts/key-store.ts'
import { deleteLinksOf } from '../../accounts/link-store.ts'
import { deletePaymentLinksOfUser } from '../../accounts/payment-link-store.ts'
import { eraseUser } from '../../accounts/user-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { deleteButtonsOf, deletePause } from '../../mail/button-store.ts'
import { deleteMailsTo } from '../../mail/mail-store.ts'

const UNPROVEN = 'The address of this account is not proven yet. Sign in by magic link first.'

const Answer = Type.Object(
  { ok: Type.Boolean() },
  { description: 'The account is gone.', examples: [{ ok: true }] },
)

/** Adds the endpoint. */
export const deleteMe: Endpoint = (app, deps) => {
  app.delete('/users/me', {
    config: { access: 'authenticated', errors: ['SIGN_IN_REQUIRED'] },
    schema: {
      operationId: 'deleteMe',
      summary: 'Delete the current user',
      description:
        'Takes a token from a sign-in by a person in the last ten minutes, and a proven address. Everything about the account is deleted: keys, Google identity, events, links, queued mail, payment links. Its address is free for a new account.',
      tags: ['Users'],
      'x-beyond-specification': true,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      const nowMs = deps.clock.now()
      requireRecentSignIn(caller, nowMs)
      await withAuthority(deps, caller, async (trx, { id, email, claimed_at_ms: claimedAtMs }) => {
        // Whoever signed in with a Google account that proves nothing would void its owner's links and pause.
        if (claimedAtMs === null) throw new ApiError('SIGN_IN_REQUIRED', { message: UNPROVEN })
        await deleteEventsOfUser(trx, id)
        await deleteMakersOfUser(trx, id)
        await deleteKeysOfUser(trx, id)
        await deleteIdentitiesOf(trx, id)
        await deletePaymentLinksOfUser(trx, id)
        await deleteAnswersOfUser(trx, id)
        // First what is queued: a sender that is making links and buttons for it is waited for.
        await deleteMailsTo(trx, email)
        await deleteLinksOf(trx, email)
        await deleteButtonsOf(trx, email)
        await deletePause(trx, email)
        await eraseUser(trx, id, nowMs)
      })
      return { ok: true }
    },
  })
}
