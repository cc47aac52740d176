import type { Config } from '../../config/settings.ts'
import { toIso, toIsoOrNull } from '../../lib/clock.ts'
import type { ApiKey } from '../keys/key-store.ts'
import { parseRestrictions } from '../keys/restrictions/restrictions.ts'
import type { Restrictions } from '../keys/restrictions/restrictions.ts'
import { resourceUrl } from '../sign-in/resources.ts'
import { domainOf } from './client-id-url.ts'

/** Times are in ISO 8601. */
export type AppDescription = Readonly<{
  id: string
  clientId: string
  domain: string
  name: string
  resource: string
  restrictions: Restrictions
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string
}>

export function describeApp(app: ApiKey, config: Config): AppDescription {
  const clientId = app.client_id ?? ''
  return {
    id: app.id,
    clientId,
    domain: domainOf(clientId),
    name: app.name,
    resource: resourceUrl(config, app.resource ?? 'api'),
    restrictions: parseRestrictions(app.effective_restrictions) ?? {},
    createdAt: toIso(app.created_at_ms),
    lastUsedAt: toIsoOrNull(app.last_used_at_ms),
    expiresAt: toIso(app.expires_at_ms ?? 0),
  }
}
