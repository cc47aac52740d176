import type { Transaction } from '../../database/database.ts'
import { deleteMakers, MAX_MAKERS } from '../keys/key-maker-store.ts'
import type { KeyMaker } from '../keys/key-maker-store.ts'
import { quarantineKeys } from '../keys/key-store.ts'
import type { User } from '../users/user-store.ts'

/**
 * Lets disowned keys await the owner, and deletes `kept` decisions that were not the owner's: payment links that those
 * keys created before the claim are held again, even if the key is revoked or deleted. The caller holds the user's lock.
 * @param disowned `makers`: of `findMakersUpToBound`; `keys`: undefined for all; `signIns`, `sinceMs`: who decided, or
 * since when
 */
export async function withdrawKeys(
  trx: Transaction,
  user: User,
  nowMs: number,
  { makers, keys, signIns, sinceMs }: Disowned,
): Promise<void> {
  // If not all makers were read, it is unknown which keys are the owner's.
  const isTruncated = makers.length > MAX_MAKERS
  await quarantineKeys(trx, user.id, nowMs, isTruncated ? undefined : keys)
  const isDisowned = (row: KeyMaker) => signIns.has(row.sign_in_id ?? '') || (row.last_at_ms ?? row.at_ms) >= sinceMs
  const kept = makers.filter((row) => row.how === 'kept' && isDisowned(row))
  await deleteMakers(
    trx,
    kept.map(({ id }) => id),
  )
}

type Disowned = Readonly<{
  makers: readonly KeyMaker[]
  keys: ReadonlySet<string> | undefined
  signIns: ReadonlySet<string>
  sinceMs: number
}>
