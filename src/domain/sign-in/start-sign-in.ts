/** Starts a person's sign-in: a row that its token names, so that it can be listed and ended (docs/decisions/0057). */
import type { Transaction } from '../../database/database.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { clientNetwork } from '../../lib/network.ts'
import type { DomainDeps } from '../deps.ts'
import { findBrowsersSignedIn } from '../events/event-store.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { queueNotice } from '../mails/notices.ts'
import type { User } from '../users/user-store.ts'
import { SIGN_IN_LIFETIME_SECONDS } from './access-token.ts'
import { idleSinceMs } from './idle-sign-ins.ts'
import { endSignIns, findLiveSignIns, insertSignIn } from './sign-in-store.ts'
import type { SignIn } from './sign-in-store.ts'

/** Live sign-ins of one account; a further one ends the least recently seen. */
export const MAX_LIVE_SIGN_INS = 50

/** A browser not seen for this long counts as new. */
const BROWSER_KNOWN_FOR_MS = 90 * DAY_MS

/** The claim and its sign-in are one transaction. */
const JUST_CLAIMED_MS = 60_000

export type NewSignIn = Readonly<{ id: string; user: User; method: SignIn['method']; source: EventSource }>

type SignInDeps = Pick<DomainDeps, 'config' | 'clock' | 'random'>

/**
 * Records a sign-in, and tells the owner if its browser is new on the account. The caller holds the user's lock and
 * wakes the mailer afterwards.
 */
export async function startSignIn(deps: SignInDeps, trx: Transaction, signIn: NewSignIn): Promise<void> {
  const { user, source } = signIn
  const nowMs = deps.clock.now()
  const isNewBrowser = await isBrowserNew(trx, user, source.browser, nowMs)
  const live = await findLiveSignIns(trx, { user, nowMs, idleSinceMs: idleSinceMs(deps.config, nowMs) })
  await endSignIns(
    trx,
    live.slice(MAX_LIVE_SIGN_INS - 1).map(({ id }) => id),
    nowMs,
  )
  await record(deps, trx, signIn, isNewBrowser)
  if (isNewBrowser) await queueNotice(deps, trx, 'sign_in_notice', user, nowMs)
}

/** The same for an account that this transaction has created: there is nothing to compare with, to end or to tell. */
export function startFirstSignIn(deps: SignInDeps, trx: Transaction, signIn: NewSignIn): Promise<void> {
  return record(deps, trx, signIn, false)
}

async function record(
  deps: SignInDeps,
  trx: Transaction,
  { id, user, method, source }: NewSignIn,
  isNewBrowser: boolean,
): Promise<void> {
  const nowMs = deps.clock.now()
  await insertSignIn(trx, {
    id,
    user_id: user.id,
    method,
    token_version: user.token_version,
    created_at_ms: nowMs,
    expires_at_ms: nowMs + SIGN_IN_LIFETIME_SECONDS * 1000,
    last_seen_at_ms: nowMs,
    ended_at_ms: null,
    browser: source.browser,
    client: clientNetwork(source.ip),
    is_new_browser: Number(isNewBrowser),
  })
  await recordEvent(trx, deps, { userId: user.id, type: 'signed_in', signInId: id, detail: method }, source)
}

// The owner has just made the first sign-in after the claim, so it is not mailed.
async function isBrowserNew(
  trx: Transaction,
  { id, claimed_at_ms: claimedAtMs }: User,
  browser: string | null,
  nowMs: number,
): Promise<boolean> {
  if (claimedAtMs === null) return false
  const sinceMs = nowMs - BROWSER_KNOWN_FOR_MS
  const browsers = await findBrowsersSignedIn(trx, id, Math.max(claimedAtMs, sinceMs))
  // Not "claimed after `sinceMs`": events may be kept for a shorter time, and their absence must not hide a stranger.
  const isFirst = browsers.length === 0 && claimedAtMs > nowMs - JUST_CLAIMED_MS
  return !isFirst && !browsers.includes(browser)
}
