/** `POST /auth/google/onetap`: exchanges a One Tap credential, an ID token of Google, for an access token, once. */
import type { Endpoint } from '../../http/endpoint.ts'
import { acceptedLanguage } from '../../http/negotiation/accepted-language.ts'
import { requireGoogle } from './require-google.ts'
import { countFailures, CredentialBody, credentialErrors, SignInAnswer } from './credential.ts'
import { signIn } from '../../domain/google/google-sign-in.ts'

export const oneTap: Endpoint = (app, deps) => {
  app.post('/auth/google/onetap', {
    config: {
      access: 'public',
      signIn: 'one_tap',
      crossSite: 'refused',
      errors: ['SIGNUP_CLOSED', ...credentialErrors],
    },
    schema: {
      operationId: 'oneTap',
      summary: 'Sign in with a Google One Tap credential',
      description: 'A credential works once, for at most an hour.',
      tags: ['Google'],
      body: CredentialBody,
      response: { 200: SignInAnswer },
    },
    handler: (request, reply) =>
      countFailures(deps, request, reply, async () => {
        const googleUser = await requireGoogle(deps).verifyIdToken(request.body.credential)
        return signIn(deps, { googleUser, source: request, locale: acceptedLanguage(request.raw) })
      }),
  })
}
