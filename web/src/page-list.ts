/** Every page of the web app. The build writes this list beside the pages, and the service serves what is in it. */

/** A page. */
export type Page = Readonly<{
  /** Its path; `:id` stands for one segment. */
  path: string
  /** `linked`: a mail or a payment link leads to it, also where the team has a frontend of its own. */
  kind: 'linked' | 'sign-in' | 'behind-sign-in'
  /** Google's own script runs on it. */
  hasGoogle?: true
}>

/** Every page, by name. */
export const pageList = {
  signIn: { path: '/', kind: 'sign-in', hasGoogle: true },
  signedIn: { path: '/signed-in', kind: 'sign-in' },
  confirm: { path: '/confirm', kind: 'linked' },
  notMe: { path: '/not-me', kind: 'linked' },
  resumeMail: { path: '/resume-mail', kind: 'linked' },
  pay: { path: '/pay/:id', kind: 'linked' },
  connectGoogle: { path: '/connect-google', kind: 'behind-sign-in', hasGoogle: true },
  onboarding: { path: '/onboarding', kind: 'behind-sign-in' },
  apiAccess: { path: '/dashboard', kind: 'behind-sign-in' },
  paymentLinks: { path: '/dashboard/payment-links', kind: 'behind-sign-in' },
  activity: { path: '/dashboard/activity', kind: 'behind-sign-in' },
  profile: { path: '/dashboard/profile', kind: 'behind-sign-in' },
  quickStart: { path: '/dashboard/quick-start', kind: 'behind-sign-in' },
} as const satisfies Record<string, Page>
