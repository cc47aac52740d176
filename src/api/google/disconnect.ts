/** `DELETE /auth/google/connection`: disconnects the Google account from the caller's account. */
import { callerOf } from '../../http/guard.ts'
import { requireRecentSignIn, withAuthority } from '../../domain/sign-in/authority.ts'
import { recordEvent } from '../../domain/events/security-events.ts'
import { deleteIdentity, findIdentityOf } from '../../domain/google/identity-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { User } from '../../domain/users/user-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { ConnectionAnswer, toConnectionAnswer } from './connection-answer.ts'
import { queueNotice } from '../../domain/mails/notices.ts'
import { requireGoogle } from './require-google.ts'

export const disconnectGoogle: Endpoint = (app, deps) => {
  const { clock, mailer } = deps

  app.delete('/auth/google/connection', {
    config: { access: 'authenticated', scope: 'account:write', errors: ['SIGN_IN_REQUIRED', 'GOOGLE_NOT_CONFIGURED'] },
    schema: {
      operationId: 'disconnectGoogle',
      summary: 'Disconnect the Google account',
      description:
        'Requires a token from a magic-link or Google sign-in in the last ten minutes. Sign-in by magic link remains available. If the address of the account is proven, a mail notifies its owner. Access tokens from Google sign-ins stay valid; `POST /auth/tokens/revoke` ends them.',
      tags: ['Google'],
      'x-beyond-specification': true,
      response: { 200: ConnectionAnswer },
    },
    async handler(request) {
      const caller = callerOf(request)
      const { issuer } = requireGoogle(deps).settings
      requireRecentSignIn(caller, clock.now())
      const disconnect = async (trx: Transaction, user: User) => {
        const connected = await findIdentityOf(trx, user.id, issuer)
        if (connected === undefined) return
        const nowMs = clock.now()
        await deleteIdentity(trx, connected)
        const event = { userId: user.id, type: 'google_disconnected', detail: connected.email } as const
        await recordEvent(trx, deps, event, request)
        await queueNotice(deps, trx, 'google_notice', user, nowMs)
      }
      await withAuthority(deps, caller, disconnect, { isRevocation: true })
      mailer.wake()
      return toConnectionAnswer(undefined)
    },
  })
}
