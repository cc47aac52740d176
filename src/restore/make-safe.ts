/**
 * Makes a database safe that was restored from a backup: nothing that was used, voided or revoked since the backup
 * works again (docs/decisions/0019). Must run before any service uses the database.
 */
import { insertRevokedKeys } from '../domain/keys/key-end-store.ts'
import { spendAllIssuedUntil } from '../domain/sign-in/spent-credential-store.ts'
import { findLastPosition, raisePosition } from '../domain/users/account-change-store.ts'
import type { Queries, Transaction } from '../database/database.ts'
import { forEachPage } from '../database/pages.ts'
import { takeOverAddresses, takeOverChanges } from './take-over-addresses.ts'
import type { Moved } from './take-over-addresses.ts'
import { takeOverLinks } from './take-over-links.ts'
import { takeOverKeys, takeOverUsers } from './take-over.ts'
import type { TakeOver, TakeOverCounts } from './take-over.ts'

/** Added to every `tokenVersion`: more than any can have grown since a backup. */
const TOKEN_VERSION_INCREMENT = 1_000_000
/** Tolerance for an issuer's clock being ahead; ID tokens allow no more. */
const CLOCK_SKEW_MS = 10_000

export type MakeSafeCounts = TakeOverCounts & Readonly<{ users: number }>

export type MakeSafeOptions = Pick<TakeOver, 'nowMs' | 'isTrusting' | 'paymentLinkRetentionMs'> &
  Readonly<{
    /** Called for every few hundred rows. */
    onRows(count: number): void
  }>

/**
 * Runs in the caller's transaction.
 * @param replaced the database before the restore; undefined when there is none, or it cannot be read. Where both have
 * a row, the stricter state wins: whichever database is older, what was revoked in one stays revoked
 */
export async function makeSafe(
  trx: Transaction,
  replaced: Queries | undefined,
  { nowMs, isTrusting, paymentLinkRetentionMs, onRows }: MakeSafeOptions,
): Promise<MakeSafeCounts> {
  await voidLinksAndMails(trx, nowMs)
  if (replaced !== undefined) await raisePosition(trx, await findLastPosition(replaced))
  const done = {
    usersDeleted: 0,
    usersDisabled: 0,
    keysRevoked: 0,
    keysWaiting: 0,
    identitiesRemoved: 0,
    paymentLinksDeactivated: 0,
  }
  const moved: Moved = new Map()
  const takeOver: TakeOver = { trx, replaced, nowMs, isTrusting, paymentLinkRetentionMs, moved, done }
  let users = 0
  await forEachPage(trx, 'users', 'id', async (page) => {
    await takeOverUsers(takeOver, page)
    users += page.length
    onRows(page.length)
  })
  await takeOverAddresses(trx, moved)
  // After the higher version of both was taken over.
  await trx.query
    .updateTable('users')
    .set((row) => ({ token_version: row('token_version', '+', TOKEN_VERSION_INCREMENT) }))
    .execute()
  await forEachPage(trx, 'api_keys', 'id', async (page) => {
    await takeOverKeys(takeOver, page)
    onRows(page.length)
  })
  if (replaced === undefined) return { ...done, users }
  await takeOverChanges(trx, replaced)
  await forEachPage(trx, 'payment_links', 'id', async (page) => {
    await takeOverLinks(takeOver, page)
    onRows(page.length)
  })
  // A later restore needs them too.
  await forEachPage(replaced, 'revoked_keys', 'id', async (page) => {
    await insertRevokedKeys(
      trx,
      page.map(({ id, revoked_at_ms }) => ({ id, revoked_at_ms })),
    )
  })
  await forEachPage(replaced, 'mail_pauses', 'email', async (page) => {
    // By name: a newer version may have more columns.
    const pauses = page.map(({ email, paused_at_ms, mailed_at_ms }) => ({ email, paused_at_ms, mailed_at_ms }))
    await trx.query
      .insertInto('mail_pauses')
      .values(pauses)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
  return { ...done, users }
}

async function voidLinksAndMails(trx: Transaction, nowMs: number): Promise<void> {
  // Links in mailboxes, and queued mails about a time that is over.
  await trx.query.deleteFrom('magic_links').execute()
  await trx.query.deleteFrom('mail_buttons').execute()
  await trx.query.deleteFrom('queued_mails').execute()
  await trx.query.deleteFrom('authorization_requests').execute()
  await trx.query.deleteFrom('address_changes').where('confirmed_at_ms', 'is', null).execute()
  await spendAllIssuedUntil(trx, nowMs + CLOCK_SKEW_MS)
}
