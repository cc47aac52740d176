/** Whether a person still has something to do before the account is theirs and complete. */
import type { Queries } from '../../database/database.ts'
import { hasKeysAwaitingOwner } from '../keys/key-store.ts'
import type { User } from './user-store.ts'

/** Derived, never stored: no display name, or address not proven yet, or keys that wait for the owner. */
export async function needsOnboarding(db: Queries, user: User, nowMs: number): Promise<boolean> {
  return isUnfinished(user) || hasKeysAwaitingOwner(db, user.id, nowMs)
}

/** The same, where it is known whether keys wait. */
export function isUnfinished(user: Pick<User, 'name' | 'claimed_at_ms'>, hasKeysAwaiting = false): boolean {
  return user.name === null || user.claimed_at_ms === null || hasKeysAwaiting
}
