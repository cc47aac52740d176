import { describeKey } from '../../src/domain/keys/describe-key.ts'
import { recordEvent } from '../../src/domain/events/security-events.ts'
import { isKeyId } from '../../src/domain/keys/key-secret.ts'
import { recordMaker } from '../../src/domain/keys/key-maker-store.ts'
import { trimKeyHistory, makeRoomForKey } from '../../src/domain/keys/key-history.ts'
import { findKeyForExchange } from '../../src/domain/keys/key-exchange-store.ts'
import { findAllKeysOfUser, findKeysById, insertKey } from '../../src/domain/keys/key-store.ts'
import type { Transaction } from '../../src/database/database.ts'
import { findUser } from '../../src/domain/users/user-store.ts'
import type { User } from '../../src/domain/users/user-store.ts'
import { keyLimitReached } from '../../src/domain/keys/key-limit.ts'
import { queueNotice } from '../../src/domain/mails/notices.ts'
import { MAX_LIFETIME_DAYS, newKey } from '../../src/domain/keys/new-key.ts'
import { parseRestrictions, storeRestrictions } from '../../src/domain/keys/restrictions/restrictions.ts'
import type { Amounts, StoredRestrictions } from '../../src/domain/keys/restrictions/restrictions.ts'
import { scopeNames } from '../../src/domain/keys/restrictions/scopes.ts'
import type { Scope } from '../../src/domain/keys/restrictions/scopes.ts'
import { revokeKeys } from '../../src/domain/keys/revoke-keys.ts'
import { formatAmount } from '../../src/domain/payment-links/currency.ts'
import type { Currency } from '../../src/domain/payment-links/currency.ts'
import { isDisplayText, MAX_DISPLAY_LENGTH } from '../../src/lib/text/display-text.ts'
import { writeErrorLine, writeJson, writeLine } from '../../src/lib/text/terminal.ts'
import { EXIT_USAGE, OperatorError } from '../../src/lib/process/operator-error.ts'
import { confirm, onDatabase, requireConfirmable } from '../command.ts'
import { findUserByName, withLockedUser } from '../named-user.ts'
import { formatValue, formatTime, writeTable } from '../output.ts'

export type KeyOptions = Readonly<{
  json?: boolean
  yes?: boolean
  name?: string
  'expires-in-days'?: string
  scopes?: string
  'with-descendants'?: boolean
}>

export function listKeys(name: string, { json }: KeyOptions): Promise<void> {
  return onDatabase(async ({ db, clock }) => {
    const user = await findUserByName(db, name)
    const found = (await findAllKeysOfUser(db, user.id)).filter(({ kind }) => kind === 'key')
    const keys = found.map((key) => ({ key, answer: describeKey(key, clock.now()) }))
    if (json) return writeJson({ apiKeys: keys.map(({ answer }) => answer) })
    const rows = keys.map(({ key, answer }) => [
      key.id,
      key.key_id,
      answer.status,
      formatTime(key.created_at_ms),
      formatTime(key.last_used_at_ms),
      formatTime(key.expires_at_ms),
      sayRestrictions(key.effective_restrictions),
      formatValue(key.name),
    ])
    writeTable(['ID', 'KEY ID', 'STATUS', 'CREATED', 'LAST USED', 'EXPIRES', 'RESTRICTED TO', 'NAME'], rows)
  })
}

/** What the key may do, with the keys above it; `-` if everything. */
export function sayRestrictions(stored: StoredRestrictions): string {
  const { scopes, networks, currencies, maxAmount, dailyAmount } = parseRestrictions(stored) ?? {}
  const parts = [scopes, networks, currencies].map((list) => list && (list.join(' ') || 'nothing'))
  return [...parts, sayAmounts(maxAmount, 'a link'), sayAmounts(dailyAmount, 'a day')].filter(Boolean).join('; ') || '-'
}

const sayAmounts = (amounts: Amounts | undefined, per: string) =>
  amounts && `${amountsIn(amounts).join(' ') || 'nothing'} ${per}`

const amountsIn = (amounts: Amounts): string[] =>
  (Object.entries(amounts) as [Currency, number][]).map(([currency, amount]) => formatAmount(amount, currency))

/** A proven owner is notified by mail, as of every new key. */
export function createKey(name: string, options: KeyOptions): Promise<void> {
  const keyName = options.name
  if (keyName !== undefined && (Array.from(keyName).length > MAX_DISPLAY_LENGTH || !isDisplayText(keyName))) {
    throw new OperatorError(
      `--name must be 1 to ${MAX_DISPLAY_LENGTH} characters, without control characters and with at most four combining marks in a row.`,
      EXIT_USAGE,
    )
  }
  const days = options['expires-in-days'] === undefined ? undefined : Number(options['expires-in-days'])
  if (days !== undefined && (!Number.isInteger(days) || days < 1 || days > MAX_LIFETIME_DAYS)) {
    throw new OperatorError(`--expires-in-days must be a number from 1 to ${MAX_LIFETIME_DAYS}.`, EXIT_USAGE)
  }
  const restrictions = options.scopes === undefined ? null : storeRestrictions({ scopes: readScopes(options.scopes) })
  return onDatabase(async (deps) => {
    const { db, clock } = deps
    const found = await findUserByName(db, name)
    await makeRoomForKey(deps, found.id)
    const key = await withLockedUser(db, found, async (trx, user) => {
      const nowMs = clock.now()
      if (user.disabled_at_ms !== null) throw new OperatorError(`${user.email} is disabled. Enable the user first.`)
      const limit = await keyLimitReached(trx, user.id, nowMs)
      if (limit !== undefined) throw new OperatorError(`${user.email}: ${limit.message}`)
      const made = newKey(deps, { userId: user.id, name: keyName, expiresInDays: days, restrictions })
      const { id } = made.row
      await insertKey(trx, made.row)
      await recordMaker(
        trx,
        { user_id: user.id, key_id: id, how: 'created', maker_key_id: null, sign_in_id: null },
        nowMs,
      )
      await recordEvent(trx, deps, { userId: user.id, type: 'key_created', apiKeyId: id, detail: 'operator' })
      await queueNotice(deps, trx, 'security_notice', user, nowMs)
      return made
    })
    if (options.json) return writeJson({ apiKey: describeKey(key.row, clock.now()), keySecret: key.secret })
    writeLine(`keyId      ${key.row.key_id}`)
    writeLine(`keySecret  ${key.secret}`)
    writeErrorLine('The secret is shown only once.')
  })
}

/** Also those that no call of the API gives. @throws {OperatorError} */
function readScopes(list: string): Scope[] {
  return list.split(',').map((name) => {
    const scope = scopeNames.find((one) => one === name)
    if (scope === undefined) throw new OperatorError(`--scopes must be a list of ${scopeNames.join(', ')}.`, EXIT_USAGE)
    return scope
  })
}

export function revokeKey(name: string, options: KeyOptions): Promise<void> {
  requireConfirmable(options)
  return onDatabase(async (deps) => {
    const { db, clock } = deps
    const found = isKeyId(name) ? await findKeyForExchange(db, name) : undefined
    const user = found && (await findUser(db, found.user_id))
    const [key] = user ? await findKeysById(db, user.id, [found.id]) : []
    if (user === undefined || key === undefined)
      throw new OperatorError(`API key not found: ${name}. Use its keyId (plk_…).`)
    const withDescendants = options['with-descendants'] === true
    const also = withDescendants ? ' and every key that was created with it' : ''
    await confirm(`Revoke ${key.key_id} (“${formatValue(key.name)}”) of ${user.email}${also}?`, options)
    if (withDescendants) await trimKeyHistory(deps, user.id, { isRevocation: true })
    const revoke = async (trx: Transaction, locked: User) => {
      const [current] = await findKeysById(trx, locked.id, [key.id])
      if (current === undefined) throw new OperatorError(`API key not found: ${name}.`)
      return revokeKeys(deps, trx, current, { withDescendants })
    }
    const { revoked, count } = await withLockedUser(db, user, revoke, { isRevocation: true })
    if (options.json) return writeJson({ apiKey: describeKey(revoked, clock.now()), revoked: count })
    writeLine(
      count === 0 ? 'The key was already revoked.' : `Keys revoked: ${count}. Their tokens are refused from now on.`,
    )
  })
}
