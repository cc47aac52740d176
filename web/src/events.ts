import { callSignedIn } from './api.ts'
import type { Answer } from './operations.ts'

/** Newest first. */
export type EventPage = Answer<'listEvents'>

export type SecurityEvent = EventPage['events'][number]

export type EventType = SecurityEvent['type']

/** @param cursor `nextCursor` of the previous page; null for the first page */
export function readEvents(cursor: string | null, limit: number, signal?: AbortSignal): Promise<EventPage> {
  const query = new URLSearchParams({ limit: String(limit), ...(cursor === null ? {} : { cursor }) })
  return callSignedIn<EventPage>('GET', `/auth/events?${query.toString()}`, { signal })
}
