/** Takes over every revocation since the backup from the replaced database into the restored one. */
import type { Selectable } from 'kysely'
import type { Queries, Transaction } from '../database/database.ts'
import { eraseBatch, finishErasing } from '../database/erase-rows.ts'
import type { ApiKeysTable } from '../database/tables/key-tables.ts'
import type { Tables, UsersTable } from '../database/tables/tables.ts'
import { deleteIdentity } from '../domain/google/identity-store.ts'
import { updateKey } from '../domain/keys/key-store.ts'
import { narrow } from '../domain/keys/restrictions/restrictions.ts'
import { recordAccountChange } from '../domain/users/account-change-store.ts'
import { eraseAccount } from '../domain/users/erase-account.ts'
import type { Moved } from './take-over-addresses.ts'
import { takeOverMakers, withdrawKept } from './take-over-makers.ts'

export type TakeOverCounts = {
  usersDeleted: number
  usersDisabled: number
  keysRevoked: number
  /** Keys that await their owners, because it is unknown whether they were revoked. */
  keysWaiting: number
  identitiesRemoved: number
  paymentLinksDeactivated: number
}

export type TakeOver = Readonly<{
  trx: Transaction
  /** Undefined when there is none, or it cannot be read. */
  replaced: Queries | undefined
  nowMs: number
  /** Whether keys and identities that `replaced` does not have keep working. */
  isTrusting: boolean
  /** Links that ended longer ago may have been deleted from `replaced`. */
  paymentLinkRetentionMs: number
  /** Filled by `takeOverUsers`. */
  moved: Moved
  done: TakeOverCounts
}>

type User = Selectable<UsersTable>
type ApiKey = Selectable<ApiKeysTable>

/** A row of the replaced database, perhaps of another version: columns that it lacks are undefined. */
type Was<Row> = { readonly [Column in keyof Row]: Row[Column] | undefined }

/** Takes over deletion, disabling, claims, the higher `tokenVersion`, and disconnected Google accounts. */
export async function takeOverUsers(takeOver: TakeOver, users: readonly User[]): Promise<void> {
  const { trx, nowMs, done } = takeOver
  const before = await wasById<User>(takeOver, 'users', users)
  await takeOverIdentities(takeOver, users, before)
  for (const user of users) {
    const was = before.get(user.id)
    if (was === undefined || user.deleted_at_ms !== null) continue
    if ((was.deleted_at_ms ?? null) !== null) {
      await eraseAtOnce(trx, user, was.deleted_at_ms ?? nowMs)
      // Again, at this time: readers may have passed the time of the deletion.
      await recordAccountChange(trx, user.id, 'deleted', nowMs)
      done.usersDeleted += 1
      continue
    }
    // Each change of an address raises the version.
    const isLater = (was.token_version ?? 0) > user.token_version
    if (isLater && was.email !== undefined && was.email !== user.email)
      takeOver.moved.set(user.id, { from: user.email, to: was.email })
    const isClaimedSince = user.claimed_at_ms === null && (was.claimed_at_ms ?? null) !== null
    // Stored answers are of the time before the claim, and so is the display name.
    if (isClaimedSince) await trx.query.deleteFrom('idempotency_keys').where('user_id', '=', user.id).execute()
    const now = {
      token_version: Math.max(user.token_version, was.token_version ?? 0),
      claimed_at_ms: user.claimed_at_ms ?? was.claimed_at_ms ?? null,
      disabled_at_ms: user.disabled_at_ms ?? was.disabled_at_ms ?? null,
      name: isClaimedSince ? (was.name ?? null) : user.name,
      payment_link_count: isClaimedSince ? 0 : user.payment_link_count,
    }
    if (now.disabled_at_ms !== user.disabled_at_ms) done.usersDisabled += 1
    if (isChanged(user, now)) await trx.query.updateTable('users').set(now).where('id', '=', user.id).execute()
    // Also where the replaced database had enabled it again.
    if (now.disabled_at_ms !== null) await recordAccountChange(trx, user.id, 'disabled', nowMs)
  }
}

// As if its owner had deleted it. The rows are erased at once, because nothing else runs.
async function eraseAtOnce(trx: Transaction, user: User, deletedAtMs: number): Promise<void> {
  await eraseAccount(trx, user, deletedAtMs)
  while ((await eraseBatch(trx, user.id, ERASED_AT_ONCE)) > 0);
  await finishErasing(trx, user.id)
}

const ERASED_AT_ONCE = 500

const nameOf = ({ issuer, subject, user_id }: Tables['identities']) => JSON.stringify([issuer, subject, user_id])

// A disconnected identity must not sign in again; one of an account unknown there may have been disconnected too.
async function takeOverIdentities(
  { trx, replaced, isTrusting, done }: TakeOver,
  users: readonly User[],
  before: ReadonlyMap<string, Was<User>>,
): Promise<void> {
  const ids = users.map(({ id }) => id)
  const there = await replaced?.query.selectFrom('identities').selectAll().where('user_id', 'in', ids).execute()
  const known = new Set(there?.map(nameOf))
  for (const identity of await trx.query.selectFrom('identities').selectAll().where('user_id', 'in', ids).execute()) {
    if (known.has(nameOf(identity)) || (isTrusting && !before.has(identity.user_id))) continue
    await deleteIdentity(trx, identity)
    done.identitiesRemoved += 1
  }
}

/** Takes over revocations, waiting for the owner, restrictions, the secret of the last rotation, and makers. */
export async function takeOverKeys(takeOver: TakeOver, keys: readonly ApiKey[]): Promise<void> {
  const { trx, replaced, nowMs, isTrusting, done } = takeOver
  const before = await wasById<ApiKey>(takeOver, 'api_keys', keys)
  const withDeletedKeys = await accountsWithDeletedKeys(takeOver, keys)
  const revokedAtMs = await revokedAndDeleted(
    takeOver,
    keys.filter(({ id }) => !before.has(id)),
  )
  const unknown: ApiKey[] = []
  for (const key of keys) {
    const was = before.get(key.id)
    const isLive = key.revoked_at_ms === null && (key.expires_at_ms ?? Infinity) > nowMs
    const tombstoneMs = revokedAtMs.get(key.id)
    if (tombstoneMs !== undefined) {
      if (!isLive) continue
      await updateKey(trx, key.id, { revoked_at_ms: tombstoneMs })
      done.keysRevoked += 1
      continue
    }
    if (was === undefined) {
      const isToWait = !isTrusting || withDeletedKeys.has(key.user_id)
      if (isLive && key.awaits_owner_at_ms === null && isToWait) unknown.push(key)
      continue
    }
    const now = {
      revoked_at_ms: key.revoked_at_ms ?? was.revoked_at_ms ?? null,
      awaits_owner_at_ms: key.awaits_owner_at_ms ?? was.awaits_owner_at_ms ?? null,
      restrictions: narrow(key.restrictions, was.restrictions ?? null),
      effective_restrictions: narrow(key.effective_restrictions, was.effective_restrictions ?? null),
      // The earlier secret was revoked by the rotation.
      ...((was.rotated_at_ms ?? 0) > (key.rotated_at_ms ?? 0) && secretOf(was)),
    }
    if (now.revoked_at_ms !== key.revoked_at_ms) done.keysRevoked += 1
    if (isChanged(key, now)) await updateKey(trx, key.id, now)
  }
  if (unknown.length > 0) {
    const ids = unknown.map(({ id }) => id)
    await trx.query.updateTable('api_keys').set({ awaits_owner_at_ms: nowMs }).where('id', 'in', ids).execute()
    // An app cannot be kept: the restore voided its token, and the owner connects it again.
    done.keysWaiting += unknown.filter(({ kind }) => kind === 'key').length
  }
  if (replaced === undefined) return
  await takeOverMakers(trx, replaced, keys)
  await withdrawKept(trx, replaced, keys)
}

// A key that is live here may have ended there and been deleted.
async function accountsWithDeletedKeys({ replaced }: TakeOver, keys: readonly ApiKey[]): Promise<Set<string>> {
  if (replaced === undefined || keys.length === 0) return new Set()
  const ids = [...new Set(keys.map((key) => key.user_id))]
  const rows = await replaced.query
    .selectFrom('key_makers')
    .select('key_id')
    .distinct()
    .where('key_id', 'in', ids)
    .execute()
  return new Set(rows.map((row) => row.key_id))
}

/** By id, when keys were revoked whose records the replaced database has deleted. */
async function revokedAndDeleted({ replaced }: TakeOver, keys: readonly ApiKey[]): Promise<Map<string, number>> {
  if (replaced === undefined || keys.length === 0) return new Map()
  const ids = keys.map(({ id }) => id)
  const found = await replaced.query.selectFrom('revoked_keys').selectAll().where('id', 'in', ids).execute()
  return new Map(found.map((key) => [key.id, key.revoked_at_ms]))
}

function secretOf(was: Was<ApiKey>): Partial<ApiKey> {
  const { rotated_at_ms = null, previous_secret_hash = null, previous_secret_until_ms = null, secret_hash } = was
  return { rotated_at_ms, previous_secret_hash, previous_secret_until_ms, ...(secret_hash && { secret_hash }) }
}

/** Rows of the replaced database. */
export async function wasById<Row extends { id: string }>(
  { replaced }: TakeOver,
  table: 'users' | 'api_keys' | 'payment_links',
  rows: readonly Row[],
): Promise<Map<string, Was<Row>>> {
  if (replaced === undefined || rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const found = await replaced.query
    .selectFrom(table as 'users')
    .selectAll()
    .where('id', 'in', ids)
    .execute()
  return new Map(found.map((row) => [row.id, row as unknown as Was<Row>]))
}

function isChanged<Row extends object>(row: Row, now: Partial<Row>): boolean {
  return (Object.keys(now) as (keyof Row)[]).some((column) => now[column] !== row[column])
}
