/** Shows the page that the address names. */
import './fragment.ts'
import { render } from 'preact'
import type { ComponentType } from 'preact'
import { addresses } from './addresses.ts'
import { language } from './language.ts'
import { Activity } from './pages/activity.tsx'
import { ApiAccess } from './pages/api-access.tsx'
import { Confirm } from './pages/confirm.tsx'
import { ConnectGoogle } from './pages/connect-google.tsx'
import { NotMe, ResumeMail } from './pages/mail-button.tsx'
import { Onboarding } from './pages/onboarding.tsx'
import { Profile } from './pages/profile.tsx'
import { QuickStart } from './pages/quick-start.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { SignedIn } from './pages/signed-in.tsx'

const pages: Readonly<Record<string, ComponentType>> = {
  [addresses.signIn]: SignIn,
  [addresses.confirm]: Confirm,
  [addresses.signedIn]: SignedIn,
  [addresses.notMe]: NotMe,
  [addresses.resumeMail]: ResumeMail,
  [addresses.connectGoogle]: ConnectGoogle,
  [addresses.onboarding]: Onboarding,
  [addresses.apiAccess]: ApiAccess,
  [addresses.activity]: Activity,
  [addresses.profile]: Profile,
  [addresses.quickStart]: QuickStart,
}

const Page = pages[location.pathname]
document.documentElement.lang = language
if (Page) render(<Page />, document.body)
