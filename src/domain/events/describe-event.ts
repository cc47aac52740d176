import type { SecurityEvent } from './event-store.ts'
import type { EventType } from './security-events.ts'

/** As the API shows it. */
export const describeEvent = (event: SecurityEvent) => ({
  id: event.id,
  type: event.type as EventType,
  at: new Date(event.at_ms).toISOString(),
  client: event.client,
  browser: event.browser,
  apiKeyId: event.api_key_id,
  byApiKeyId: event.by_api_key_id,
  signInId: event.sign_in_id,
  bySignInId: event.by_sign_in_id,
  detail: event.detail,
  times: event.times,
})
