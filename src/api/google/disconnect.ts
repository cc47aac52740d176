/** `DELETE /auth/google/connection`: the connected Google account can no longer sign in to the caller's account. */
import { callerOf } from '../../http/guard.ts'
import { requireRecentSignIn, withAuthority } from '../../domain/sign-in/authority.ts'
import { recordEvent } from '../../domain/events/security-events.ts'
import { deleteIdentity, findIdentityOf } from '../../domain/google/identity-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { ConnectionAnswer, toConnectionAnswer } from './connection-answer.ts'
import { queueNotice } from '../../domain/mails/notices.ts'
import { requireGoogle } from './require-google.ts'

/** Adds the endpoint. */
export const disconnectGoogle: Endpoint = (app, deps) => {
  const { clock, mailer } = deps

  app.delete('/auth/google/connection', {
    config: { access: 'authenticated', errors: ['SIGN_IN_REQUIRED', 'GOOGLE_NOT_CONFIGURED'] },
    schema: {
      operationId: 'disconnectGoogle',
      summary: 'Disconnect the Google account',
      description:
        'Takes a token from a sign-in by a person in the last ten minutes. The magic link stays as the way in; its owner is told by mail, at a proven address. Tokens that came from Google live on: `POST /auth/tokens/revoke` ends them.',
      tags: ['Google'],
      'x-beyond-specification': true,
      response: { 200: ConnectionAnswer },
    },
    async handler(request) {
      const caller = callerOf(request)
      const { issuer } = requireGoogle(deps).settings
      requireRecentSignIn(caller, clock.now())
      await withAuthority(deps, caller, async (trx, user) => {
        const connected = await findIdentityOf(trx, user.id, issuer)
        if (connected === undefined) return
        const nowMs = clock.now()
        await deleteIdentity(trx, connected)
        const happening = { userId: user.id, type: 'google_disconnected', detail: connected.email } as const
        await recordEvent(trx, deps, happening, request)
        await queueNotice(deps, trx, 'google_notice', user, nowMs)
      })
      mailer.wake()
      return toConnectionAnswer(undefined)
    },
  })
}
