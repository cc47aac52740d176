/** What came in the address's fragment, taken out of it before anything else can look. */
import { addresses } from './addresses.ts'

/** The parameters of the fragment. */
export const fragment = new URLSearchParams(location.hash.slice(1))

removeFragment()
addEventListener('hashchange', () => {
  // Another link, opened in this tab: only a new start can tell the two apart.
  if (/[#&](token|error)=/.test(location.hash)) location.reload()
  else if (document.getElementById(location.hash.slice(1)) === null) removeFragment()
})

// By a whole address: a path that begins with `//`, given alone, names another host, which is refused by an error.
function removeFragment(): void {
  const url = new URL(location.href)
  url.hash = ''
  if (url.href !== location.href) history.replaceState(history.state, '', url)
}

/** Loads the page anew, with the token of the mailed link that led here: it is not used up yet. */
export function reload(): void {
  const isMailed = fragment.has('token') && location.pathname !== addresses.signedIn
  if (isMailed) history.replaceState(history.state, '', `#${fragment.toString()}`)
  location.reload()
}
