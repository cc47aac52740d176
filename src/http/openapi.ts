/** The OpenAPI 3.1 document, made from the schemas that the server validates with. */
import swagger from '@fastify/swagger'
import type { App } from './endpoint.ts'

/** Collects every route added from now on. The document holds nothing of the configuration. */
export async function collectOpenApi(app: App, version: string): Promise<void> {
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
          'Authentication and API access for a payment-link product. Operations marked `x-beyond-specification` are additions to the specified interface. Every answer to a request whose header fields could be read carries `X-Request-Id`. Every error is `{ "error": { "message", "code" } }`; besides those of each operation, 404 `NOT_FOUND` (no such path), 405 `METHOD_NOT_ALLOWED`, 408 `REQUEST_TIMEOUT` and 431 `HEADERS_TOO_LARGE` can come from anywhere.',
      },
      servers: [{ url: '/api/v1' }],
      tags: [
        { name: 'Magic link', description: 'Sign-in of people by e-mail.' },
        { name: 'Google', description: 'Sign-in of people by their Google account.' },
        { name: 'API keys', description: 'Access for programs.' },
        { name: 'Payment links', description: 'Amounts that somebody may pay, in the currency of the call.' },
        { name: 'Gateways', description: 'For what stands before other services.' },
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

// The plugin calls every body required; one whose fields are all optional may be left out.
function markOptionalBodies(paths: object = {}): void {
  const operations = Object.values(paths).flatMap((path: object) => Object.values(path))
  for (const { requestBody } of operations as { requestBody?: Body }[]) {
    const schema = requestBody?.content['application/json']?.schema
    if (requestBody && schema && !('required' in schema)) requestBody.required = false
  }
}

/** Serves the document at `/openapi.json` below the base URL. */
export function serveOpenApi(app: App): void {
  // Made once and shared by all answers: of callers who never read theirs, each would hold a copy.
  let document: Buffer | undefined
  app.get(
    '/openapi.json',
    { config: { access: 'public' }, schema: { hide: true } },
    async (_request, reply) => {
      document ??= Buffer.from(JSON.stringify(app.swagger()))
      return reply.type('application/json; charset=utf-8').send(document)
    },
  )
}
