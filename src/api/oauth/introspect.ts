/** `POST /oauth/introspect`: the state of a token, for services behind this one (RFC 7662). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { createKeyAuthenticator } from '../../domain/keys/authenticate-key.ts'
import type { KeyAuthenticator } from '../../domain/keys/authenticate-key.ts'
import { hasScope, parseRestrictions } from '../../domain/keys/restrictions/restrictions.ts'
import { introspectToken } from '../../domain/oauth/introspect-token.ts'
import { insufficientScope } from '../../errors.ts'
import type { Deps } from '../../http/deps.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { authenticate } from '../../http/guard.ts'
import type { Use } from '../../http/rate-limit/rate-limits.ts'
import { FORM_TYPE } from '../../http/server/form-body.ts'
import { clientFields, credentialsOf, readClient } from './client.ts'

const SCOPE = 'tokens:introspect'

const Form = Type.Object(
  {
    token: Type.String({ description: 'The access token in question.' }),
    token_type_hint: Type.Optional(Type.String({ description: 'Not needed.' })),
    client_ip: Type.Optional(
      Type.String({
        format: 'ip',
        description:
          'The address of the client that used the token. Without it a token of an API key with `networks` is not active.',
      }),
    ),
    ...clientFields,
  },
  { examples: [{ token: 'eyJ…', client_ip: '203.0.113.7' }] },
)

const Answer = Type.Object(
  {
    active: Type.Boolean({
      description: '`false`, and no other field: the token is not accepted, for whatever reason.',
    }),
    scope: Type.Optional(Type.String({ description: 'What the token may do. Empty: nothing.' })),
    client_id: Type.Optional(
      Type.String({
        description: 'The API key id, or the URL of an app’s client metadata document. Absent: a person’s sign-in.',
      }),
    ),
    token_type: Type.Optional(Type.Literal('Bearer')),
    exp: Type.Optional(Type.Integer()),
    iat: Type.Optional(Type.Integer()),
    sub: Type.Optional(Type.String({ description: 'The user id.' })),
    aud: Type.Optional(
      Type.String({ description: 'What the token is for: the base URL of the API, or a part of it.' }),
    ),
    iss: Type.Optional(Type.String()),
    jti: Type.Optional(Type.String()),
    role: Type.Optional(Type.String({ description: 'The user’s role.' })),
    account_claimed: Type.Optional(
      Type.Boolean({ description: 'Whether the holder of the account’s address has proven it.' }),
    ),
  },
  {
    description: 'The state of the token at this moment; `{ "active": false }` and nothing else if it is not accepted.',
    examples: [
      {
        active: true,
        scope: 'payment_links:read payment_links:write',
        client_id: 'plk_4fR7sQ0bXy2LkTz9WcNd1e',
        token_type: 'Bearer',
        exp: 1_795_000_000,
        iat: 1_794_996_400,
        sub: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10',
        aud: 'https://auth.example.com/api/v1',
        iss: 'https://auth.example.com',
        jti: 'b5c7a1de-30c4-4d8b-9f51-0a4f6f2d9e77',
        role: 'USER',
        account_claimed: true,
      },
    ],
  },
)

export const introspect: Endpoint = (app, deps) => {
  const keys = createKeyAuthenticator(deps)

  app.post('/oauth/introspect', {
    config: {
      access: 'public',
      scope: SCOPE,
      errorShape: 'oauth',
      onlyReads: () => true,
      errors: ['INVALID_CREDENTIALS', 'UNAUTHORIZED', 'KEY_AWAITS_OWNER', 'INSUFFICIENT_SCOPE', 'RATE_LIMITED'],
    },
    schema: {
      operationId: 'introspectToken',
      summary: 'Ask for the state of an access token',
      description:
        'For services behind this one (RFC 7662). The caller is an API key with the scope `tokens:introspect`, which only the operator of this service gives: by its id and secret, or by a bearer token of it. Do not cache the answer: it is read for this call, and a revoked token is inactive from the next call on.',
      tags: ['OAuth'],
      'x-beyond-specification': true,
      consumes: [FORM_TYPE],
      body: Form,
      response: { 200: Answer },
    },
    async handler(request, reply) {
      await authenticateService(deps, keys, request, reply, request.body)
      const { token, client_ip: clientIp } = request.body
      return (await introspectToken(deps, token, { clientIp, serviceIp: request.ip })) ?? { active: false }
    },
  })
}

/** By a bearer token, as RFC 7662, section 2.1, allows, or by the credentials of the key. */
async function authenticateService(
  deps: Deps,
  keys: KeyAuthenticator,
  request: FastifyRequest,
  reply: FastifyReply,
  form: Static<typeof Form>,
): Promise<void> {
  if (form.client_secret === undefined && /^bearer /i.test(request.headers.authorization ?? '')) {
    return authenticate(deps, request)
  }
  const count = (...uses: Use[]) => deps.rateLimits.count(reply, ...uses)
  const key = await keys.authenticate(credentialsOf(readClient(request, form)), { source: request, count })
  deps.keyUse.note(key.id, request.ip, key.last_used_at_ms === null)
  if (!hasScope(parseRestrictions(key.effective_restrictions), SCOPE)) throw insufficientScope(SCOPE)
}
