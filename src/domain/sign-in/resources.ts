/** What access tokens are for (RFC 8707): the API, or one part of it. */
import type { Config } from '../../config/settings.ts'
import { ApiError } from '../../errors.ts'
import { grantableScopes } from '../keys/restrictions/scopes.ts'

const paths = { api: '', mcp: '/mcp' } as const

export type Resource = keyof typeof paths

export const resources = Object.keys(paths) as Resource[]

/** The identifier of the resource, which its tokens carry as `aud`. */
export const resourceUrl = ({ baseUrl }: Config, resource: Resource): string => baseUrl + paths[resource]

/** Where the metadata of the resource is (RFC 9728, section 3.1). */
export const resourceMetadataUrl = (config: Config, resource: Resource): string =>
  `${config.publicUrl}/.well-known/oauth-protected-resource${new URL(resourceUrl(config, resource)).pathname}`

/** RFC 9728, section 2. */
export const resourceMetadata = (config: Config, resource: Resource) => ({
  resource: resourceUrl(config, resource),
  authorization_servers: [config.publicUrl],
  scopes_supported: grantableScopes,
  bearer_methods_supported: ['header'],
  resource_documentation: `${config.publicUrl}/docs/programs`,
})

/** The resource that a client asks a token for; the API by default, `undefined` for one that does not exist. */
export const findResource = (config: Config, asked: string | undefined): Resource | undefined =>
  resources.find((one) => resourceUrl(config, one) === (asked ?? config.baseUrl))

/**
 * As `findResource`.
 * @throws {ApiError} `INVALID_TARGET`
 */
export function readResource(config: Config, asked: string | undefined): Resource {
  const resource = findResource(config, asked)
  if (resource === undefined) throw new ApiError('INVALID_TARGET')
  return resource
}
