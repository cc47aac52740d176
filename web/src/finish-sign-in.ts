/** The last step of every sign-in: stores the token and opens the requested page. */
import { paths, goTo, pageAfterSignIn } from './page-paths.ts'
import type { Answer } from './operations.ts'
import { keepToken } from './session.ts'
import { settings } from './settings.ts'

export type SignInAnswer = Answer<'GET /auth/verify' | 'POST /auth/google/onetap'>

/** @param target one of our pages, or a `redirectTo` that the service has accepted */
export function finishSignIn({ token, needsOnboarding }: SignInAnswer, target: string): Promise<never> {
  const url = new URL(target, location.origin)
  if (settings.frontend !== null) {
    // In the fragment, which appears in no log and no Referer.
    url.hash = new URLSearchParams({ token, needsOnboarding: String(needsOnboarding) }).toString()
    return goTo(url.href, 'replace')
  }
  keepToken(token)
  const page = pageAfterSignIn(url.pathname)
  const isOnboarding = needsOnboarding && page !== paths.onboarding
  return goTo(isOnboarding ? `${paths.onboarding}?${new URLSearchParams({ next: page }).toString()}` : page, 'replace')
}
