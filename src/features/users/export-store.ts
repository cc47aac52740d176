/** What an export reads page by page, and others as a whole or only in part: all keys of a user, and who made them. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { ApiKey } from '../../accounts/key-store.ts'
import type { KeyMaker } from '../../accounts/key-maker-store.ts'
import type { Db } from '../../db/db.ts'

/** Keys the user ever had, newest first, from behind one. */
export function findKeysBehind(db: Db, userId: string, after: ApiKey | undefined, limit: number): Promise<ApiKey[]> {
  let keys = db.selectFrom('api_keys').selectAll().where('user_id', '=', userId)
  if (after !== undefined) keys = keys.where(sql<SqlBool>`(created_at_ms, id) < (${after.created_at_ms}, ${after.id})`)
  return keys.orderBy('created_at_ms', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** What was done to the user's keys, oldest first, from behind one of it. */
export function findMakersBehind(db: Db, userId: string, after: KeyMaker | undefined, limit: number): Promise<KeyMaker[]> {
  let makers = db.selectFrom('key_makers').selectAll().where('user_id', '=', userId)
  if (after !== undefined) makers = makers.where(sql<SqlBool>`(at_ms, id) > (${after.at_ms}, ${after.id})`)
  return makers.orderBy('at_ms').orderBy('id').limit(limit).execute()
}
