/** The last step of every sign-in: the token is kept, and the person gets to where they wanted. */
import { addresses, goTo, pageAfterSignIn } from './addresses.ts'
import type { Answer } from './operations.ts'
import { keepToken } from './session.ts'
import { settings } from './settings.ts'

/** What the ways in answer with. */
export type SignInAnswer = Answer<'verifyLink'> | Answer<'oneTap'>

/**
 * Enters.
 * @param target a page of ours, or an address that the service has accepted as the frontend's
 */
export function enter({ token, needsOnboarding }: SignInAnswer, target: string): Promise<never> {
  const url = new URL(target, location.origin)
  if (settings.frontend !== null) {
    // In the fragment: in no log, and in no Referer.
    url.hash = new URLSearchParams({ token, needsOnboarding: String(needsOnboarding) }).toString()
    return goTo(url.href, 'replace')
  }
  keepToken(token)
  const page = pageAfterSignIn(url.pathname)
  const isOnboarding = needsOnboarding && page !== addresses.onboarding
  return goTo(
    isOnboarding ? `${addresses.onboarding}?${new URLSearchParams({ next: page }).toString()}` : page,
    'replace',
  )
}
