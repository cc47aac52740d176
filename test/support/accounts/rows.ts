import type { ApiKeysTable } from '../../../src/database/tables/key-tables.ts'
import type { SignInsTable, UsersTable } from '../../../src/database/tables/tables.ts'

/** A claimed user. */
export const userRow = (id: string, changes: Partial<UsersTable> = {}): UsersTable => ({
  id,
  email: `${id}@example.com`,
  role: 'USER',
  name: id,
  token_version: 1,
  claimed_at_ms: 1,
  created_at_ms: 1,
  locale: 'en',
  deleted_at_ms: null,
  disabled_at_ms: null,
  payment_link_count: null,
  ...changes,
})

/** An active key of the user `ana`. */
export const keyRow = (id: string, changes: Partial<ApiKeysTable> = {}): ApiKeysTable => ({
  id,
  user_id: 'ana',
  name: id,
  key_id: `plk_${id}`,
  secret_hash: `secret of ${id}`,
  created_at_ms: 1,
  expires_at_ms: null,
  awaits_owner_at_ms: null,
  revoked_at_ms: null,
  last_used_at_ms: null,
  last_used_network: null,
  rotated_at_ms: null,
  previous_secret_hash: null,
  previous_secret_until_ms: null,
  week_notice_at_ms: null,
  day_notice_at_ms: null,
  family_id: null,
  restrictions: null,
  effective_restrictions: null,
  creator_id: null,
  kind: 'key',
  client_id: null,
  resource: null,
  token_version: null,
  ...changes,
})

/** A live sign-in of the user `ana`. */
export const signInRow = (id: string, changes: Partial<SignInsTable> = {}): SignInsTable => ({
  id,
  user_id: 'ana',
  method: 'magic_link',
  token_version: 1,
  created_at_ms: 1,
  expires_at_ms: 4e12,
  last_seen_at_ms: 1,
  ended_at_ms: null,
  browser: 'Chrome on Windows',
  client: '203.0.113.9',
  is_new_browser: 0,
  ...changes,
})
