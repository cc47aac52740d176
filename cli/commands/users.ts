import { findDeletionAsked, findUndoableChanges } from '../../src/domain/address-change/address-change-store.ts'
import { findEvents } from '../../src/domain/events/event-store.ts'
import { recordEvent } from '../../src/domain/events/security-events.ts'
import { findIdentitiesOf } from '../../src/domain/google/identity-store.ts'
import { statusOf } from '../../src/domain/keys/key-status.ts'
import { findLiveApps } from '../../src/domain/keys/key-app-store.ts'
import { findAllKeysOfUser } from '../../src/domain/keys/key-store.ts'
import { DEFAULT_CURRENCY } from '../../src/domain/payment-links/currency.ts'
import { findUsers, incrementTokenVersion } from '../../src/domain/users/user-store.ts'
import type { User } from '../../src/domain/users/user-store.ts'
import type { Transaction } from '../../src/database/database.ts'
import { disableAccount, enableAccount } from '../../src/domain/users/disable-account.ts'
import { exportAccount } from '../../src/domain/users/account-export.ts'
import { eraseAccount } from '../../src/domain/users/erase-account.ts'
import { writeErrorLine, writeJson, writeLine } from '../../src/lib/text/terminal.ts'
import { EXIT_USAGE, OperatorError } from '../../src/lib/process/operator-error.ts'
import { confirm, onDatabase, requireConfirmable } from '../command.ts'
import { deleteUnclaimed, eraseRest } from './delete-unclaimed.ts'
import type { CoreDeps } from '../../src/domain/deps.ts'
import { findUserByName, withLockedUser } from '../named-user.ts'
import { isoTime, formatValue, formatTime, writeFields, writeTable } from '../output.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 10_000
const EVENTS_SHOWN = 10

export type UserOptions = Readonly<{
  json?: boolean
  yes?: boolean
  search?: string
  after?: string
  limit?: string
  'unclaimed-since'?: string
}>

export function listUsers({ json, search, after = '', limit: asked }: UserOptions): Promise<void> {
  const limit = asked === undefined ? DEFAULT_LIMIT : Number(asked)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new OperatorError(`--limit must be a number from 1 to ${MAX_LIMIT}.`, EXIT_USAGE)
  }
  return onDatabase(async ({ db }) => {
    const found = await findUsers(db, after, limit + 1, search?.toLowerCase())
    const users = found.slice(0, limit)
    const next = found.length > limit ? (users.at(-1)?.id ?? null) : null
    if (json) return writeJson({ users: users.map(toJson), next })
    const rows = users.map((user) => [
      user.id,
      user.email,
      stateOf(user),
      formatTime(user.created_at_ms),
      formatValue(user.name),
    ])
    writeTable(['ID', 'E-MAIL', 'STATE', 'CREATED', 'NAME'], rows)
    if (next !== null) writeErrorLine(`More users: --after ${next}`)
  })
}

export function showUser(name: string, { json }: UserOptions): Promise<void> {
  return onDatabase(async ({ db, clock }) => {
    const user = await findUserByName(db, name)
    const identities = await findIdentitiesOf(db, user.id)
    const keys = (await findAllKeysOfUser(db, user.id)).filter(({ kind }) => kind === 'key')
    const apps = await findLiveApps(db, user, clock.now())
    const changes = await findUndoableChanges(db, user.id, clock.now())
    const deletion = await findDeletionAsked(db, user.id)
    const events = await findEvents(db, user.id, { after: undefined, limit: EVENTS_SHOWN, hiddenTypes: [] })
    const byStatus = Map.groupBy(keys, (key) => statusOf(key, clock.now()))
    const keyCounts = Object.fromEntries([...byStatus].map(([status, some]) => [status, some.length]))
    if (json) {
      return writeJson({
        user: toJson(user),
        google: identities.map(({ email, connected_at_ms }) => ({ email, connectedAt: isoTime(connected_at_ms) })),
        reservedAddresses: changes.map((one) => ({ email: one.old_email, until: isoTime(one.undo_until_ms) })),
        erasedAt: isoTime(deletion?.undo_until_ms ?? null),
        keys: keyCounts,
        apps: apps.length,
        events: events.map((event) => {
          const { type, at_ms, client, browser, api_key_id: apiKeyId, detail, times } = event
          const signIns = { signInId: event.sign_in_id, bySignInId: event.by_sign_in_id }
          return { type, at: isoTime(at_ms), client, browser, apiKeyId, ...signIns, detail, times }
        }),
      })
    }
    const counted = Object.entries(keyCounts).map(([status, count]) => `${count} ${status}`)
    writeFields({
      id: user.id,
      'e-mail': user.email,
      name: formatValue(user.name),
      state: stateOf(user),
      role: user.role,
      tokenVersion: String(user.token_version),
      created: formatTime(user.created_at_ms),
      'address proven': formatTime(user.claimed_at_ms),
      disabled: formatTime(user.disabled_at_ms),
      'deleted by its owner, erased': formatTime(deletion?.undo_until_ms ?? null),
      'reserved addresses':
        changes.map((one) => `${one.old_email} until ${formatTime(one.undo_until_ms)}`).join(', ') || '–',
      Google: identities.map(({ email }) => formatValue(email)).join(', ') || '–',
      'API keys': counted.join(', ') || '–',
      'connected apps': String(apps.length),
    })
    writeLine()
    const rows = events.map(({ type, at_ms, client, browser, by_sign_in_id, sign_in_id, detail, times }) => {
      const from = [client, browser].filter((part) => part !== null).join(', ')
      const signIn = formatValue(by_sign_in_id ?? sign_in_id)
      const often = times > 1 ? `${times}×` : ''
      return [formatTime(at_ms), type, formatValue(from || null), signIn, often, formatValue(detail)]
    })
    writeTable(['AT', 'EVENT', 'FROM', 'SIGN-IN', 'TIMES', 'DETAIL'], rows)
  })
}

/** The document of `GET /users/me/export`, on standard output; the owner sees that it was made. */
export function exportUser(name: string): Promise<void> {
  return onDatabase(async (deps) => {
    const found = await findUserByName(deps.db, name)
    const user = await withLockedUser(deps.db, found, async (trx, locked) => {
      await recordEvent(trx, deps, { userId: locked.id, type: 'exported', detail: 'operator' })
      return locked
    })
    const fields = await exportAccount({ ...deps, sampleRates: {} }, user, DEFAULT_CURRENCY, async () => {})
    const document: Record<string, unknown> = {}
    for (const [field, value] of Object.entries(fields)) document[field] = isPaged(value) ? await allOf(value) : value
    writeJson(document)
  })
}

const isPaged = (value: unknown): value is AsyncIterable<unknown[]> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

async function allOf(pages: AsyncIterable<unknown[]>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const page of pages) all.push(...page)
  return all
}

/** API keys and magic links keep working. */
export function revokeTokens(name: string, options: UserOptions): Promise<void> {
  return change(name, options, 'Sign out everywhere', signOutEverywhere, { isRevocation: true })
}

const signOutEverywhere: Change = async (deps, trx, user) => {
  await incrementTokenVersion(trx, user.id)
  await recordEvent(trx, deps, { userId: user.id, type: 'tokens_revoked', detail: 'operator' })
  return 'All tokens issued so far are revoked. API keys can still be exchanged for new tokens.'
}

export function disableUser(name: string, options: UserOptions): Promise<void> {
  return change(name, options, 'Disable', disable, { isRevocation: true })
}

const disable: Change = async (deps, trx, user) =>
  (await disableAccount(deps, trx, user))
    ? 'Disabled. All credentials of the account are refused.'
    : 'The user was already disabled.'

/** Keys and sign-in work again; tokens issued before stay revoked. */
export function enableUser(name: string, options: UserOptions): Promise<void> {
  return change(name, { ...options, yes: true }, 'Enable', async (deps, trx, user) => {
    const isDeleted = (await findDeletionAsked(trx, user.id)) !== undefined
    if (!(await enableAccount(deps, trx, user))) return 'The user was not disabled.'
    const done = 'Enabled. Tokens issued before stay revoked.'
    return isDeleted ? `${done} The deletion that the owner had asked for is cancelled.` : done
  })
}

/** Returns when the last row is gone; if interrupted, the service erases the rest. */
export function deleteUsers(name: string | undefined, options: UserOptions): Promise<void> {
  const since = options['unclaimed-since']
  if ((name === undefined) === (since === undefined))
    throw new OperatorError('Name either a USER or --unclaimed-since DATE.', EXIT_USAGE)
  if (since !== undefined) return deleteUnclaimed(since, options)
  return change(name ?? '', options, 'Permanently delete, with all keys and payment links,', eraseAtOnce, {
    isRevocation: true,
    afterwards: eraseRest,
  })
}

const eraseAtOnce: Change = async ({ clock }, trx, user) => {
  await eraseAccount(trx, user, clock.now())
  return 'Deleted. The address is free for a new account.'
}

/** Changes the locked user. @returns the message to print */
type Change = (deps: CoreDeps, trx: Transaction, user: User) => Promise<string>

type ChangeOptions = Readonly<{
  /** The change ends access, and succeeds on a full disk too. */
  isRevocation?: boolean
  /** Runs once the change is committed. */
  afterwards?: (deps: CoreDeps) => Promise<void>
}>

function change(
  name: string,
  options: UserOptions,
  what: string,
  write: Change,
  { isRevocation = false, afterwards }: ChangeOptions = {},
): Promise<void> {
  requireConfirmable(options)
  return onDatabase(async (deps) => {
    const user = await findUserByName(deps.db, name)
    await confirm(`${what} ${user.email} (${user.id})?`, options)
    const done = await withLockedUser(deps.db, user, (trx, locked) => write(deps, trx, locked), { isRevocation })
    await afterwards?.(deps)
    if (options.json) writeJson({ user: { id: user.id, email: user.email }, done })
    else writeLine(`${user.email}: ${done}`)
  })
}

function stateOf({ disabled_at_ms: disabledAtMs, claimed_at_ms: claimedAtMs }: User): string {
  if (disabledAtMs !== null) return 'DISABLED'
  return claimedAtMs === null ? 'UNCLAIMED' : 'ACTIVE'
}

function toJson(user: User) {
  const { id, email, name, role } = user
  return {
    id,
    email,
    name,
    role,
    state: stateOf(user),
    tokenVersion: user.token_version,
    createdAt: isoTime(user.created_at_ms),
    claimedAt: isoTime(user.claimed_at_ms),
    disabledAt: isoTime(user.disabled_at_ms),
  }
}
