/** `GET /users/me`: the caller's account. */
import { callerOf, unauthorized } from '../../accounts/authenticate.ts'
import { isUnfinished } from '../../accounts/onboarding.ts'
import { findProfile } from '../../accounts/user-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { toUserAnswer, UserAnswer } from './user.ts'

/** Adds the endpoint. */
export const getMe: Endpoint = (app, { db, clock }) => {
  app.get('/users/me', {
    config: { access: 'authenticated' },
    schema: {
      operationId: 'getMe',
      summary: 'The current user',
      tags: ['Users'],
      'x-beyond-specification': true,
      response: { 200: UserAnswer },
    },
    async handler(request) {
      const user = await findProfile(db, callerOf(request).userId, clock.now())
      if (user === undefined) throw unauthorized('invalid_token')
      return toUserAnswer(user, isUnfinished(user, Boolean(user.has_keys_awaiting)))
    },
  })
}
