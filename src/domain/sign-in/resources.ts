/** What access tokens are for (RFC 8707): the API, or one part of it. */
import type { Config } from '../../config/settings.ts'
import { ApiError } from '../../errors.ts'
import { scopesOf } from '../keys/restrictions/restrictions.ts'
import type { Restrictions } from '../keys/restrictions/restrictions.ts'
import { scopeNames } from '../keys/restrictions/scopes.ts'
import type { Scope } from '../keys/restrictions/scopes.ts'

type Part = Readonly<{ path: string; scopes: readonly Scope[]; page: string }>

/** `path`: below the base URL. `scopes`: all that its tokens can use there. `page`: of the documentation. */
const parts = {
  api: { path: '', scopes: scopeNames, page: 'programs' },
  mcp: { path: '/mcp', scopes: ['account:read', 'payment_links:read', 'payment_links:write'], page: 'agents' },
} as const satisfies Record<string, Part>

export type Resource = keyof typeof parts

export const resources = Object.keys(parts) as Resource[]

/** The scopes that a token with these restrictions has at the resource. */
export const scopesAt = (resource: Resource, restrictions: Restrictions | null): readonly Scope[] => {
  const usable: readonly Scope[] = parts[resource].scopes
  return scopesOf(restrictions).filter((scope) => usable.includes(scope))
}

/** The identifier of the resource, which its tokens carry as `aud`. */
export const resourceUrl = ({ baseUrl }: Config, resource: Resource): string => baseUrl + parts[resource].path

/** Where the metadata of the resource is (RFC 9728, section 3.1). */
export const resourceMetadataUrl = (config: Config, resource: Resource): string =>
  `${config.publicUrl}/.well-known/oauth-protected-resource${new URL(resourceUrl(config, resource)).pathname}`

/** RFC 9728, section 2. */
export const resourceMetadata = (config: Config, resource: Resource) => ({
  resource: resourceUrl(config, resource),
  authorization_servers: [config.publicUrl],
  // Without that which only the operator gives.
  scopes_supported: scopesAt(resource, null),
  bearer_methods_supported: ['header'],
  resource_documentation: `${config.publicUrl}/docs/${parts[resource].page}`,
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
