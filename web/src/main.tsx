/** Shows the page that the address names. */
import './fragment.ts'
import { render } from 'preact'
import type { ComponentType } from 'preact'
import { addresses } from './addresses.ts'
import { language } from './language.ts'
import { Confirm } from './pages/confirm.tsx'
import { NotMe, ResumeMail } from './pages/mail-button.tsx'
import { Pay } from './pages/pay.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { SignedIn } from './pages/signed-in.tsx'

const pages: Readonly<Record<string, ComponentType>> = {
  [addresses.signIn]: SignIn,
  [addresses.confirm]: Confirm,
  [addresses.signedIn]: SignedIn,
  [addresses.notMe]: NotMe,
  [addresses.resumeMail]: ResumeMail,
}

async function findPage(): Promise<ComponentType | undefined> {
  if (location.pathname.startsWith('/pay/')) return Pay
  // The pages behind the sign-in are a script of their own: whoever signs in need not wait for it.
  return pages[location.pathname] ?? (await import('./pages-behind-sign-in.ts')).pages[location.pathname]
}

const Page = await findPage()
document.documentElement.lang = language
if (Page) render(<Page />, document.body)
