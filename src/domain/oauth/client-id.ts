import type { Queries } from '../../database/database.ts'
import { findKeysById } from '../keys/key-store.ts'
import type { Caller } from '../sign-in/authority.ts'

/** The OAuth client that a token was issued to: an app or an API key; `undefined` for a person's sign-in. */
export async function findClientId(
  db: Queries,
  { userId, apiKeyId }: Pick<Caller, 'userId' | 'apiKeyId'>,
): Promise<string | undefined> {
  if (apiKeyId === null) return undefined
  const [key] = await findKeysById(db, userId, [apiKeyId])
  return key?.client_id ?? key?.key_id
}
