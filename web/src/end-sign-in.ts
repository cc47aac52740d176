/** Ends this browser's sign-in at the service. */
import { call, isSignedOut, tokenOfShownUser } from './api.ts'
import { finishDelayedCalls } from './parts/delayed-calls.ts'
import { currentToken, forgetToken, isOtherUsers, signOut } from './session.ts'

const TIMEOUT_MS = 8000

/**
 * Forgets the token in any case.
 * @returns whether the service has ended the sign-in; if not, it lives until it expires or is ended elsewhere
 * @throws {CallError} OTHER_USER, without a call
 */
export async function endSignIn(): Promise<boolean> {
  const token = tokenOfShownUser()
  if (token === undefined) return true
  await finishDelayedCalls()
  try {
    await call('POST /auth/sign-out', { token, signal: AbortSignal.timeout(TIMEOUT_MS) })
    return true
  } catch (error) {
    return isSignedOut(error)
  } finally {
    // Another tab may have signed in meanwhile.
    if (currentToken() === token) signOut()
  }
}

/** For a new sign-in of the same person. Keeps what this browser stores about them. */
export async function replaceSignIn(): Promise<void> {
  const token = currentToken()
  if (token === undefined || isOtherUsers(token)) return
  await finishDelayedCalls()
  forgetToken()
  // If this fails, the old sign-in stays in the list, where the person can end it.
  call('POST /auth/sign-out', { token, keepalive: true }).catch(() => {})
}
