/** `GET /users/me`: the caller's account. */
import { callerOf } from '../../http/guard.ts'
import { isUnfinished } from '../../domain/users/onboarding.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { toUserAnswer, UserAnswer } from '../user-answer.ts'

export const getMe: Endpoint = (app) => {
  app.get('/users/me', {
    config: { access: 'authenticated', scope: 'account:read' },
    schema: {
      operationId: 'getMe',
      summary: 'Get the current user',
      description: 'The account of the token’s user.',
      tags: ['Users'],
      'x-beyond-specification': true,
      response: { 200: UserAnswer },
    },
    handler(request) {
      // Read by the guard for this call.
      const { account } = callerOf(request)
      return toUserAnswer(account, isUnfinished(account, Boolean(account.has_keys_awaiting)))
    },
  })
}
