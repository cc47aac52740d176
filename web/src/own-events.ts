/** The alerts that this user has marked "This was me", in this browser only and until the sign-out. */
import { currentUserId } from './session.ts'
import { OWN_EVENTS, storage } from './storage.ts'

const MAX_EVENTS = 200

/** Ids of events, the latest marked last. */
export function readOwnEvents(): readonly string[] {
  try {
    const { userId, ids } = JSON.parse(storage.read(OWN_EVENTS) ?? '') as { userId?: unknown; ids?: unknown }
    return userId === currentUserId() && Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function writeOwnEvents(ids: readonly string[]): void {
  storage.write(OWN_EVENTS, JSON.stringify({ userId: currentUserId(), ids: ids.slice(-MAX_EVENTS) }))
}
