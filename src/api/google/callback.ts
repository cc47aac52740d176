/** `GET /auth/google/callback`: Google redirects the browser here with an authorization code. */
import { Type } from 'typebox'
import { spendCredential } from '../../domain/sign-in/spent-credential-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { acceptedLanguage } from '../../http/negotiation/accepted-language.ts'
import { isNavigation } from '../../http/negotiation/negotiation.ts'
import { parseRedirectTarget } from '../../http/redirect-target.ts'
import { addVary } from '../../http/negotiation/vary.ts'
import { sha256 } from '../../lib/hash.ts'
import { clientNetwork } from '../../lib/network.ts'
import { redirectTo, redirectWithError } from './frontend-redirect.ts'
import { createFlowCookies, FLOW_LIFETIME_SECONDS } from './flow-cookie.ts'
import { requireGoogle } from './require-google.ts'
import { countFailures, credentialErrors, SignInAnswer } from './credential.ts'
import { signIn } from '../../domain/google/google-sign-in.ts'

const parameter = (description: string) => Type.String({ maxLength: 2048, description })

const Query = Type.Object({
  code: Type.Optional(parameter('The authorization code. Required unless there is an `error`.')),
  state: parameter('The state of the sign-in that was started.'),
  iss: Type.Optional(parameter('The issuer (RFC 9207).')),
  error: Type.Optional(parameter('Replaces the code if the sign-in failed (RFC 6749, section 4.1.2.1).')),
})

/** HEAD reads nothing, so it cannot consume a code. */
export const googleCallback: Endpoint = (app, deps) => {
  const { config, db } = deps
  const flows = createFlowCookies(deps)

  app.head('/auth/google/callback', { config: { access: 'public' }, schema: { hide: true } }, async () => '')

  app.get('/auth/google/callback', {
    exposeHeadRoute: false,
    // The handler checks the result after it has ended the flow: an invalid query ends it too.
    attachValidation: true,
    config: {
      access: 'public',
      signIn: 'google',
      errors: [
        'VALIDATION_FAILED',
        'OAUTH_STATE_INVALID',
        'OAUTH_DENIED',
        'REDIRECT_NOT_ALLOWED',
        'SIGNUP_CLOSED',
        ...credentialErrors,
      ],
    },
    schema: {
      operationId: 'googleCallback',
      summary: 'Finish a sign-in with Google',
      description:
        'Requires the cookie set by `/auth/google/start` in this browser. Returns JSON. If the sign-in was started with `redirectTo`, a browser is redirected there with `token` and `needsOnboarding`, or `error` and `error_description`, in the fragment.',
      tags: ['Google'],
      querystring: Query,
      response: {
        200: SignInAnswer,
        302: Type.Null({ description: 'A browser is redirected to the `redirectTo` of its sign-in.' }),
      },
    },
    async handler(request, reply) {
      const { state, code, iss, error } = request.query
      const flow = (await flows.read(request)).find((known) => known.state === state)
      if (flow === undefined) flows.clearAll(request, reply)
      else flows.clear(reply, flow.cookie)
      // Checked again: APP_URL may have changed since the start.
      const target = flow?.redirectTo ? parseRedirectTarget(config.appUrl, flow.redirectTo) : null
      addVary(reply, 'Accept')
      try {
        // Inside the outer `try`, so that failures reported by redirect are counted too.
        const signedIn = await countFailures(deps, request, reply, async () => {
          const google = requireGoogle(deps)
          if (flow === undefined) throw new ApiError('OAUTH_STATE_INVALID')
          // RFC 9207, section 2.4: a response of another provider; its code must not be sent to Google.
          if (iss !== undefined && iss !== google.settings.issuer) throw new ApiError('OAUTH_STATE_INVALID')
          if (error !== undefined) throw new ApiError('OAUTH_DENIED')
          if (request.validationError) throw request.validationError
          if (code === undefined) throw new ApiError('VALIDATION_FAILED', { message: '`code` is required.' })
          // The browser's cookie is cleared; this also blocks a copy of it.
          const startedAtMs = (flow.exp - FLOW_LIFETIME_SECONDS) * 1000
          if (!(await spendCredential(db, sha256(flow.state), flow.exp * 1000, startedAtMs)))
            throw new ApiError('OAUTH_STATE_INVALID')
          const client = clientNetwork(request.ip)
          const googleUser = await google.exchangeCode({ code, iss, client }, flow)
          return signIn(deps, { googleUser, source: request, locale: acceptedLanguage(request.raw) })
        })
        if (target === null || !isNavigation(request)) return signedIn
        const { token, needsOnboarding } = signedIn
        return await redirectTo(reply, target, { token, needsOnboarding: String(needsOnboarding) })
      } catch (failure) {
        return redirectWithError(request, reply, target, failure)
      }
    },
  })
}
