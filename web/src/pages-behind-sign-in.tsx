/** A separate bundle: main.tsx imports it dynamically. */
import type { ComponentType } from 'preact'
import { paths } from './page-paths.ts'
import type { PathOf } from './page-paths.ts'
import { Activity } from './pages/activity.tsx'
import { KeyPage } from './pages/api-key.tsx'
import { Apps } from './pages/apps.tsx'
import { Authorize } from './pages/authorize.tsx'
import { ConnectGoogle } from './pages/connect-google.tsx'
import { Home } from './pages/home.tsx'
import { Onboarding } from './pages/onboarding.tsx'
import { PaymentLinks } from './pages/payment-links.tsx'
import { Profile } from './pages/profile.tsx'
import { QuickStart } from './pages/quick-start.tsx'
import { Results } from './parts/results.tsx'

const pages: Readonly<Record<string, ComponentType>> = {
  [paths.apiKey]: KeyPage,
  [paths.apps]: Apps,
  [paths.authorize]: Authorize,
  [paths.connectGoogle]: ConnectGoogle,
  [paths.home]: Home,
  [paths.onboarding]: Onboarding,
  [paths.paymentLinks]: PaymentLinks,
  [paths.activity]: Activity,
  [paths.profile]: Profile,
  [paths.quickStart]: QuickStart,
} satisfies Record<PathOf<'behind-sign-in'>, ComponentType>

export function pageAt(path: string): ComponentType | undefined {
  const Page = pages[path]
  return (
    Page &&
    (() => (
      <>
        <Page />
        <Results />
      </>
    ))
  )
}
