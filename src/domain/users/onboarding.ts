import type { Queries } from '../../database/database.ts'
import { hasKeysAwaitingOwner } from '../keys/key-store.ts'
import type { User } from './user-store.ts'

/** Derived, never stored: true without a display name, before the claim, or while keys await the owner. */
export async function needsOnboarding(db: Queries, user: User, nowMs: number): Promise<boolean> {
  return isUnfinished(user) || hasKeysAwaitingOwner(db, user.id, nowMs)
}

/** The same, when it is known whether keys await the owner. */
export function isUnfinished(user: Pick<User, 'name' | 'claimed_at_ms'>, hasKeysAwaiting = false): boolean {
  return user.name === null || user.claimed_at_ms === null || hasKeysAwaiting
}
