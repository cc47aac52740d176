/** What clients of the tools read first: the metadata of the resource (RFC 9728). */
import type { Config } from '../../config/settings.ts'
import { resourceMetadata, resourceMetadataUrl } from '../../domain/sign-in/resources.ts'
import type { App } from '../../http/endpoint.ts'

export function addMcpMetadata(app: App, config: Config): void {
  const document = resourceMetadata(config, 'mcp')
  const options = { config: { access: 'public', cors: 'any' }, schema: { hide: true } } as const
  app.get(new URL(resourceMetadataUrl(config, 'mcp')).pathname, options, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').send(document),
  )
}
