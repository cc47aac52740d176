/** The pages and where they are; nothing else is ever gone to by these pages' own choice. */

/** The path of every page. */
export const addresses = {
  signIn: '/',
  confirm: '/confirm',
  signedIn: '/signed-in',
  notMe: '/not-me',
  resumeMail: '/resume-mail',
  connectGoogle: '/connect-google',
  onboarding: '/onboarding',
  apiAccess: '/dashboard',
  paymentLinks: '/dashboard/payment-links',
  activity: '/dashboard/activity',
  profile: '/dashboard/profile',
  quickStart: '/dashboard/quick-start',
} as const

const behindSignIn: ReadonlySet<string> = new Set([
  addresses.onboarding,
  addresses.connectGoogle,
  addresses.apiAccess,
  addresses.paymentLinks,
  addresses.activity,
  addresses.profile,
  addresses.quickStart,
])

/**
 * The page to go to after a sign-in.
 * @param asked comes from an address, so it may name anything: only a page of ours is gone to
 */
export function pageAfterSignIn(asked: string | null | undefined): string {
  return asked && behindSignIn.has(asked) ? asked : addresses.apiAccess
}

/** Where to sign in to come back to this page. */
export function signInFor(page: string): string {
  return page === addresses.apiAccess ? addresses.signIn : `${addresses.signIn}?${new URLSearchParams({ next: page }).toString()}`
}

/** Goes to another page. @param how `replace`: the button "back" does not lead here again */
export function goTo(url: string, how?: 'replace'): Promise<never> {
  if (how === 'replace') location.replace(url)
  else location.assign(url)
  // The page is being left: what waits for this must not go on.
  return new Promise(() => {})
}
