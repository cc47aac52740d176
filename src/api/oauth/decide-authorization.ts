/** `POST /oauth/authorize/decide`: the person's decision about what an app asks for; made once. */
import { Type } from 'typebox'
import { decideRequest } from '../../domain/oauth/consent.ts'
import { requireOwner, requireRecentSignIn } from '../../domain/sign-in/authority.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { callerOf } from '../../http/guard.ts'
import { exampleRestrictions, Restrictions } from '../restrictions-schema.ts'

const Body = Type.Object(
  {
    requestId: Type.String({ maxLength: 64, description: 'The `id` of `POST /oauth/authorize/inspect`.' }),
    allow: Type.Boolean(),
    restrictions: Type.Optional(Restrictions),
  },
  {
    additionalProperties: false,
    examples: [{ requestId: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f14', allow: true, restrictions: exampleRestrictions }],
  },
)

const Answer = Type.Object(
  {
    redirectTo: Type.String({ description: 'Where to send the browser, with `code`, or with `error=access_denied`.' }),
  },
  {
    description: 'The decision is made.',
    examples: [{ redirectTo: 'https://assistant.example/callback?code=…&state=…&iss=…' }],
  },
)

export const decideAuthorization: Endpoint = (app, deps) => {
  app.post('/oauth/authorize/decide', {
    config: {
      access: 'authenticated',
      scope: 'account:write',
      errors: ['SIGN_IN_REQUIRED', 'CONSENT_ENDED', 'APP_LIMIT_REACHED'],
    },
    schema: {
      operationId: 'decideAuthorization',
      summary: 'Decide what an app gets',
      description:
        'Allowing requires a token from a magic-link or Google sign-in in the last ten minutes, and a proven address. `restrictions` narrow what the app asks for; without them it gets all of that. A request is decided once: a second call is CONSENT_ENDED. The owner of the account is notified by mail.',
      tags: ['OAuth'],
      'x-beyond-specification': true,
      body: Body,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      const { requestId, allow, restrictions = {} } = request.body
      requireOwner(caller)
      if (allow) requireRecentSignIn(caller, deps.clock.now())
      const allowed = allow ? restrictions : null
      const redirectTo = await decideRequest(deps, caller, { requestId, allowed, source: request })
      deps.mailer.wake()
      return { redirectTo }
    },
  })
}
