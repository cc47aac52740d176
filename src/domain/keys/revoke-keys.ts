/** Revokes API keys: they and their tokens stop working when the transaction commits. */
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { familyOf } from './key-family.ts'
import { findMakersThatAreKeys } from './key-maker-store.ts'
import { findKeysOfUser, setRevoked } from './key-store.ts'
import type { ApiKey } from './key-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { DomainDeps } from '../deps.ts'

/**
 * The caller holds the user's lock; for descendants it has brought the account within its bounds.
 * @param options `withDescendants`: also its family, as of `familyOf`; `within`: of these keys only
 * @param source absent when the operator revokes
 * @returns the key after the call, and how many keys this call revoked
 */
export async function revokeKeys(
  deps: Pick<DomainDeps, 'clock' | 'random'>,
  trx: Transaction,
  key: ApiKey,
  options: Readonly<{ withDescendants: boolean; within?: ReadonlySet<string> | undefined }>,
  source?: EventSource,
): Promise<{ revoked: ApiKey; count: number }> {
  const nowMs = deps.clock.now()
  const { within } = options
  const keys = options.withDescendants ? await withDescendants(trx, key, nowMs) : [key]
  const unrevoked = keys.filter((one) => one.revoked_at_ms === null && within?.has(one.id) !== false)
  await setRevoked(
    trx,
    unrevoked.map(({ id }) => id),
    nowMs,
  )
  const detail = source === undefined ? 'operator' : undefined
  for (const { id, user_id: userId, kind } of unrevoked) {
    const type = kind === 'app' ? 'app_disconnected' : 'key_revoked'
    await recordEvent(trx, deps, { userId, type, apiKeyId: id, detail }, source)
  }
  return { revoked: { ...key, revoked_at_ms: key.revoked_at_ms ?? nowMs }, count: unrevoked.length }
}

async function withDescendants(trx: Transaction, { id, user_id: userId }: ApiKey, nowMs: number): Promise<ApiKey[]> {
  const family = familyOf(await findMakersThatAreKeys(trx, userId), [id])
  return (await findKeysOfUser(trx, userId, nowMs)).filter((key) => family.has(key.id))
}
