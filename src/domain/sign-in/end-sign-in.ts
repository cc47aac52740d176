import type { Transaction } from '../../database/database.ts'
import { clientNetwork } from '../../lib/network.ts'
import type { EventDeps } from '../deps.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import type { User } from '../users/user-store.ts'
import { SIGN_IN_LIFETIME_SECONDS } from './access-token.ts'
import type { Caller } from './authority.ts'
import { endSignIns, findSignIn, insertSignIn } from './sign-in-store.ts'
import type { SignIn } from './sign-in-store.ts'

/**
 * Ends a sign-in. The caller holds the user's lock.
 * @param source the request; absent for the operator's command
 * @returns false when it had ended before, alone or with all others; then nothing is changed
 */
export async function endSignIn(
  deps: EventDeps,
  trx: Transaction,
  { user, signIn }: Readonly<{ user: User; signIn: SignIn }>,
  source?: EventSource,
): Promise<boolean> {
  const nowMs = deps.clock.now()
  const { id, ended_at_ms: endedAtMs, token_version: tokenVersion, expires_at_ms: expiresAtMs } = signIn
  if (endedAtMs !== null || tokenVersion !== user.token_version || expiresAtMs <= nowMs) return false
  await endSignIns(trx, [id], nowMs)
  const detail = source === undefined ? 'operator' : undefined
  await recordEvent(trx, deps, { userId: user.id, type: 'signed_out', signInId: id, detail }, source)
  return true
}

/** Ends the sign-in of a person's token. For a token of an earlier version it inserts an ended row. */
export async function endCallersSignIn(
  deps: EventDeps,
  trx: Transaction,
  { caller, user }: Readonly<{ caller: Caller; user: User }>,
  source: EventSource,
): Promise<void> {
  const id = caller.signInId ?? ''
  const signIn = (await findSignIn(trx, user.id, id)) ?? (await insertRowOf(trx, { caller, user, id }, source))
  await endSignIn(deps, trx, { user, signIn }, source)
}

async function insertRowOf(
  trx: Transaction,
  { caller, user, id }: Readonly<{ caller: Caller; user: User; id: string }>,
  { ip, browser }: EventSource,
): Promise<SignIn> {
  const signedInAtMs = caller.issuedAtSeconds * 1000
  const signIn: SignIn = {
    id,
    user_id: user.id,
    method: caller.amr === 'google' ? 'google' : 'magic_link',
    token_version: user.token_version,
    created_at_ms: signedInAtMs,
    expires_at_ms: signedInAtMs + SIGN_IN_LIFETIME_SECONDS * 1000,
    last_seen_at_ms: signedInAtMs,
    ended_at_ms: null,
    browser,
    client: clientNetwork(ip),
    is_new_browser: 0,
  }
  await insertSignIn(trx, signIn)
  return signIn
}
