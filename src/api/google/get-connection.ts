/** `GET /auth/google/connection`: the Google account that can sign in to the caller's account. */
import { callerOf } from '../../http/guard.ts'
import { readCaller } from '../../domain/sign-in/authority.ts'
import { findIdentityOf } from '../../domain/google/identity-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { ConnectionAnswer, toConnectionAnswer } from './connection-answer.ts'
import { requireGoogle } from './require-google.ts'

export const getConnection: Endpoint = (app, deps) => {
  app.get('/auth/google/connection', {
    config: { access: 'authenticated', scope: 'account:read', errors: ['GOOGLE_NOT_CONFIGURED'] },
    schema: {
      operationId: 'getGoogleConnection',
      summary: 'Get the connected Google account',
      description: 'The connected Google account signs in to this account.',
      tags: ['Google'],
      'x-beyond-specification': true,
      response: { 200: ConnectionAnswer },
    },
    async handler(request) {
      const { issuer } = requireGoogle(deps).settings
      const caller = callerOf(request)
      // Read before the token is checked again: a caller from before a claim must not see what the owner connected.
      const identity = await findIdentityOf(deps.db, caller.userId, issuer)
      await readCaller(deps.db, caller)
      return toConnectionAnswer(identity)
    },
  })
}
