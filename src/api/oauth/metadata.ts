/** What OAuth clients read first: the metadata of the authorization server (RFC 8414) and of the API (RFC 9728). */
import type { Config } from '../../config/settings.ts'
import { grantableScopes } from '../../domain/keys/restrictions/scopes.ts'
import { resourceMetadata, resources, resourceUrl } from '../../domain/sign-in/resources.ts'
import type { App } from '../../http/endpoint.ts'

const confidential = ['client_secret_basic', 'client_secret_post']

function serverMetadata(config: Config) {
  const { publicUrl, baseUrl } = config
  return {
    issuer: publicUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    introspection_endpoint: `${baseUrl}/oauth/introspect`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    scopes_supported: grantableScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'client_credentials'],
    token_endpoint_auth_methods_supported: ['none', ...confidential],
    introspection_endpoint_auth_methods_supported: [...confidential, 'Bearer'],
    revocation_endpoint_auth_methods_supported: ['none', ...confidential],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    protected_resources: resources.map((resource) => resourceUrl(config, resource)),
    service_documentation: `${publicUrl}/docs/programs`,
  }
}

/** Also below the path of the base URL, which some clients insert (RFC 8414, section 3.1). */
export function addMetadata(app: App, config: Config): void {
  const documents = {
    'oauth-authorization-server': serverMetadata(config),
    'oauth-protected-resource': resourceMetadata(config, 'api'),
  }
  for (const [name, document] of Object.entries(documents)) {
    for (const path of ['', new URL(config.baseUrl).pathname]) {
      const options = { config: { access: 'public', cors: 'any' }, schema: { hide: true } } as const
      app.get(`/.well-known/${name}${path}`, options, async (_request, reply) =>
        reply.header('cache-control', 'public, max-age=3600').send(document),
      )
    }
  }
}
