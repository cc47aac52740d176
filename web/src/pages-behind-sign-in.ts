/** A separate bundle: main.tsx imports it dynamically. */
import type { ComponentType } from 'preact'
import { addresses } from './addresses.ts'
import type { PathOf } from './addresses.ts'
import { Activity } from './pages/activity.tsx'
import { ApiAccess } from './pages/api-access.tsx'
import { ConnectGoogle } from './pages/connect-google.tsx'
import { Onboarding } from './pages/onboarding.tsx'
import { PaymentLinks } from './pages/payment-links.tsx'
import { Profile } from './pages/profile.tsx'
import { QuickStart } from './pages/quick-start.tsx'

export const pages: Readonly<Record<string, ComponentType>> = {
  [addresses.connectGoogle]: ConnectGoogle,
  [addresses.onboarding]: Onboarding,
  [addresses.apiAccess]: ApiAccess,
  [addresses.paymentLinks]: PaymentLinks,
  [addresses.activity]: Activity,
  [addresses.profile]: Profile,
  [addresses.quickStart]: QuickStart,
} satisfies Record<PathOf<'behind-sign-in'>, ComponentType>
