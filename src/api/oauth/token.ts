/** `POST /oauth/token`: access tokens for OAuth clients (RFC 6749, section 3.2). */
import type { Static } from 'typebox'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { Use } from '../../http/rate-limit/rate-limits.ts'
import { FORM_TYPE } from '../../http/server/form-body.ts'
import { authorizationCodeGrant } from './authorization-code-grant.ts'
import { readClient } from './client.ts'
import { clientCredentialsGrant } from './client-credentials-grant.ts'
import { TokenAnswer, TokenForm } from './grant.ts'

/** By `grant_type`. */
const grants = { client_credentials: clientCredentialsGrant, authorization_code: authorizationCodeGrant }

export const issueToken: Endpoint = (app, deps) => {
  const byType = new Map(Object.entries(grants).map(([type, grant]) => [type, grant(deps)]))

  app.post('/oauth/token', {
    config: {
      access: 'public',
      errorShape: 'oauth',
      cors: 'any',
      signIn: 'oauth',
      onlyReads: ({ body }) => (body as Static<typeof TokenForm> | undefined)?.grant_type === 'client_credentials',
      errors: [
        'UNSUPPORTED_GRANT_TYPE',
        'INVALID_GRANT',
        'INVALID_SCOPE',
        'INVALID_TARGET',
        'INVALID_CREDENTIALS',
        'KEY_AWAITS_OWNER',
        'RATE_LIMITED',
      ],
    },
    schema: {
      operationId: 'issueToken',
      summary: 'Get an access token as an OAuth client',
      description:
        'With `client_credentials` (RFC 6749, section 4.4) an API key gets the token that `POST /auth/api/token` answers with, under the same limits. The refusal is the same for an unknown id, a wrong secret, a revoked key, an expired key, a key of a disabled account and a key used from outside of its networks. With `authorization_code` (section 4.1.3) an app exchanges its code for a token that lives for seven days. A code works once, for one minute; a second use, or a wrong one, ends the access of the app.',
      tags: ['OAuth'],
      'x-beyond-specification': true,
      consumes: [FORM_TYPE],
      body: TokenForm,
      response: { 200: TokenAnswer },
    },
    async handler(request, reply) {
      const form = request.body
      const grant = byType.get(form.grant_type)
      const count = (...uses: Use[]) => deps.rateLimits.count(reply, ...uses)
      const client = readClient(request, form)
      if (grant === undefined) throw new ApiError('UNSUPPORTED_GRANT_TYPE')
      const answer = await grant({ form, client, attempt: { source: request, count } })
      // RFC 6749, section 5.1.
      reply.header('pragma', 'no-cache')
      return answer
    },
    onResponse({ body, errorCode }, _reply, done) {
      // Absent if the form could not be parsed.
      const type = (body as Static<typeof TokenForm> | undefined)?.grant_type
      const isKnown = type !== undefined && byType.has(type)
      deps.oauthCounts.noteTokenRequest(isKnown ? type : 'unsupported', errorCode ?? 'issued')
      done()
    },
  })
}
