/** The OpenAPI 3.1 document, which `npm run generate` writes from the schemas that the server validates with. */
import { readFileSync } from 'node:fs'
import { packageRoot } from '../lib/package-root.ts'
import type { App } from './endpoint.ts'

export function serveOpenApi(app: App): void {
  // One buffer shared by all responses: otherwise each stalled reader would hold its own copy.
  let document: Buffer | undefined
  app.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(JSON.parse(readFileSync(new URL('openapi.json', packageRoot), 'utf8'))))
    return reply.type('application/json; charset=utf-8').send(document)
  })
}
