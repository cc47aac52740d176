/** `POST /auth/sign-out`: ends the sign-in of the caller's token. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { withAuthority } from '../../domain/sign-in/authority.ts'
import { endCallersSignIn } from '../../domain/sign-in/end-sign-in.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'

const Answer = Type.Object(
  { ok: Type.Boolean() },
  { description: 'The sign-in has ended. Its tokens are refused.', examples: [{ ok: true }] },
)

const OF_A_KEY =
  'This token comes from an API key, not from a sign-in. It expires within an hour; revoking the key ends it at once.'

export const signOut: Endpoint = (app, deps) => {
  app.post('/auth/sign-out', {
    config: { access: 'authenticated', scope: 'account:write', errors: ['SIGN_IN_REQUIRED'] },
    schema: {
      operationId: 'signOut',
      summary: 'Sign out',
      description:
        'Ends the sign-in that the token of this call comes from: the token is refused from this response on, on every process. Other sign-ins and API keys keep working. A token from an API key has no sign-in.',
      tags: ['Sign-ins'],
      'x-beyond-specification': true,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      if (caller.apiKeyId !== null) throw new ApiError('SIGN_IN_REQUIRED', { message: OF_A_KEY })
      await withAuthority(deps, caller, (trx, user) => endCallersSignIn(deps, trx, { caller, user }, request), {
        endsToken: true,
        isRevocation: true,
      })
      return { ok: true }
    },
  })
}
