import { splitBrowserWords } from '../../lib/text/browser-words.ts'
import { networkOf } from '../../lib/network.ts'
import type { SignIn } from './sign-in-store.ts'

/** Times are in ISO 8601. */
export type SignInDescription = {
  id: string
  method: SignIn['method']
  createdAt: string
  lastSeenAt: string
  browser: string | null
  system: string | null
  network: string | null
}

/** As the API shows it. */
export function describeSignIn(signIn: SignIn): SignInDescription {
  return {
    id: signIn.id,
    method: signIn.method,
    createdAt: new Date(signIn.created_at_ms).toISOString(),
    lastSeenAt: new Date(signIn.last_seen_at_ms).toISOString(),
    ...splitBrowserWords(signIn.browser),
    network: networkOf(signIn.client),
  }
}
