import type { DatabaseSync } from 'node:sqlite'

export type AccessChanges = Readonly<{
  /** Whether access may have changed since the last call. */
  takeChange(): boolean
}>

/**
 * Watches which commits of this connection change access, by triggers: no statement can do so unnoticed. Access changes
 * with a user's `token_version`, and comes back to a disabled account and to a key that waits for its owner. Before the
 * tables exist, each commit may change it.
 */
export function watchAccessChanges(file: DatabaseSync): AccessChanges {
  if (file.prepare("select 1 from sqlite_schema where name = 'users'").get() === undefined) {
    return { takeChange: () => true }
  }
  let isChanged = false
  file.function('note_access_change', () => {
    isChanged = true
    return null
  })
  file.exec(`
    create temp trigger access_of_users after update of token_version, disabled_at_ms on main.users
      when new.token_version <> old.token_version or (old.disabled_at_ms is not null and new.disabled_at_ms is null)
      begin select note_access_change(); end;
    create temp trigger access_of_keys after update of awaits_owner_at_ms, revoked_at_ms on main.api_keys
      when (old.awaits_owner_at_ms is not null and new.awaits_owner_at_ms is null)
        or (old.revoked_at_ms is not null and new.revoked_at_ms is null)
      begin select note_access_change(); end`)
  return {
    takeChange() {
      const wasChanged = isChanged
      isChanged = false
      return wasChanged
    },
  }
}
