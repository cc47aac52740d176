/** `PATCH /users/me`: sets or clears the caller's display name. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { withAuthority } from '../../domain/sign-in/authority.ts'
import { recordRepeatedEvent } from '../../domain/events/security-events.ts'
import { needsOnboarding } from '../../domain/users/onboarding.ts'
import { renameUser } from '../../domain/users/user-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { DisplayText } from '../../http/input.ts'
import { toUserAnswer, UserAnswer } from '../user-answer.ts'

const Body = Type.Object(
  { name: Type.Union([DisplayText('Display name. Payers see it.'), Type.Null()], { description: 'Null clears it.' }) },
  { additionalProperties: false, examples: [{ name: 'Ana' }] },
)

export const updateMe: Endpoint = (app, deps) => {
  app.patch('/users/me', {
    config: { access: 'authenticated', scope: 'account:write' },
    schema: {
      operationId: 'updateMe',
      summary: 'Update the current user',
      description: 'Sets the display name.',
      tags: ['Users'],
      'x-beyond-specification': true,
      body: Body,
      response: { 200: UserAnswer },
    },
    async handler(request) {
      const { name } = request.body
      return withAuthority(deps, callerOf(request), async (trx, user) => {
        await renameUser(trx, user.id, name)
        if (name !== user.name) await recordRepeatedEvent(trx, deps, { userId: user.id, type: 'renamed' }, request)
        const renamed = { ...user, name }
        return toUserAnswer(renamed, await needsOnboarding(trx, renamed, deps.clock.now()))
      })
    },
  })
}
