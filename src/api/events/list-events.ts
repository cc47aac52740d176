/** `GET /auth/events`: what happened on the caller's account, newest first. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { readCaller } from '../../domain/sign-in/authority.ts'
import { findEvents } from '../../domain/events/event-store.ts'
import { hiddenUntilClaimed } from '../../domain/events/security-events.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { pageQuery, readPage, toCursor } from '../../http/pagination.ts'
import { EventAnswer, exampleEvent, toEventAnswer } from '../event-answer.ts'

/** How many events are looked at for a page, of which strangers cause the hidden ones. */
const MOST_LOOKED_AT = 500

const Query = Type.Object(pageQuery)

const Answer = Type.Object(
  {
    events: Type.Array(EventAnswer),
    nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'Null: there are no more.' }),
  },
  {
    description: 'A page of events: fewer than asked for, or none, also where more follow.',
    examples: [{ events: [exampleEvent], nextCursor: null }],
  },
)

/** Adds the endpoint. */
export const listEvents: Endpoint = (app, { db }) => {
  app.get('/auth/events', {
    config: { access: 'authenticated' },
    schema: {
      operationId: 'listEvents',
      summary: 'List the security events of the authenticated user',
      description:
        'Kept for as many days as EVENTS_KEEP_DAYS says, 180 by default. What was done with the mailbox or the address is shown once the address is proven.',
      tags: ['Users'],
      'x-beyond-specification': true,
      querystring: Query,
      response: { 200: Answer },
    },
    async handler(request) {
      const { after, limit } = readPage(request.query)
      const user = await readCaller(db, callerOf(request))
      const hidden: readonly string[] = user.claimed_at_ms === null ? hiddenUntilClaimed : []
      const looked = hidden.length === 0 ? limit + 1 : MOST_LOOKED_AT
      const found = await findEvents(db, user.id, { after, limit: looked, hiddenTypes: [] })
      const shown = found.filter(({ type }) => !hidden.includes(type))
      const page = shown.slice(0, limit)
      const last = shown.length > limit ? page.at(-1) : found.length === looked ? found.at(-1) : undefined
      return { events: page.map(toEventAnswer), nextCursor: toCursor(last && { atMs: last.at_ms, id: last.id }) }
    },
  })
}
