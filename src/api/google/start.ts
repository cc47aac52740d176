/** `GET /auth/google/start`: sends the browser to Google to sign in, and remembers in it what it went for. */
import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { parseRedirectTarget } from '../../http/redirect-target.ts'
import { redirectWithError } from './frontend-redirect.ts'
import { createFlowCookies } from './flow-cookie.ts'
import { requireGoogle } from './require-google.ts'

/** The longest target that a cookie has room for, in characters. */
const LONGEST_TARGET = 1024

const Query = Type.Object({
  redirectTo: Type.Optional(
    Type.String({
      maxLength: LONGEST_TARGET,
      description: 'Where a browser goes afterwards, on the frontend’s origin.',
    }),
  ),
})

/** Adds the endpoint. */
export const startGoogle: Endpoint = (app, deps) => {
  const { config, random } = deps
  const flows = createFlowCookies(deps)
  const secret = () => random.bytes(32).toString('base64url')

  app.get('/auth/google/start', {
    config: {
      access: 'public',
      errors: ['VALIDATION_FAILED', 'REDIRECT_NOT_ALLOWED', 'GOOGLE_UNAVAILABLE', 'GOOGLE_NOT_CONFIGURED'],
    },
    schema: {
      operationId: 'startGoogle',
      summary: 'Start a sign-in with Google',
      description:
        'Opened by the browser, not called. Within ten minutes Google sends it back to the callback; several sign-ins can be under way in one browser.',
      tags: ['Google'],
      querystring: Query,
      response: {
        302: Type.Null({
          description: 'To Google’s consent screen; without Google, a browser goes to its `redirectTo` with the error.',
        }),
      },
    },
    async handler(request, reply) {
      const google = requireGoogle(deps)
      const { redirectTo } = request.query
      const target = redirectTo === undefined ? null : parseRedirectTarget(config.appUrl, redirectTo)
      // As the cookie has it: a backslash counts twice.
      if (target !== null && JSON.stringify(target).length > LONGEST_TARGET + 2) {
        throw new ApiError('VALIDATION_FAILED', { message: 'query.redirectTo is too long once it is escaped.' })
      }
      const flow = { state: secret(), nonce: secret(), codeVerifier: secret() }
      try {
        const url = await google.authorizationUrl(flow)
        await flows.add(request, reply, { ...flow, redirectTo: target })
        return await reply.redirect(url.href, 302)
      } catch (failure) {
        return redirectWithError(request, reply, target, failure)
      }
    },
  })
}
