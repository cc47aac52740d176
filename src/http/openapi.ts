/** The OpenAPI 3.1 document, made from the schemas that the server validates with. */
import swagger from '@fastify/swagger'
import type { App } from './endpoint.ts'

/** Collects every route added from now on. The document holds nothing of the configuration. */
export async function collectOpenApi(app: App, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'paylink-auth',
        version,
        description:
          'Authentication and API access for a payment-link product. Operations marked `x-beyond-specification` are additions to the specified interface. Every answer carries `X-Request-Id`.',
      },
      servers: [{ url: '/api/v1' }],
      tags: [
        { name: 'Magic link', description: 'Sign-in of people by e-mail.' },
        { name: 'API keys', description: 'Access for programs.' },
        { name: 'Users', description: 'The caller’s account.' },
        { name: 'Configuration', description: 'For frontends.' },
      ],
      components: {
        securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
  })
}

/** Serves the document at `/openapi.json` below the base URL. */
export function serveOpenApi(app: App): void {
  app.get(
    '/openapi.json',
    { config: { access: 'public' }, schema: { hide: true } },
    async () => app.swagger(),
  )
}
