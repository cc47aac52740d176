/** The model of the service: accounts, keys and tokens, without storage or HTTP. */
import { hasScope } from './restrictions.ts'
import type { ModelRestrictions } from './restrictions.ts'

const DAY_MS = 24 * 3600 * 1000

export type ModelKey = {
  id: string
  keyId: string
  secret: string
  previous: Readonly<{ secret: string; untilMs: number }> | null
  expiresAtMs: number | null
  waits: boolean
  isRevoked: boolean
  isKept?: true
  restrictions?: ModelRestrictions | null
}

export type ModelLink = {
  id: string
  key: ModelKey | null
  isOfOwner: boolean
  currency: string
  reference: string | null
  expiresAtMs: number | null
  isEnded: boolean
}

/** The holder of an address, with or without an account. */
export type ModelUser = {
  email: string
  account: ModelAccount | null
  /** Null: not paused; otherwise the time of the last mail during the pause, 0 for none. */
  pausedMailAtMs: number | null
  /** The account whose signup notice is held back by the pause. */
  heldNotice: ModelAccount | null
}

export type ModelAccount = {
  id: string
  name: string | null
  version: number
  isClaimed: boolean
  keys: ModelKey[]
  /** How each key was created, rotated or kept: by a key, or by a sign-in's id. */
  makers: Readonly<{ key: ModelKey; by: ModelKey | string; atMs: number; isCreation?: true }>[]
  events: string[]
  signIns: ModelSignIn[]
  /** Google accounts that a sign-in connected on the dashboard. */
  connections: Readonly<{ atMs: number; signInId: string }>[]
  /** Who gave the account a name: the first time within an hour. Null: nobody, it was cleared. */
  renames: Readonly<{ by: ModelKey | string | null; atMs: number }>[]
  /** The Google account that can sign in to it. */
  google: ModelIdentity | null
  links: ModelLink[]
  /** What keys created payment links for. */
  made: { key: ModelKey; day: string; currency: string; amount: number }[]
  /** Answers by Idempotency-Key. */
  kept: Map<string, Readonly<{ content: string; text: string; atMs: number }>>
}

export type ModelSignIn = {
  id: string
  method: 'magic_link' | 'google'
  version: number
  atMs: number
  isEnded: boolean
}

export type ModelIdentity = { subject: string; email: string; connectedAtMs: number; signInId: string }

export type ModelToken = Readonly<{
  text: string
  user: ModelUser
  account: ModelAccount
  version: number
  key: ModelKey | null
  signInId: string | null
  expiresAtMs: number
}>

/** The "not me" button of a sign-in mail, and the sign-in that used its link. */
export type ModelButton = {
  token: string
  user: ModelUser
  signInId: string | null
  isUsed: boolean
  expiresAtMs: number
}

export function statusOf(key: ModelKey, nowMs: number): string {
  if (key.isRevoked) return 'REVOKED'
  if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return 'EXPIRED'
  return key.waits ? 'AWAITS_OWNER' : 'ACTIVE'
}

export function linkStatusOf(account: ModelAccount, link: ModelLink, nowMs: number): string {
  if (link.isEnded || isHeld(account, link)) return 'INACTIVE'
  return link.expiresAtMs !== null && link.expiresAtMs <= nowMs ? 'EXPIRED' : 'ACTIVE'
}

/** Whether a link is held back until the owner keeps its key. */
export function isHeld(account: ModelAccount, link: ModelLink): boolean {
  return link.key?.waits === true || (account.isClaimed && !link.isOfOwner && link.key?.isKept !== true)
}

export const liveSignIns = ({ signIns, version }: ModelAccount, nowMs: number): ModelSignIn[] =>
  signIns.filter((one) => !one.isEnded && one.version === version && one.atMs + 7 * 24 * 3600 * 1000 > nowMs)

/** @param scope that the call needs too, of a restricted key */
export function isValid(token: ModelToken, nowMs: number, scope?: string): boolean {
  if (scope !== undefined && !hasScope(token, scope)) return false
  const { signInId, account } = token
  if (account.signIns.some(({ id, isEnded }) => id === signInId && isEnded)) return false
  const isLive = token.user.account === account && account.version === token.version
  return isLive && token.expiresAtMs > nowMs && (token.key === null || statusOf(token.key, nowMs) === 'ACTIVE')
}

export function liveKeys(account: ModelAccount, nowMs: number): number {
  return account.keys.filter((key) => statusOf(key, nowMs) === 'ACTIVE').length
}

export function needsOnboarding(account: ModelAccount, nowMs: number): boolean {
  const isWaiting = account.keys.some((key) => statusOf(key, nowMs) === 'AWAITS_OWNER')
  return account.name === null || !account.isClaimed || isWaiting
}

/** These keys and their descendants. */
export function familyOf(account: ModelAccount, keys: readonly ModelKey[]): Set<ModelKey> {
  const family = new Set(keys)
  for (let before = -1; before < family.size;) {
    before = family.size
    for (const { key, by } of account.makers) {
      if (typeof by !== 'string' && family.has(by)) family.add(key)
    }
  }
  return family
}

/** A key and the keys it created, transitively: on a claimed account its token may act on these only. */
export function keysUnder(account: ModelAccount, key: ModelKey): Set<ModelKey> {
  const makers = account.makers.filter(({ isCreation }) => isCreation)
  return familyOf({ ...account, makers }, [key])
}

/** The root of the chain of keys that made this one. */
export function firstOf(account: ModelAccount, key: ModelKey): ModelKey {
  const creation = account.makers.find((maker) => maker.isCreation && maker.key === key)
  return creation === undefined || typeof creation.by === 'string' ? key : firstOf(account, creation.by)
}

export function claim(account: ModelAccount): void {
  account.version += 1
  account.isClaimed = true
  account.name = null
  account.google = null
  account.kept.clear()
  for (const key of account.keys) if (!key.isRevoked) key.waits = true
  account.events.push('account_claimed')
}

/** The exchange's result for this secret: 200 or an error code. */
export function exchangeOutcome(key: ModelKey, secret: string, nowMs: number): string | 200 {
  const isOld = key.previous !== null && key.previous.secret === secret && key.previous.untilMs > nowMs
  if (secret !== key.secret && !isOld) return 'INVALID_CREDENTIALS'
  const status = statusOf(key, nowMs)
  if (status === 'ACTIVE') return 200
  return status === 'AWAITS_OWNER' ? 'KEY_AWAITS_OWNER' : 'INVALID_CREDENTIALS'
}

export type GoogleOutcome =
  | Readonly<{ how: 'refused' }>
  | Readonly<{ how: 'known' | 'claimed' | 'joined' | 'made'; user: ModelUser }>

/** @param user the holder of the address in the ID token */
export function googleOutcome(
  users: readonly ModelUser[],
  subject: string,
  user: ModelUser,
  isAuthoritative: boolean,
): GoogleOutcome {
  const holder = users.find(({ account }) => account?.google?.subject === subject)
  const { account } = holder ?? user
  if (account === null) return { how: 'made', user }
  if (holder !== undefined) {
    return { how: !account.isClaimed && isAuthoritative && holder === user ? 'claimed' : 'known', user: holder }
  }
  if (!isAuthoritative) return { how: 'refused' }
  if (!account.isClaimed) return { how: 'claimed', user }
  return account.google === null ? { how: 'joined', user } : { how: 'refused' }
}

/** A name that the token gives: one event of a caller per hour, with the time of the first. */
export function noteRename({ account, signInId, key }: ModelToken, name: string, nowMs: number): void {
  const by = signInId ?? key
  const hourOf = (atMs: number) => Math.floor(atMs / 3_600_000)
  const isNoted = account.renames.some((one) => one.by === by && hourOf(one.atMs) === hourOf(nowMs))
  if (name !== account.name && !isNoted) account.renames.push({ by, atMs: nowMs })
  account.name = name
}

export function sayNotMe(button: ModelButton, nowMs: number): void {
  if (button.isUsed) return
  button.isUsed = true
  button.user.pausedMailAtMs ??= 0
  const { account } = button.user
  if (account === null) return
  const { signInId } = button
  if (signInId !== null) undo(account, signInId, nowMs)
  account.events.push('not_me')
  if (signInId !== null) account.version += 1
}

/** Whether a person has signed in within ten minutes, to an account whose address is proven. */
export function isRecentPerson({ signInId, account }: ModelToken, nowMs: number): boolean {
  const signIn = account.signIns.find(({ id }) => id === signInId)
  return signIn !== undefined && account.isClaimed && signIn.atMs + 600_000 > nowMs
}

/** Undoes a change of the address that this sign-in asked for just now. */
export function undoChange(account: ModelAccount, signInId: string, askedAtMs: number): void {
  const { google } = account
  const isByMail = account.signIns.find(({ id }) => id === signInId)?.method === 'magic_link'
  const isNew = google !== null && google.connectedAtMs >= askedAtMs - 7 * DAY_MS
  account.version += 1
  if (google !== null) {
    if (isByMail && !isNew) account.events.push('google_connected')
    else {
      account.events.push('google_not_restored')
      account.google = null
    }
  }
  const signIns = new Set([signInId, ...(isNew ? [google.signInId] : [])])
  disown(account, { signIns, sinceMs: isNew ? Math.min(askedAtMs, google.connectedAtMs) : askedAtMs, nowMs: askedAtMs })
  account.events.push('email_change_undone')
}

// What the sign-in made. If it connected a Google account, also what anyone made since then, and what those sign-ins
// made.
function undo(account: ModelAccount, signInId: string, nowMs: number): void {
  const { google } = account
  const connections = [
    ...account.connections.filter(({ atMs }) => atMs >= nowMs - 30 * DAY_MS),
    ...(google === null ? [] : [{ atMs: google.connectedAtMs, signInId: google.signInId }]),
  ]
  const theirs = connections.filter((one) => one.signInId === signInId)
  const sinceMs = Math.min(...theirs.map(({ atMs }) => atMs))
  const since = connections.filter(({ atMs }) => atMs >= sinceMs)
  if (google !== null && google.connectedAtMs >= sinceMs) {
    account.google = null
    account.events.push('google_disconnected')
  }
  disown(account, { signIns: new Set([signInId, ...since.map((one) => one.signInId)]), sinceMs, nowMs })
}

type Disowned = Readonly<{ signIns: ReadonlySet<string>; sinceMs: number; nowMs: number }>

// Keys wait that these sign-ins, or anyone since a time, made; a name that they gave is cleared.
function disown(account: ModelAccount, { signIns, sinceMs, nowMs }: Disowned): void {
  const since = account.makers.filter(({ atMs }) => atMs >= sinceMs)
  const people = new Set([...signIns, ...since.flatMap(({ by }) => (typeof by === 'string' ? [by] : []))])
  const made = account.makers.filter(({ by }) => typeof by === 'string' && people.has(by))
  const keys = familyOf(
    account,
    [...made, ...since].map(({ key }) => key),
  )
  for (const key of keys) if (!key.isRevoked) key.waits = true
  const isTheirs = ({ by, atMs }: ModelAccount['renames'][number]) =>
    atMs >= nowMs - 30 * DAY_MS &&
    (atMs >= sinceMs || (typeof by === 'string' ? signIns.has(by) : by !== null && keys.has(by)))
  if (!account.renames.some(isTheirs)) return
  account.name = null
  account.renames.push({ by: null, atMs: nowMs })
}
