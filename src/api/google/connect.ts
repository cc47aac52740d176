/** `POST /auth/google/connection`: connects a Google account, which can then sign in to the caller's account. */
import { callerOf } from '../../http/guard.ts'
import { requireRecentSignIn, withAuthority } from '../../domain/sign-in/authority.ts'
import { recordEvent } from '../../domain/events/security-events.ts'
import { findIdentityOf, insertIdentity } from '../../domain/google/identity-store.ts'
import type { User } from '../../domain/users/user-store.ts'
import type { Transaction } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { ConnectionAnswer, toConnectionAnswer } from './connection-answer.ts'
import { queueNotice } from '../../domain/mails/notices.ts'
import { requireGoogle } from './require-google.ts'
import { identityOf } from '../../domain/google/account-linking.ts'
import { countFailures, CredentialBody, credentialErrors } from './credential.ts'
import { spendToken } from '../../domain/google/google-sign-in.ts'

export const connectGoogle: Endpoint = (app, deps) => {
  const { clock, mailer } = deps

  app.post('/auth/google/connection', {
    config: {
      access: 'authenticated',
      scope: 'account:write',
      errors: ['SIGN_IN_REQUIRED', 'GOOGLE_ALREADY_CONNECTED', ...credentialErrors],
    },
    schema: {
      operationId: 'connectGoogle',
      summary: 'Connect a Google account',
      description:
        'Requires a token from a magic-link or Google sign-in in the last ten minutes, and a One Tap credential. The Google account may have any address. If the address of the account is proven, a mail notifies its owner. Connecting the same Google account again changes nothing.',
      tags: ['Google'],
      'x-beyond-specification': true,
      body: CredentialBody,
      response: { 200: ConnectionAnswer },
    },
    handler: (request, reply) =>
      countFailures(deps, request, reply, async () => {
        const caller = callerOf(request)
        const google = requireGoogle(deps)
        const signInId = requireRecentSignIn(caller, clock.now())
        const googleUser = await google.verifyIdToken(request.body.credential)

        // Spent before the user is locked, in the order of a sign-in: otherwise two calls with one credential could
        // deadlock.
        const spendFirst = (trx: Transaction) => spendToken(trx, googleUser)
        const connect = async (trx: Transaction, user: User) => {
          const connected = await findIdentityOf(trx, user.id, googleUser.issuer)
          if (connected?.subject === googleUser.subject) return connected
          const row = identityOf(deps, user.id, { googleUser, signInId })
          if (connected !== undefined) throw new ApiError('GOOGLE_ALREADY_CONNECTED')
          if (!(await insertIdentity(trx, row))) {
            const message = 'This Google account is already connected to another account of this service.'
            throw new ApiError('GOOGLE_ALREADY_CONNECTED', { message })
          }
          const event = { userId: user.id, type: 'google_connected', detail: row.email } as const
          await recordEvent(trx, deps, event, request)
          await queueNotice(deps, trx, 'google_notice', user, row.connected_at_ms)
          return row
        }
        const identity = await withAuthority(deps, caller, connect, { lockBefore: spendFirst })
        mailer.wake()
        return toConnectionAnswer(identity)
      }),
  })
}
