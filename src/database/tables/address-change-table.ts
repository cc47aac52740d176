/**
 * A change of an account's address. It is pending until it is confirmed or ended. Then the old address is reserved, and
 * its holder can undo the change, until `undo_until_ms` or until it is ended.
 */
export interface AddressChangesTable {
  id: string
  user_id: string
  old_email: string
  new_email: string
  /** The sign-in that asked; only it can confirm. */
  sign_in_id: string
  /** Of the user at the request: a higher one ends a pending change. It also orders confirmed changes. */
  token_version: number
  asked_at_ms: number
  /** Of the pending change: later than the expiry of any link mailed for it. */
  expires_at_ms: number
  confirmed_at_ms: number | null
  undo_until_ms: number | null
  /** When it was replaced by another while pending, or undone. */
  ended_at_ms: number | null
  /** When the owner deleted the account, which is erased after `undo_until_ms`. */
  deletion_asked_at_ms: number | null
  /** Once confirmed: the Google connections before, as a JSON array of rows of `identities`. */
  identities: string | null
  /** The row is kept until no button of a mail about the change works. */
  kept_until_ms: number
}
