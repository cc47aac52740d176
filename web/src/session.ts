/** The stored access token. */
import { ASKED_BY_APP, OWN_EVENTS, RESUMED_DIALOG, storage } from './storage.ts'

const TOKEN = 'token'
/** Id of the user who hid the list of first steps. */
export const HIDDEN_SETUP = 'setup-hidden-by'

/** The user whom this page shows: of the sign-in at its start, or of one that it made itself. */
let shown = subjectOf(storage.read(TOKEN))

/** Returns undefined if nobody is signed in. The token may have expired or been revoked. */
export function currentToken(): string | undefined {
  return storage.read(TOKEN) ?? undefined
}

export function keepToken(token: string): void {
  storage.write(TOKEN, token)
  shown = subjectOf(token)
}

/** Whether another tab has signed in as another user since. This page must not act for that user. */
export function isOtherUsers(token: string): boolean {
  return subjectOf(token) !== shown
}

/** Signs out in every tab, for example because the token has expired. */
export function forgetToken(): void {
  storage.delete(TOKEN)
}

/** The person chose to: forgets also what this browser keeps about them. */
export function signOut(): void {
  forgetToken()
  storage.delete(HIDDEN_SETUP)
  storage.delete(OWN_EVENTS)
  storage.delete(RESUMED_DIALOG)
  storage.delete(ASKED_BY_APP)
}

/** Calls back when another tab signs out or signs in as another user. A new token of the same user does not count. */
export function onSessionChange(callBack: () => void): void {
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === null || (key === TOKEN && subjectOf(oldValue) !== subjectOf(newValue))) callBack()
  })
}

/** The user whose token is stored; undefined if nobody is signed in. */
export const currentUserId = (): string | undefined => subjectOf(storage.read(TOKEN))

/** The sign-in of the stored token; undefined for tokens from before sign-ins were listed. */
export const currentSignInId = (): string | undefined => claimsOf(storage.read(TOKEN)).sid

const FRESH_MS = 8 * 60_000

/**
 * Whether the stored token is from a person's sign-in of the last minutes: fewer than the ten that the service demands
 * for some actions, so that there is time to fill in a dialog.
 */
export function isSignInFresh(): boolean {
  const { iat = 0, apiKeyId } = claimsOf(storage.read(TOKEN))
  return apiKeyId === undefined && Date.now() - iat * 1000 < FRESH_MS
}

function subjectOf(token: string | null): string | undefined {
  return claimsOf(token).sub
}

type Claims = Readonly<{ sub?: string; iat?: number; sid?: string; apiKeyId?: string }>

// Decoded without verification: the service decides.
function claimsOf(token: string | null): Claims {
  try {
    const [, payload = ''] = token?.split('.') ?? []
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Claims
  } catch {
    return {}
  }
}
