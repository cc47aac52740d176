import swagger from '@fastify/swagger'
import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { errors } from '../src/errors.ts'
import type { ErrorCode } from '../src/errors.ts'
import { isCountedRead, isPreflightRoute } from '../src/http/access.ts'
import { currencies } from '../src/domain/payment-links/currency.ts'
import type { App } from '../src/http/endpoint.ts'
import type { BodySchema } from '../src/http/server/normalise-body.ts'

/** Documents every route added after this call. The document does not depend on the configuration. */
export async function collectOpenApi(app: App, version: string): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (!isPreflightRoute(route)) documentRoute(route)
  })
  await app.register(swagger, {
    transformObject(made) {
      const document = 'openapiObject' in made ? made.openapiObject : made.swaggerObject
      markOptionalBodies(document.paths)
      return document
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'paylink-auth',
        version,
        description:
          'Authentication and API access for a payment-link product. Operations marked `x-beyond-specification` extend the specified interface. Every answer carries `X-Request-Id`, unless the request’s header fields could not be parsed. Every error is `{ "error": { "message", "code" } }`; in addition to the codes of each operation, 404 `NOT_FOUND` (no such path), 405 `METHOD_NOT_ALLOWED`, 408 `REQUEST_TIMEOUT` and 431 `HEADERS_TOO_LARGE` can occur on every path.',
      },
      servers: [{ url: '/api/v1' }],
      tags: [
        { name: 'Magic link', description: 'Sign-in by e-mail.' },
        { name: 'Google', description: 'Sign-in with a Google account.' },
        { name: 'API keys', description: 'Access for programs.' },
        { name: 'Payment links', description: 'Requests for payment, shown in the currency of the call.' },
        { name: 'Gateways', description: 'Checks for gateways in front of other services.' },
        { name: 'Users', description: 'The caller’s account.' },
        { name: 'Configuration', description: 'For frontends.' },
      ],
      components: {
        securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
  })
}

type Body = { required?: boolean; content: Record<string, { schema?: object }> }

// The plugin marks every body as required; a body with only optional fields may be omitted.
function markOptionalBodies(paths: object = {}): void {
  const operations = Object.values(paths).flatMap((path: object) => Object.values(path))
  for (const { requestBody } of operations as { requestBody?: Body }[]) {
    const schema = requestBody?.content['application/json']?.schema
    if (requestBody && schema && !('required' in schema)) requestBody.required = false
  }
}

// Adds what follows from the route's access class and method.
function documentRoute(route: RouteOptions): void {
  const { access, crossSite, isUncounted, errors: own = [] } = route.config ?? {}
  // A malformed request line, header or body is refused by every operation.
  const codes: ErrorCode[] = [...own, 'VALIDATION_FAILED', 'INTERNAL', 'UNAVAILABLE']
  if (crossSite === 'refused') codes.push('ORIGIN_NOT_ALLOWED')
  const schema = (route.schema ??= {})
  if (access === 'authenticated') {
    codes.push('UNAUTHORIZED', 'CURRENCY_NOT_SUPPORTED')
    if (isCountedRead(route.method, isUncounted)) codes.push('RATE_LIMITED')
    schema.security = [{ accessToken: [] }]
    const { properties } = (schema.headers ?? {}) as { properties?: Readonly<Record<string, unknown>> }
    schema.headers = {
      type: 'object',
      properties: {
        ...properties,
        'x-currency': {
          type: 'string',
          enum: [...currencies],
          description: 'The currency context of the call; RON when absent. Echoed back.',
        },
      },
    }
  }
  if (route.method === 'POST' && schema.body) schema.body = withNulls(schema.body)
  const takesBody = ['POST', 'PATCH', 'PUT', 'DELETE'].includes(String(route.method))
  if (takesBody) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  schema.response = { ...(schema.response as object | undefined), ...errorResponses(codes) }
}

/** On create, `null` for an optional field means that it is absent. */
function withNulls(schema: BodySchema): BodySchema {
  const { properties, items, required = [] } = schema
  if (items) return { ...schema, items: withNulls(items) }
  if (!properties) return schema
  const fields = Object.entries(properties).map(([name, field]) => {
    const inner = withNulls(field)
    return [name, required.includes(name) ? inner : { anyOf: [inner, { type: 'null' }] }]
  })
  return { ...schema, properties: Object.fromEntries(fields) }
}

function errorResponses(codes: readonly ErrorCode[]): Record<number, TSchema> {
  const byStatus = Map.groupBy(new Set(codes), (code) => errors[code].status)
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, errorSchema(group)]))
}

function errorSchema(codes: readonly ErrorCode[]): TSchema {
  return Type.Object(
    {
      error: Type.Object({ message: Type.String(), code: Type.Enum([...codes]) }, { additionalProperties: false }),
    },
    {
      additionalProperties: false,
      description: codes.join(', '),
      examples: codes.map((code) => ({ error: { message: errors[code].message, code } })),
    },
  )
}
