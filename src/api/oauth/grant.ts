/** What the grants of the token endpoint have in common. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Attempt } from '../../domain/keys/authenticate-key.ts'
import type { Deps } from '../../http/deps.ts'
import { clientFields } from './client.ts'
import type { Client } from './client.ts'

export const TokenForm = Type.Object(
  {
    grant_type: Type.String({ description: '`client_credentials` or `authorization_code`.' }),
    ...clientFields,
    code: Type.Optional(Type.String({ description: 'The authorization code.' })),
    redirect_uri: Type.Optional(Type.String({ description: 'That of the authorization request.' })),
    code_verifier: Type.Optional(Type.String({ description: 'PKCE (RFC 7636).' })),
    scope: Type.Optional(
      Type.String({
        description: 'Scopes, separated by spaces: all that the client has. Default: the same.',
      }),
    ),
    resource: Type.Optional(
      Type.String({ description: 'What the token is for (RFC 8707). Default: the base URL of the API.' }),
    ),
  },
  {
    examples: [
      { grant_type: 'client_credentials', client_id: 'plk_4fR7sQ0bXy2LkTz9WcNd1e', client_secret: 'pls_YourSecret' },
    ],
  },
)

/** RFC 6749, section 5.1. */
export const TokenAnswer = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    scope: Type.Optional(Type.String({ description: 'What the token may do. Absent: nothing.' })),
  },
  {
    description: 'An access token.',
    examples: [
      {
        access_token: 'eyJ…',
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'payment_links:read payment_links:write',
      },
    ],
  },
)

/** A client's request for a token. */
export type TokenRequest = Readonly<{ form: Static<typeof TokenForm>; client: Client; attempt: Attempt }>

/** Of one `grant_type`. */
export type Grant = (deps: Deps) => (request: TokenRequest) => Promise<Static<typeof TokenAnswer>>
