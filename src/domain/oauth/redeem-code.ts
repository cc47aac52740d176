/** Exchanges an authorization code (RFC 6749, section 4.1.3): single use, and a second use ends the app's access. */
import { hash } from 'node:crypto'
import type { Transaction } from '../../database/database.ts'
import { sha256 } from '../../lib/hash.ts'
import type { DomainDeps } from '../deps.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { statusOf } from '../keys/key-status.ts'
import { findApp } from '../keys/key-app-store.ts'
import { setRevoked, updateKey } from '../keys/key-store.ts'
import type { ApiKey } from '../keys/key-store.ts'
import { isFromAllowedNetwork, parseRestrictions } from '../keys/restrictions/restrictions.ts'
import { APP_LIFETIME_SECONDS } from '../sign-in/access-token.ts'
import type { Resource } from '../sign-in/resources.ts'
import { lockUser } from '../users/user-store.ts'
import type { User } from '../users/user-store.ts'
import { findByCode, updateRequest } from './authorization-request-store.ts'
import type { StoredRequest } from './authorization-request-store.ts'

/** What a client presents. */
export type Presented = Readonly<{
  code: string
  clientId: string
  redirectUri: string
  codeVerifier: string
  /** Absent: that of the code. */
  resource: Resource | undefined
}>

/** The app, whose token is for the user. */
export type Redeemed = Readonly<{ user: User; app: ApiKey }>

/** RFC 7636, section 4.1. */
const VERIFIER = /^[\w.~-]{43,128}$/

/**
 * A code that is presented wrongly has been seen by somebody else than the client: it counts as used.
 * @returns `undefined` for a code that gives nothing, whatever the reason
 */
export async function redeemCode(
  deps: Pick<DomainDeps, 'db' | 'clock' | 'random' | 'oauthCounts'>,
  presented: Presented,
  source: EventSource,
): Promise<Redeemed | undefined> {
  const codeHash = sha256(presented.code)
  const found = await findByCode(deps.db, codeHash)
  if (found === undefined) return undefined
  // Ending the access of an app works on a full disk too.
  const isRevocation = found.redeemed_at_ms !== null || !isPresentedRightly(found, presented)
  let isAppEnded = false
  const redeem = async (trx: Transaction): Promise<Redeemed | undefined> => {
    isAppEnded = false
    const user = await lockUser(trx, 'id', found.user_id)
    // Read again under the lock: of concurrent exchanges one is the first.
    const request = await findByCode(trx, codeHash)
    const app = user && request && (await findApp(trx, user.id, request.grant_id ?? ''))
    if (user === undefined || request === undefined || app === undefined) return undefined
    const nowMs = deps.clock.now()
    if (request.redeemed_at_ms !== null || !isPresentedRightly(request, presented)) {
      await updateRequest(trx, request.id, { redeemed_at_ms: request.redeemed_at_ms ?? nowMs })
      isAppEnded = await endApp(deps, trx, app, source)
      return undefined
    }
    const endsAtMs = nowMs + APP_LIFETIME_SECONDS * 1000
    await updateRequest(trx, request.id, { redeemed_at_ms: nowMs, expires_at_ms: endsAtMs })
    // Until its code is exchanged, the app expires with it.
    const isCurrent = statusOf(app, nowMs) === 'ACTIVE'
    const isOfUser = user.disabled_at_ms === null && user.token_version === app.token_version
    const isInside = isFromAllowedNetwork(parseRestrictions(app.effective_restrictions), source.ip)
    if (!isCurrent || !isOfUser || !isInside) return undefined
    await updateKey(trx, app.id, { expires_at_ms: endsAtMs })
    return { user, app: { ...app, expires_at_ms: endsAtMs } }
  }
  const redeemed = await deps.db.transaction(redeem, { isRevocation })
  if (isAppEnded) deps.oauthCounts.noteApp('disconnected')
  return redeemed
}

function isPresentedRightly(request: StoredRequest, presented: Presented): boolean {
  const { clientId, redirectUri, codeVerifier, resource = request.resource } = presented
  return (
    clientId === request.client_id &&
    redirectUri === request.redirect_uri &&
    resource === request.resource &&
    VERIFIER.test(codeVerifier) &&
    hash('sha256', codeVerifier, 'base64url') === request.code_challenge
  )
}

async function endApp(
  deps: Pick<DomainDeps, 'clock' | 'random'>,
  trx: Transaction,
  app: ApiKey,
  source: EventSource,
): Promise<boolean> {
  if (app.revoked_at_ms !== null) return false
  await setRevoked(trx, [app.id], deps.clock.now())
  const event = { userId: app.user_id, type: 'app_disconnected', apiKeyId: app.id, detail: 'code_reused' } as const
  await recordEvent(trx, deps, event, source)
  return true
}
