import { callSignedIn } from './api.ts'
import type { EventKind } from './event-kinds.ts'
import type { Answer } from './operations.ts'

/** Newest first. */
export type EventPage = Answer<'GET /auth/events'>

export type SecurityEvent = EventPage['events'][number]

/** @param cursor `nextCursor` of the previous page; null for the first page */
export function readEvents(
  cursor: string | null,
  limit: number,
  signal?: AbortSignal,
  kind?: EventKind,
): Promise<EventPage> {
  const query = { limit, ...(cursor === null ? {} : { cursor }), ...(kind === undefined ? {} : { kind }) }
  return callSignedIn('GET /auth/events', { query, signal })
}

/** Pages of 100 events that are searched for the creation of keys. */
const MAX_PAGES = 10

type History = Readonly<{
  /** Newest first. */
  events: readonly SecurityEvent[]
  /** By the id of the key, if it is still recorded. */
  creations: ReadonlyMap<string, SecurityEvent>
}>

/** Reads the events back to those that created the keys. */
export async function readBackToCreations(keyIds: ReadonlySet<string>, signal: AbortSignal): Promise<History> {
  const read: SecurityEvent[] = []
  const creations = new Map<string, SecurityEvent>()
  let cursor: string | null = null
  for (let page = 0; page < MAX_PAGES && creations.size < keyIds.size; page += 1) {
    const { events, nextCursor } = await readEvents(cursor, 100, signal)
    read.push(...events)
    for (const event of events) {
      const { type, apiKeyId } = event
      const isCreation = type === 'key_created' || type === 'account_created'
      if (isCreation && apiKeyId !== null && keyIds.has(apiKeyId)) creations.set(apiKeyId, event)
    }
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return { events: read, creations }
}
