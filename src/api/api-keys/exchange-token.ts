/** `POST /auth/api/token`: exchanges an API key's id and secret for a one-hour access token. */
import { Type } from 'typebox'
import { createKeyAuthenticator } from '../../domain/keys/authenticate-key.ts'
import { KEY_LIFETIME_SECONDS } from '../../domain/sign-in/access-token.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { Use } from '../../http/rate-limit/rate-limits.ts'
import { displayEmailAddress } from '../../lib/text/email-address.ts'

const Body = Type.Object(
  {
    keyId: Type.String({ description: 'The API key id, `plk_…`.' }),
    keySecret: Type.String({ description: 'The API key secret, `pls_…`.' }),
  },
  {
    additionalProperties: false,
    examples: [{ keyId: 'plk_4fR7sQ0bXy2LkTz9WcNd1e', keySecret: 'pls_…53 characters' }],
  },
)

const Answer = Type.Object(
  {
    token: Type.String(),
    tokenType: Type.Literal('Bearer'),
    expiresInSeconds: Type.Integer(),
    user: Type.Object({ id: Type.String(), email: Type.String(), role: Type.String() }, { title: 'SignedInUser' }),
  },
  {
    description: 'An access token, valid for one hour.',
    examples: [
      {
        token: 'eyJ…',
        tokenType: 'Bearer',
        expiresInSeconds: KEY_LIFETIME_SECONDS,
        user: { id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10', email: 'ana@example.com', role: 'USER' },
      },
    ],
  },
)

export const exchangeToken: Endpoint = (app, deps) => {
  const keys = createKeyAuthenticator(deps)

  app.post('/auth/api/token', {
    config: {
      access: 'public',
      signIn: 'api_key',
      onlyReads: () => true,
      errors: ['INVALID_CREDENTIALS', 'KEY_AWAITS_OWNER', 'RATE_LIMITED'],
    },
    schema: {
      operationId: 'exchangeToken',
      summary: 'Exchange API key credentials for an access token',
      description:
        'The response is the same for an unknown id, a wrong secret, a revoked key, an expired key, a key of a disabled account and a key used from outside of its networks.',
      tags: ['API keys'],
      body: Body,
      response: { 200: Answer },
    },
    async handler(request, reply) {
      const attempt = { source: request, count: (...uses: Use[]) => deps.rateLimits.count(reply, ...uses) }
      const { token, key } = await keys.exchange(request.body, attempt)
      return {
        token,
        tokenType: 'Bearer' as const,
        expiresInSeconds: KEY_LIFETIME_SECONDS,
        user: { id: key.user_id, email: displayEmailAddress(key.email), role: key.role },
      }
    },
  })
}
