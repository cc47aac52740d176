/** Every page of the web app. The build writes this list to pages.json, and the service serves exactly these paths. */

export type Page = Readonly<{
  /** `:id` stands for an id. */
  path: string
  /** `linked`: reached from a mail, also if the team has its own frontend. */
  kind: 'linked' | 'sign-in' | 'behind-sign-in'
  /** Loads Google's script. */
  hasGoogle?: true
}>

export const pageList = {
  signIn: { path: '/', kind: 'sign-in', hasGoogle: true },
  signedIn: { path: '/signed-in', kind: 'sign-in' },
  confirm: { path: '/confirm', kind: 'linked' },
  notMe: { path: '/not-me', kind: 'linked' },
  resumeMail: { path: '/resume-mail', kind: 'linked' },
  confirmEmail: { path: '/confirm-email', kind: 'linked' },
  undoEmail: { path: '/undo-email', kind: 'linked' },
  connectGoogle: { path: '/connect-google', kind: 'behind-sign-in', hasGoogle: true },
  authorize: { path: '/authorize', kind: 'behind-sign-in' },
  onboarding: { path: '/onboarding', kind: 'behind-sign-in' },
  home: { path: '/dashboard', kind: 'behind-sign-in' },
  profile: { path: '/dashboard/profile', kind: 'behind-sign-in' },
  apiKey: { path: '/dashboard/keys/:id', kind: 'behind-sign-in' },
  paymentLinks: { path: '/dashboard/payment-links', kind: 'behind-sign-in' },
  apps: { path: '/dashboard/apps', kind: 'behind-sign-in' },
  activity: { path: '/dashboard/activity', kind: 'behind-sign-in' },
  quickStart: { path: '/dashboard/quick-start', kind: 'behind-sign-in' },
} as const satisfies Record<string, Page>
