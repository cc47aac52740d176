/** The model of the service: accounts, keys and tokens, without storage or HTTP. */

export type ModelKey = {
  id: string
  keyId: string
  secret: string
  previous: Readonly<{ secret: string; untilMs: number }> | null
  expiresAtMs: number | null
  waits: boolean
  isRevoked: boolean
  isKept?: true
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
  /** The Google account that can sign in to it. */
  google: ModelIdentity | null
  links: ModelLink[]
  /** Answers by Idempotency-Key. */
  kept: Map<string, Readonly<{ content: string; text: string; atMs: number }>>
}

export type ModelIdentity = { subject: string; email: string; connectedAtMs: number; signInId: string }

export type ModelToken = Readonly<{
  text: string
  user: ModelUser
  account: ModelAccount
  version: number
  key: ModelKey | null
  signInId: string | null
  issuedAtMs: number
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

export function isValid(token: ModelToken, nowMs: number): boolean {
  const isLive = token.user.account === token.account && token.account.version === token.version
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

export function sayNotMe(button: ModelButton): void {
  if (button.isUsed) return
  button.isUsed = true
  button.user.pausedMailAtMs ??= 0
  const { account } = button.user
  if (account === null) return
  const { signInId } = button
  const made = signInId === null ? new Set<ModelKey>() : undo(account, signInId)
  account.events.push('not_me')
  if (signInId === null) return
  account.version += 1
  for (const key of made) if (!key.isRevoked) key.waits = true
}

// What the sign-in made. If it connected a Google account, also what anyone made since then, and what those sign-ins
// made.
function undo(account: ModelAccount, signInId: string): Set<ModelKey> {
  const { google, makers } = account
  const isConnected = google?.signInId === signInId
  const since = makers.filter(({ atMs }) => isConnected && atMs >= google.connectedAtMs)
  const signIns = new Set([signInId, ...since.flatMap(({ by }) => (typeof by === 'string' ? [by] : []))])
  const made = makers.filter(({ by }) => typeof by === 'string' && signIns.has(by))
  if (isConnected) {
    account.google = null
    account.events.push('google_disconnected')
  }
  return familyOf(
    account,
    [...made, ...since].map(({ key }) => key),
  )
}
