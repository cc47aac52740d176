/** What came in the address's fragment, taken out of it before anything else can look. */
import { addresses } from './addresses.ts'

/** The parameters of the fragment. */
export const fragment = new URLSearchParams(location.hash.slice(1))

if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search)
// Another link, opened in this tab: only a new start can tell the two apart.
addEventListener('hashchange', () => {
  if (/[#&](token|error)=/.test(location.hash)) location.reload()
})

/** Loads the page anew, with the token of the mailed link that led here: it is not used up yet. */
export function reload(): void {
  const isMailed = fragment.has('token') && location.pathname !== addresses.signedIn
  if (isMailed) history.replaceState(history.state, '', `#${fragment.toString()}`)
  location.reload()
}
