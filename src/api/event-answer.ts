import { Type } from 'typebox'
import type { Static } from 'typebox'
import { eventTypes } from '../domain/events/security-events.ts'
import type { EventType } from '../domain/events/security-events.ts'
import { textOrNull, time } from './answer-fields.ts'

export const EventAnswer = Type.Object(
  {
    id: Type.String(),
    type: Type.Enum(Object.keys(eventTypes) as EventType[], {
      title: 'SecurityEventType',
      description: Object.entries(eventTypes)
        .map(([type, meaning]) => `\`${type}\`: ${meaning}`)
        .join(' '),
    }),
    at: time(),
    client: textOrNull(
      'The client’s IPv4 address or IPv6 /64. Null: no call caused the event, or calls from many networks did.',
    ),
    browser: textOrNull(
      'The browser and system that the client names in its `User-Agent`, in words from a closed list: `Chrome on Windows`, or `Chrome` when the system is unknown. Null: a program, an unknown browser, no call, or calls from several browsers.',
    ),
    apiKeyId: textOrNull('The record id of the API key that the event is about.'),
    byApiKeyId: textOrNull('The record id of the API key whose token caused the event. Null: no key’s token did.'),
    signInId: textOrNull('The id of the sign-in that the event is about.'),
    bySignInId: textOrNull('The id of the sign-in whose token caused the event. Null: no person’s token did.'),
    detail: textOrNull('Details, depending on the type.'),
    times: Type.Integer({
      description:
        'How often it happened. Repeatable events, such as failures, are combined into one per hour, with the time of the first.',
    }),
  },
  { title: 'SecurityEvent' },
)

export const exampleEvent: Static<typeof EventAnswer> = {
  id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f12',
  type: 'signed_in',
  at: '2026-11-21T10:00:00.000Z',
  client: '203.0.113.9',
  browser: 'Firefox on Linux',
  apiKeyId: null,
  byApiKeyId: null,
  signInId: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13',
  bySignInId: null,
  detail: 'magic_link',
  times: 1,
}
