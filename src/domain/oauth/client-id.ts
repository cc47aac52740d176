import type { Queries } from '../../database/database.ts'
import { findKey } from '../keys/key-store.ts'
import type { Caller } from '../sign-in/authority.ts'

/** The OAuth client that a token was issued to; `undefined` for a person's sign-in. */
export async function findClientId(
  db: Queries,
  { userId, apiKeyId }: Pick<Caller, 'userId' | 'apiKeyId'>,
): Promise<string | undefined> {
  return apiKeyId === null ? undefined : (await findKey(db, userId, apiKeyId))?.key_id
}
