/** What the service must do, in a hundred lines: accounts, keys and tokens, and nothing of how. */

/** An API key. */
export type ModelKey = {
  id: string
  keyId: string
  secret: string
  previous: Readonly<{ secret: string; untilMs: number }> | null
  expiresAtMs: number | null
  waits: boolean
  isRevoked: boolean
  /** The owner has kept it once. */
  isKept?: true
}

/** A payment link. */
export type ModelLink = {
  id: string
  key: ModelKey | null
  isOfOwner: boolean
  currency: string
  reference: string | null
  expiresAtMs: number | null
  isEnded: boolean
}

/** Whoever holds an address, with an account or without. */
export type ModelUser = {
  email: string
  account: ModelAccount | null
  /** Null: not paused; otherwise when the last mail went out in spite of it, 0 for never. */
  pausedMailAtMs: number | null
  /** Whose notice of a signup the pause holds back. */
  heldNotice: ModelAccount | null
}

/** An account. */
export type ModelAccount = {
  id: string
  name: string | null
  version: number
  isClaimed: boolean
  keys: ModelKey[]
  /** Who made, rotated or kept which key: a key, or a sign-in. */
  makers: Readonly<{ key: ModelKey; by: ModelKey | string; atMs: number; isCreation?: true }>[]
  events: string[]
  /** The Google account that can sign in to it. */
  google: ModelIdentity | null
  links: ModelLink[]
  /** What was made under an Idempotency-Key. */
  kept: Map<string, Readonly<{ content: string; text: string; atMs: number }>>
}

/** A Google account, as it is connected. */
export type ModelIdentity = { subject: string; email: string; connectedAtMs: number; signInId: string }

/** An access token. */
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

/** The "not me" of a sign-in mail, and the sign-in that used its link. */
export type ModelButton = {
  token: string
  user: ModelUser
  signInId: string | null
  isUsed: boolean
  expiresAtMs: number
}

/** What a key is good for. */
export function statusOf(key: ModelKey, nowMs: number): string {
  if (key.isRevoked) return 'REVOKED'
  if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return 'EXPIRED'
  return key.waits ? 'AWAITS_OWNER' : 'ACTIVE'
}

/** Whether a payment link can be paid. */
export function linkStatusOf(account: ModelAccount, link: ModelLink, nowMs: number): string {
  if (link.isEnded || isHeld(account, link)) return 'INACTIVE'
  return link.expiresAtMs !== null && link.expiresAtMs <= nowMs ? 'EXPIRED' : 'ACTIVE'
}

/** Whether a link waits for the owner's word. */
export function isHeld(account: ModelAccount, link: ModelLink): boolean {
  return link.key?.waits === true || (account.isClaimed && !link.isOfOwner && link.key?.isKept !== true)
}

/** Whether a token opens anything. */
export function isValid(token: ModelToken, nowMs: number): boolean {
  const isLive = token.user.account === token.account && token.account.version === token.version
  return isLive && token.expiresAtMs > nowMs && (token.key === null || statusOf(token.key, nowMs) === 'ACTIVE')
}

/** How many keys count towards the limit. */
export function liveKeys(account: ModelAccount, nowMs: number): number {
  return account.keys.filter((key) => statusOf(key, nowMs) === 'ACTIVE').length
}

/** Whether the person still has something to do. */
export function needsOnboarding(account: ModelAccount, nowMs: number): boolean {
  const isWaiting = account.keys.some((key) => statusOf(key, nowMs) === 'AWAITS_OWNER')
  return account.name === null || !account.isClaimed || isWaiting
}

/** The keys that these keys made, and those they made, themselves included. */
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

/** The keys that a key made, and those they made, itself included: on a claimed account it acts on these alone. */
export function keysUnder(account: ModelAccount, key: ModelKey): Set<ModelKey> {
  const makers = account.makers.filter(({ isCreation }) => isCreation)
  return familyOf({ ...account, makers }, [key])
}

/** The first of the keys that led to this one, each making the next. */
export function firstOf(account: ModelAccount, key: ModelKey): ModelKey {
  const creation = account.makers.find((maker) => maker.isCreation && maker.key === key)
  return creation === undefined || typeof creation.by === 'string' ? key : firstOf(account, creation.by)
}

/** The owner proves the address for the first time. */
export function claim(account: ModelAccount): void {
  account.version += 1
  account.isClaimed = true
  account.name = null
  account.google = null
  account.kept.clear()
  for (const key of account.keys) if (!key.isRevoked) key.waits = true
  account.events.push('account_claimed')
}

/** What the exchange answers to this secret. */
export function exchangeOutcome(key: ModelKey, secret: string, nowMs: number): string | 200 {
  const isOld = key.previous !== null && key.previous.secret === secret && key.previous.untilMs > nowMs
  if (secret !== key.secret && !isOld) return 'INVALID_CREDENTIALS'
  const status = statusOf(key, nowMs)
  if (status === 'ACTIVE') return 200
  return status === 'AWAITS_OWNER' ? 'KEY_AWAITS_OWNER' : 'INVALID_CREDENTIALS'
}

/** What a sign-in with Google comes to: whose account it opens, and how. */
export type GoogleOutcome =
  | Readonly<{ how: 'refused' }>
  | Readonly<{ how: 'known' | 'claimed' | 'joined' | 'made'; user: ModelUser }>

/** @param user whose address Google tells */
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

/** Somebody presses "not me" in a sign-in mail. */
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

// What the sign-in made; since it connected a Google account, what anybody made, and what those sign-ins made.
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
