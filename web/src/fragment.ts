/** Reads the URL's fragment and removes it before any other code runs: it may contain a token. */
import { paths } from './page-paths.ts'

export const fragment = new URLSearchParams(location.hash.slice(1))

removeFragment()
addEventListener('hashchange', () => {
  // Another mailed link was opened in this tab. Reload, because the pages read the fragment only once.
  if (/[#&](token|error)=/.test(location.hash)) location.reload()
  else if (document.getElementById(location.hash.slice(1)) === null) removeFragment()
})

// With the whole URL: a path that begins with `//` would name another host, and replaceState would throw.
function removeFragment(): void {
  const url = new URL(location.href)
  url.hash = ''
  if (url.href !== location.href) history.replaceState(history.state, '', url)
}

/** Reloads the page and restores the unused token of a mailed link. */
export function reload(): void {
  const isMailed = fragment.has('token') && location.pathname !== paths.signedIn
  if (isMailed) history.replaceState(history.state, '', `#${fragment.toString()}`)
  location.reload()
}
