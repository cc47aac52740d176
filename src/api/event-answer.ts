/** A security event as it is answered. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { SecurityEvent } from '../domain/events/event-store.ts'
import { eventTypes } from '../domain/events/security-events.ts'
import type { EventType } from '../domain/events/security-events.ts'

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** A security event in lists and in an export. */
export const EventAnswer = Type.Object({
  id: Type.String(),
  type: Type.Enum(Object.keys(eventTypes) as EventType[], {
    description: Object.entries(eventTypes)
      .map(([type, meaning]) => `\`${type}\`: ${meaning}`)
      .join(' '),
  }),
  at: Type.String({ format: 'date-time' }),
  client: textOrNull('From where: an IPv4 address or an IPv6 /64; null: nobody called, or many networks did.'),
  apiKeyId: textOrNull('The record id of the API key it happened to.'),
  byApiKeyId: textOrNull('The record id of the API key whose token did it; null: no key’s.'),
  detail: textOrNull('More about it, by type.'),
  times: Type.Integer({
    description:
      'How often: of what may happen any number of times, such as failures, what is alike is one event an hour, of the time of the first.',
  }),
})

/** An event for the documentation's examples. */
export const exampleEvent: Static<typeof EventAnswer> = {
  id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f12',
  type: 'signed_in',
  at: '2026-11-21T10:00:00.000Z',
  client: '203.0.113.9',
  apiKeyId: null,
  byApiKeyId: null,
  detail: 'magic_link',
  times: 1,
}

/** The answer for a row. */
export function toEventAnswer(event: SecurityEvent): Static<typeof EventAnswer> {
  return {
    id: event.id,
    type: event.type as EventType,
    at: new Date(event.at_ms).toISOString(),
    client: event.client,
    apiKeyId: event.api_key_id,
    byApiKeyId: event.by_api_key_id,
    detail: event.detail,
    times: event.times,
  }
}
