/** Security events (`GET /auth/events`), as these pages read them. */
import { callSignedIn } from './api.ts'
import type { Answer } from './operations.ts'

/** A page of them, newest first. */
export type EventPage = Answer<'listEvents'>

/** A thing that happened. */
export type SecurityEvent = EventPage['events'][number]

/** What can happen. */
export type EventType = SecurityEvent['type']

/** Reads a page. @param cursor the page before's `nextCursor`; null: the first page */
export function readEvents(cursor: string | null, limit: number): Promise<EventPage> {
  const query = new URLSearchParams({ limit: String(limit), ...(cursor === null ? {} : { cursor }) })
  return callSignedIn<EventPage>('GET', `/auth/events?${query.toString()}`)
}
