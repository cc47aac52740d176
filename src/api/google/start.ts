/** `GET /auth/google/start`: redirects the browser to Google, with the state of the sign-in in a cookie. */
import { Type } from 'typebox'
import type { Endpoint } from '../../http/endpoint.ts'
import { parseRedirectTarget, RedirectTo } from '../../http/redirect-target.ts'
import { redirectWithError } from './frontend-redirect.ts'
import { createFlowCookies } from './flow-cookie.ts'
import { requireGoogle } from './require-google.ts'

const Query = Type.Object({
  redirectTo: RedirectTo('The URL to redirect the browser to afterwards, on the frontend’s origin.'),
})

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
        'Navigate the browser to this URL; do not call it with fetch. Google must return the browser to the callback within ten minutes. Up to three sign-ins can be in progress in one browser.',
      tags: ['Google'],
      querystring: Query,
      response: {
        302: Type.Null({
          description:
            'Redirects to Google’s consent screen. If Google is unreachable or not configured, redirects a browser to its `redirectTo` with the error.',
        }),
      },
    },
    async handler(request, reply) {
      const { redirectTo } = request.query
      const target = redirectTo === undefined ? null : parseRedirectTarget(config.appUrl, redirectTo)
      const flow = { state: secret(), nonce: secret(), codeVerifier: secret() }
      try {
        const url = await requireGoogle(deps).authorizationUrl(flow)
        await flows.add(request, reply, { ...flow, redirectTo: target })
        return await reply.redirect(url.href, 302)
      } catch (failure) {
        return redirectWithError(request, reply, target, failure)
      }
    },
  })
}
