/** Queries on the rows of apps in `api_keys`. */
import type { Queries } from '../../database/database.ts'
import { isRecordId } from '../../database/record-id.ts'
import { findKeysById } from './key-store.ts'
import type { ApiKey } from './key-store.ts'
import type { User } from '../users/user-store.ts'

/**
 * Apps of the user whose tokens are accepted, newest first. One that awaits the owner is not among them: every token of
 * the account was revoked with it, and an app gets no other.
 */
export function findLiveApps(
  db: Queries,
  { id, token_version: tokenVersion }: Pick<User, 'id' | 'token_version'>,
  nowMs: number,
): Promise<ApiKey[]> {
  return db.query
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', id)
    .where('kind', '=', 'app')
    .where('token_version', '=', tokenVersion)
    .where('awaits_owner_at_ms', 'is', null)
    .where('revoked_at_ms', 'is', null)
    .where('expires_at_ms', '>', nowMs)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** An app of the user, whether its access has ended or not; `id` may be any text. */
export async function findApp(db: Queries, userId: string, id: string): Promise<ApiKey | undefined> {
  const found = isRecordId(id) ? await findKeysById(db, userId, [id]) : []
  return found.find(({ kind }) => kind === 'app')
}
