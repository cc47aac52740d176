import type { Transaction } from '../../database/database.ts'
import type { EventDeps } from '../deps.ts'
import { findEventsSince } from '../events/event-store.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { SIGN_INS_KEPT_MS } from '../keys/key-history.ts'
import { renameUser } from '../users/user-store.ts'
import type { User } from '../users/user-store.ts'

type Disowned = Readonly<{ signIns: ReadonlySet<string>; keys: ReadonlySet<string>; sinceMs: number }>

/**
 * Clears the display name if a disowned sign-in or key set it, or if it was set since a time. The next sign-in asks the
 * owner for one. The caller holds the user's lock.
 */
export async function clearDisownedName(
  deps: EventDeps,
  trx: Transaction,
  { user, signIns, keys, sinceMs }: Disowned & Readonly<{ user: User }>,
  source: EventSource,
): Promise<void> {
  const renamed = await findEventsSince(trx, user.id, ['renamed'], deps.clock.now() - SIGN_INS_KEPT_MS)
  const isDisowned = renamed.some(
    (event) => signIns.has(event.by_sign_in_id ?? '') || keys.has(event.by_api_key_id ?? '') || event.at_ms >= sinceMs,
  )
  if (!isDisowned) return
  await renameUser(trx, user.id, null)
  await recordEvent(trx, deps, { userId: user.id, type: 'renamed' }, source)
}
