import type { DatabaseSync } from 'node:sqlite'

export type TokenVersions = Readonly<{
  /** Whether a `token_version` may have changed since the last call. */
  takeRaise(): boolean
}>

/**
 * Watches which commits of this connection change a user's `token_version`, by a trigger: no statement can do so
 * unnoticed. Before the table exists, each commit may.
 */
export function watchTokenVersions(file: DatabaseSync): TokenVersions {
  if (file.prepare("select 1 from sqlite_schema where name = 'users'").get() === undefined) {
    return { takeRaise: () => true }
  }
  let isRaised = false
  file.function('note_token_version', () => {
    isRaised = true
    return null
  })
  file.exec(`create temp trigger note_token_version after update of token_version on main.users
    when new.token_version <> old.token_version begin select note_token_version(); end`)
  return {
    takeRaise() {
      const wasRaised = isRaised
      isRaised = false
      return wasRaised
    },
  }
}
