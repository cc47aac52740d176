/** `POST /oauth/revoke`: ends what a token comes from (RFC 7009). */
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { createKeyAuthenticator } from '../../domain/keys/authenticate-key.ts'
import { revokeToken } from '../../domain/oauth/revoke-token.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { Use } from '../../http/rate-limit/rate-limits.ts'
import { FORM_TYPE } from '../../http/server/form-body.ts'
import { clientFields, credentialsOf, readClient } from './client.ts'

const Form = Type.Object(
  {
    token: Type.String({ description: 'An access token.' }),
    token_type_hint: Type.Optional(Type.String({ description: 'Not needed.' })),
    ...clientFields,
  },
  { examples: [{ token: 'eyJ…' }] },
)

const Answer = Type.Null({ description: 'The token is not accepted from this response on, on every process.' })

export const revokeTokenEndpoint: Endpoint = (app, deps) => {
  const keys = createKeyAuthenticator(deps)

  app.post('/oauth/revoke', {
    config: {
      access: 'public',
      errorShape: 'oauth',
      cors: 'any',
      errors: ['INVALID_GRANT', 'INVALID_CREDENTIALS', 'KEY_AWAITS_OWNER', 'RATE_LIMITED'],
    },
    schema: {
      operationId: 'revokeToken',
      summary: 'Revoke an access token, and what it comes from',
      description:
        'A token of a sign-in ends the sign-in. A token of an API key revokes the key, with all its tokens: the key is what was granted (RFC 7009, section 2.1). Who holds the token may revoke it; a client that names or authenticates itself can revoke only its own. A token that is unknown, expired or revoked before gets the same response.',
      tags: ['OAuth'],
      'x-beyond-specification': true,
      consumes: [FORM_TYPE],
      body: Form,
      response: { 200: Answer },
    },
    async handler(request, reply) {
      const client = readClient(request, request.body)
      if (client.secret !== undefined) {
        const count = (...uses: Use[]) => deps.rateLimits.count(reply, ...uses)
        await keys.authenticate(credentialsOf(client), { source: request, count })
      }
      await revokeToken(deps, request.body.token, client.id, request)
      return (reply as FastifyReply).send()
    },
  })
}
