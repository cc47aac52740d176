/** A person decides what an app gets. The access of an app is a row beside the API keys (docs/decisions/0064). */
import type { Transaction } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import type { DomainDeps } from '../deps.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { makeRoomForKey } from '../keys/key-history.ts'
import { recordCallerAsMaker } from '../keys/key-family.ts'
import { findLiveApps } from '../keys/key-app-store.ts'
import { insertKey } from '../keys/key-store.ts'
import type { ApiKey } from '../keys/key-store.ts'
import { newAppKeyId } from '../keys/key-secret.ts'
import { newKey } from '../keys/new-key.ts'
import { narrow, storeRestrictions } from '../keys/restrictions/restrictions.ts'
import type { Restrictions, StoredRestrictions } from '../keys/restrictions/restrictions.ts'
import type { Scope } from '../keys/restrictions/scopes.ts'
import { queueNotice } from '../mails/notices.ts'
import { withAuthority } from '../sign-in/authority.ts'
import type { Caller } from '../sign-in/authority.ts'
import type { User } from '../users/user-store.ts'
import { errorUrl } from './authorization-request.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { findUndecided, insertRequest, updateRequest } from './authorization-request-store.ts'
import type { StoredRequest } from './authorization-request-store.ts'
import { domainOf } from './client-id-url.ts'
import { responseUrl } from './redirect-uri.ts'

/** Time to read the page, to sign in again, and to decide. */
const DECIDE_WITHIN_MS = 10 * 60_000
/** RFC 6749, section 4.1.2, allows ten minutes. */
const CODE_LIFETIME_MS = 60_000
export const MAX_LIVE_APPS = 50

/** Stores what the person is asked; it is decided once. */
export async function storeRequest(
  { db, clock, random }: Pick<DomainDeps, 'db' | 'clock' | 'random'>,
  userId: string,
  request: AuthorizationRequest,
): Promise<StoredRequest> {
  const stored: StoredRequest = {
    id: random.uuid(),
    user_id: userId,
    client_id: request.client.clientId,
    client_name: request.client.name,
    redirect_uri: request.redirectUri,
    state: request.state,
    code_challenge: request.codeChallenge,
    scope: request.scopes.join(' '),
    resource: request.resource,
    expires_at_ms: clock.now() + DECIDE_WITHIN_MS,
    decided_at_ms: null,
    code_hash: null,
    grant_id: null,
    redeemed_at_ms: null,
  }
  await insertRequest(db, stored)
  return stored
}

/** `allowed`: what the person allows of what the app asks; null: nothing. */
export type Decision = Readonly<{ requestId: string; allowed: Restrictions | null; source: EventSource }>

/**
 * Decides a request once, and gives the app a code for a consent.
 * @returns where to send the browser
 * @throws {ApiError} `CONSENT_ENDED`, `APP_LIMIT_REACHED`, `VALIDATION_FAILED`
 */
export async function decideRequest(deps: DomainDeps, caller: Caller, decision: Decision): Promise<string> {
  if (decision.allowed !== null) await makeRoomForKey(deps, caller.userId)
  const redirectTo = await withAuthority(deps, caller, async (trx, user) => {
    const nowMs = deps.clock.now()
    const request = await findUndecided(trx, user.id, decision.requestId, nowMs)
    if (request === undefined) throw new ApiError('CONSENT_ENDED')
    const { allowed, source } = decision
    if (allowed === null) {
      await updateRequest(trx, request.id, { decided_at_ms: nowMs })
      const sender = { redirectUri: request.redirect_uri, state: request.state }
      return errorUrl(deps.config, sender, 'access_denied', 'The person did not allow it.')
    }
    if ((await findLiveApps(trx, user, nowMs)).length >= MAX_LIVE_APPS) throw new ApiError('APP_LIMIT_REACHED')
    const app = newApp(deps, user, request, restrictionsOf(request, allowed))
    await insertKey(trx, app)
    await recordCallerAsMaker(trx, deps, caller, { keyId: app.id, how: 'created' })
    const detail = domainOf(request.client_id)
    await recordEvent(trx, deps, { userId: user.id, type: 'app_connected', apiKeyId: app.id, detail }, source)
    await queueNotice(deps, trx, 'security_notice', user, nowMs)
    return issueCode(deps, trx, request, app)
  })
  if (decision.allowed !== null) deps.oauthCounts.noteApp('connected')
  return redirectTo
}

/** What the app asks for, and the person allows. */
function restrictionsOf({ scope }: StoredRequest, allowed: Restrictions): StoredRestrictions {
  const scopes = scope.split(' ') as Scope[]
  if (allowed.scopes !== undefined && !allowed.scopes.every((one) => scopes.includes(one))) {
    const message = '`restrictions.scopes` must be scopes that the app asks for.'
    throw new ApiError('VALIDATION_FAILED', { message })
  }
  return narrow(storeRestrictions({ scopes }), storeRestrictions(allowed))
}

function newApp(
  deps: Pick<DomainDeps, 'clock' | 'random'>,
  { id: userId, token_version }: User,
  { client_id, client_name, resource }: StoredRequest,
  restrictions: StoredRestrictions,
): ApiKey {
  // Its secret is never told to anybody.
  const { row } = newKey(deps, { userId, name: client_name ?? domainOf(client_id), restrictions })
  return {
    ...row,
    key_id: newAppKeyId(deps.random),
    kind: 'app',
    client_id,
    resource,
    token_version,
    // The exchange of the code gives it a token, and the lifetime of that.
    expires_at_ms: row.created_at_ms + CODE_LIFETIME_MS,
  }
}

async function issueCode(
  { config, random, clock }: Pick<DomainDeps, 'config' | 'random' | 'clock'>,
  trx: Transaction,
  request: StoredRequest,
  app: ApiKey,
): Promise<string> {
  const code = random.bytes(32).toString('base64url')
  await updateRequest(trx, request.id, {
    decided_at_ms: clock.now(),
    expires_at_ms: app.created_at_ms + CODE_LIFETIME_MS,
    code_hash: sha256(code),
    grant_id: app.id,
  })
  return responseUrl(request.redirect_uri, { code, state: request.state, iss: config.publicUrl })
}
