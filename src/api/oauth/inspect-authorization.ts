/** `POST /oauth/authorize/inspect`: what an app asks of the caller, or why it is refused. For the consent page. */
import { Type } from 'typebox'
import { appScopes } from '../../domain/oauth/app-scopes.ts'
import { readAuthorizationRequest } from '../../domain/oauth/authorization-request.ts'
import { domainOf } from '../../domain/oauth/client-id-url.ts'
import { storeRequest } from '../../domain/oauth/consent.ts'
import { isLoopbackRedirect } from '../../domain/oauth/redirect-uri.ts'
import { resourceUrl } from '../../domain/sign-in/resources.ts'
import { requireOwner } from '../../domain/sign-in/authority.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { callerOf } from '../../http/guard.ts'
import { limitCaller } from '../../http/rate-limit/caller-limit.ts'
import { textOrNull } from '../answer-fields.ts'

const Body = Type.Object(
  { query: Type.String({ maxLength: 8192, description: 'The query of the URL of the consent page.' }) },
  { additionalProperties: false, examples: [{ query: 'response_type=code&client_id=https%3A%2F%2F…' }] },
)

const Asked = Type.Object(
  {
    id: Type.String({ description: 'For the decision. Valid for ten minutes, and decided once.' }),
    clientId: Type.String(),
    domain: Type.String({ description: 'The host of the client id, which the client cannot choose freely.' }),
    name: textOrNull('What the client calls itself. Anyone can claim it.'),
    redirectHost: Type.String({ description: 'Where the browser is sent with the code.' }),
    isLoopback: Type.Boolean({
      description: 'True: a program on the person’s own machine gets the code. Any program there can name any client.',
    }),
    scopes: Type.Array(Type.Enum([...appScopes], { title: 'AppScope' })),
    resource: Type.String({ description: 'What the token is for: the base URL, or its `/mcp`.' }),
  },
  { title: 'AuthorizationRequest' },
)

const Refused = Type.Object(
  {
    error: Type.String({ description: 'A code of RFC 6749, section 4.1.2.1.' }),
    message: Type.String(),
    redirectTo: textOrNull(
      'Tells the client. Null if client and redirect URI do not belong together: the browser must not be sent there.',
    ),
  },
  { title: 'RefusedAuthorization' },
)

const Answer = Type.Object(
  { request: Type.Union([Asked, Type.Null()]), refused: Type.Union([Refused, Type.Null()]) },
  {
    description: 'What the app asks for, or why it is refused.',
    examples: [
      {
        request: {
          id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f14',
          clientId: 'https://assistant.example/client.json',
          domain: 'assistant.example',
          name: 'Assistant',
          redirectHost: 'assistant.example',
          isLoopback: false,
          scopes: ['account:read', 'payment_links:read'],
          resource: 'https://pay.example/api/v1',
        },
        refused: null,
      },
    ],
  },
)

export const inspectAuthorization: Endpoint = (app, deps) => {
  app.post('/oauth/authorize/inspect', {
    config: { access: 'authenticated', scope: 'account:write', errors: ['SIGN_IN_REQUIRED', 'RATE_LIMITED'] },
    schema: {
      operationId: 'inspectAuthorization',
      summary: 'Show what an app asks for',
      description:
        'For the consent page: fetches the metadata document of the client and checks the request. Requires a token from a magic-link or Google sign-in, and a proven address.',
      tags: ['OAuth'],
      'x-beyond-specification': true,
      body: Body,
      response: { 200: Answer },
    },
    async handler(request, reply) {
      const caller = callerOf(request)
      requireOwner(caller)
      await limitCaller(deps, request, reply, 'app-requests')
      const asked = await readAuthorizationRequest(deps, request.body.query)
      if ('error' in asked) return { request: null, refused: asked }
      const { id, redirect_uri: redirectUri, resource } = await storeRequest(deps, caller.userId, asked)
      const { clientId, name } = asked.client
      const shown = {
        id,
        clientId,
        domain: domainOf(clientId),
        name,
        redirectHost: new URL(redirectUri).host,
        isLoopback: isLoopbackRedirect(redirectUri),
        scopes: [...asked.scopes],
        resource: resourceUrl(deps.config, resource),
      }
      return { request: shown, refused: null }
    },
  })
}
