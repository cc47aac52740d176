/** The OpenAPI 3.1 document, as `npm run generate` made it from the schemas that the server validates with. */
import { readFileSync } from 'node:fs'
import { packageRoot } from '../lib/package-root.ts'
import type { App } from './endpoint.ts'

/** Serves the document at `/openapi.json` below the base URL. */
export function serveOpenApi(app: App): void {
  // Read once and shared by all answers: of callers who never read theirs, each would hold a copy.
  let document: Buffer | undefined
  app.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(JSON.parse(readFileSync(new URL('openapi.json', packageRoot), 'utf8'))))
    return reply.type('application/json; charset=utf-8').send(document)
  })
}
