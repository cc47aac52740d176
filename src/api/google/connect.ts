/** `POST /auth/google/connection`: a signed-in user connects a Google account, which can sign in from then on. */
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

/** Adds the endpoint. */
export const connectGoogle: Endpoint = (app, deps) => {
  const { clock, mailer } = deps

  app.post('/auth/google/connection', {
    config: {
      access: 'authenticated',
      errors: ['SIGN_IN_REQUIRED', 'GOOGLE_ALREADY_CONNECTED', ...credentialErrors],
    },
    schema: {
      operationId: 'connectGoogle',
      summary: 'Connect a Google account',
      description:
        'Takes a token from a sign-in by a person in the last ten minutes, and a One Tap credential. The Google account may have any address; its owner is told by mail, at a proven address. Connecting the same one again changes nothing.',
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

        // Spent before the user is locked, as a sign-in does: then two that bring the same never wait for each other.
        const spendFirst = (trx: Transaction) => spendToken(trx, googleUser)
        const connect = async (trx: Transaction, user: User) => {
          const connected = await findIdentityOf(trx, user.id, googleUser.issuer)
          if (connected?.subject === googleUser.subject) return connected
          const row = identityOf(deps, user.id, { googleUser, signInId })
          if (connected !== undefined) throw new ApiError('GOOGLE_ALREADY_CONNECTED')
          if (!(await insertIdentity(trx, row))) {
            const message = 'This Google account is connected to another account here.'
            throw new ApiError('GOOGLE_ALREADY_CONNECTED', { message })
          }
          const happening = { userId: user.id, type: 'google_connected', detail: row.email } as const
          await recordEvent(trx, deps, happening, request)
          await queueNotice(deps, trx, 'google_notice', user, row.connected_at_ms)
          return row
        }
        const identity = await withAuthority(deps, caller, connect, { lockBefore: spendFirst })
        mailer.wake()
        return toConnectionAnswer(identity)
      }),
  })
}
