/** `GET /auth/events`: the caller's security events, newest first. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { readCaller } from '../../domain/sign-in/authority.ts'
import { findEvents, findEventsOfTypes } from '../../domain/events/event-store.ts'
import type { SecurityEvent } from '../../domain/events/event-store.ts'
import { eventKinds, hiddenUntilClaimed, typesOfKind } from '../../domain/events/security-events.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { pageQuery, readPage, toCursor } from '../../http/pagination.ts'
import { describeEvent } from '../../domain/events/describe-event.ts'
import { EventAnswer, exampleEvent } from '../event-answer.ts'

/** Rows read per page while some types are hidden: strangers can cause any number of those. */
const MAX_SCANNED = 500

const Query = Type.Object({
  ...pageQuery,
  kind: Type.Optional(
    Type.Enum([...eventKinds], {
      title: 'SecurityEventKind',
      description: 'Only events of this kind. `alert`: events of any kind that a thief may have caused.',
    }),
  ),
})

const Answer = Type.Object(
  {
    events: Type.Array(EventAnswer),
    nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'Null: there are no more events.' }),
  },
  {
    description: 'A page of events. It may be short, or empty, although more follow.',
    examples: [{ events: [exampleEvent], nextCursor: null }],
  },
)

export const listEvents: Endpoint = (app, { db }) => {
  app.get('/auth/events', {
    config: { access: 'authenticated', scope: 'events:read' },
    schema: {
      operationId: 'listEvents',
      summary: 'List the security events of the authenticated user',
      description:
        'Events are kept for EVENTS_KEEP_DAYS days, by default 180. Events about the mailbox or the address are shown only after the address is proven.',
      tags: ['Events'],
      'x-beyond-specification': true,
      querystring: Query,
      response: { 200: Answer },
    },
    async handler(request) {
      const { after, limit } = readPage(request.query)
      const user = await readCaller(db, callerOf(request))
      const hidden: readonly string[] = user.claimed_at_ms === null ? hiddenUntilClaimed : []
      const { kind } = request.query
      if (kind !== undefined) {
        const types = typesOfKind(kind).filter((type) => !hidden.includes(type))
        return toPage(await findEventsOfTypes(db, user.id, { after, limit: limit + 1, types }), limit)
      }
      const scanned = hidden.length === 0 ? limit + 1 : MAX_SCANNED
      const found = await findEvents(db, user.id, { after, limit: scanned, hiddenTypes: [] })
      const shown = found.filter(({ type }) => !hidden.includes(type))
      return toPage(shown, limit, found.length === scanned ? found.at(-1) : undefined)
    },
  })
}

/** @param lastScanned where the next page starts if `found` has no more than this one */
function toPage(found: readonly SecurityEvent[], limit: number, lastScanned?: SecurityEvent): Static<typeof Answer> {
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : lastScanned
  return { events: page.map(describeEvent), nextCursor: toCursor(last && { atMs: last.at_ms, id: last.id }) }
}
