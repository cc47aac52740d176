/** Security events (`GET /auth/events`), as these pages read them. */
import { callSignedIn } from './api.ts'
import type { EventType } from './event-names.ts'

/** A thing that happened. */
export type SecurityEvent = Readonly<{
  id: string
  type: EventType
  at: string
  /** From where: a network; null: nobody called. */
  client: string | null
  apiKeyId: string | null
  byApiKeyId: string | null
  detail: string | null
  times: number
}>

/** A page of them, newest first. */
export type EventPage = Readonly<{ events: readonly SecurityEvent[]; nextCursor: string | null }>

/** Reads a page. @param cursor the page before's `nextCursor`; null: the first page */
export function readEvents(cursor: string | null, limit: number): Promise<EventPage> {
  const query = new URLSearchParams({ limit: String(limit), ...(cursor === null ? {} : { cursor }) })
  return callSignedIn<EventPage>('GET', `/auth/events?${query.toString()}`)
}
