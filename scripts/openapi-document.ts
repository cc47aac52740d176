import swagger from '@fastify/swagger'
import type { RouteOptions } from 'fastify'
import type { ErrorCode } from '../src/errors.ts'
import { isCountedRead, isPreflightRoute } from '../src/http/access.ts'
import { currencies } from '../src/domain/payment-links/currency.ts'
import type { App } from '../src/http/endpoint.ts'
import { nameSchemas, shareParameters } from './openapi-components.ts'
import { addResponses } from './openapi-responses.ts'
import type { Document, OperationFacts } from './openapi-model.ts'
import type { BodySchema } from '../src/http/server/normalise-body.ts'

/** Documents every route added after this call. The document does not depend on the configuration. */
export async function collectOpenApi(app: App, version: string): Promise<void> {
  const facts = new Map<string, OperationFacts>()
  app.addHook('onRoute', (route) => {
    if (!isPreflightRoute(route)) documentRoute(route, facts)
  })
  await app.register(swagger, {
    transformObject(made) {
      const document = ('openapiObject' in made ? made.openapiObject : made.swaggerObject) as unknown as Document
      markOptionalBodies(document)
      nameSchemas(document)
      shareParameters(document)
      addResponses(document, facts)
      return document as object
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'paylink-auth',
        version,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
        contact: { name: 'The operator of this service' },
        description: [
          'Authentication and API access for a payment-link product. Operations marked `x-beyond-specification` extend the specified interface. Every answer carries `X-Request-Id`, unless the request’s header fields could not be parsed or the request took too long. Every error is `{ "error": { "message", "code" } }`, but those of `POST /oauth/token`, `/oauth/introspect` and `/oauth/revoke` are `{ "error", "error_description" }` (RFC 6749, section 5.2); in addition to the codes of each operation, 404 `NOT_FOUND` (no such path, or a method other than GET, HEAD, POST, PUT, PATCH and DELETE), 405 `METHOD_NOT_ALLOWED` and 408 `REQUEST_TIMEOUT` can occur on every path. Fields and, where an access token is required, query parameters that an operation does not have are refused with 400 `VALIDATION_FAILED`, except in the forms of those three, which ignore unknown fields (RFC 6749, section 3.2).',
          'Formats of texts: `date-time` is RFC 3339, in answers always UTC with milliseconds (`2026-11-21T10:00:00.000Z`). `date` is a day, `2026-11-21`. `cidr` is an IPv4 or IPv6 network, `203.0.113.0/24`, and `ip` an address. `display-text` is text for people in any language: no control characters, not only whitespace, and at most four combining marks (accents) in a row. Ids are opaque: do not parse them.',
        ].join('\n\n'),
      },
      servers: [{ url: '/api/v1' }],
      tags: [
        { name: 'Magic link', description: 'Sign-in by e-mail.' },
        { name: 'Sign-ins', description: 'Where a person is signed in, and how to end it.' },
        { name: 'Google', description: 'Sign-in with a Google account.' },
        { name: 'API keys', description: 'Access for programs.' },
        { name: 'Payment links', description: 'Requests for payment, shown in the currency of the call.' },
        { name: 'OAuth', description: 'For standard OAuth 2.1 clients, and for services behind this one.' },
        { name: 'Gateways', description: 'Checks for gateways in front of other services.' },
        { name: 'Users', description: 'The caller’s account.' },
        { name: 'Events', description: 'What happened to the caller’s account, for its owner to check.' },
        { name: 'Configuration', description: 'For frontends.' },
      ],
      components: {
        securitySchemes: {
          accessToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description:
              'An access token of this service: from a magic link or Google (7 days), or from `POST /auth/api/token` with an API key (1 hour). Treat it as opaque.',
          },
        },
      },
    },
  })
}

// The plugin marks every body as required; a body with only optional fields may be omitted.
function markOptionalBodies({ paths }: Document): void {
  for (const { requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const schema = requestBody?.content['application/json']?.schema
    if (requestBody && schema && !('required' in schema)) requestBody.required = false
  }
}

// Adds what follows from the route's access class and method.
function documentRoute(route: RouteOptions, facts: Map<string, OperationFacts>): void {
  const { access, scope, crossSite, isUncounted, errorShape, errors: own = [] } = route.config ?? {}
  // A malformed request line, header or body is refused by every operation.
  const codes: ErrorCode[] = [...own, 'VALIDATION_FAILED', 'HEADERS_TOO_LARGE', 'INTERNAL', 'UNAVAILABLE']
  if (crossSite === 'refused') codes.push('ORIGIN_NOT_ALLOWED')
  const schema = (route.schema ??= {})
  schema.security = []
  if (access === 'authenticated') {
    codes.push('UNAUTHORIZED', 'CURRENCY_NOT_SUPPORTED')
    if (isCountedRead(route.method, isUncounted)) codes.push('RATE_LIMITED')
    if (scope) {
      codes.push('INSUFFICIENT_SCOPE')
      schema.description = `${schema.description} A token of a restricted API key needs the scope \`${scope}\`.`
    }
    schema.security = [{ accessToken: [] }]
    const { properties } = (schema.headers ?? {}) as { properties?: Readonly<Record<string, unknown>> }
    schema.headers = {
      type: 'object',
      properties: {
        ...properties,
        'x-currency': {
          type: 'string',
          enum: [...currencies],
          title: 'Currency',
          description: 'The currency context of the call; RON when absent. Echoed back.',
        },
      },
    }
  }
  if (route.method === 'POST' && schema.body && errorShape !== 'oauth') schema.body = withNulls(schema.body)
  const takesBody = ['POST', 'PATCH', 'PUT', 'DELETE'].includes(String(route.method))
  if (takesBody) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  const id = schema.operationId
  if (id !== undefined) {
    facts.set(id, {
      codes: new Set(codes),
      isAuthenticated: access === 'authenticated',
      isOAuth: errorShape === 'oauth',
    })
  }
}

/** On create, `null` for an optional field means that it is absent. */
function withNulls(schema: BodySchema): BodySchema {
  const { properties, items, required = [] } = schema
  if (items) return { ...schema, items: withNulls(items) }
  if (!properties) return schema
  const fields = Object.entries(properties).map(([name, field]) => {
    // A shared schema stays the same everywhere.
    const inner = field.title === undefined ? withNulls(field) : field
    return [name, required.includes(name) ? inner : { anyOf: [inner, { type: 'null' }] }]
  })
  return { ...schema, properties: Object.fromEntries(fields) }
}
