/** What came in the address's fragment, taken out of it before anything else can look. */

/** The parameters of the fragment. */
export const fragment = new URLSearchParams(location.hash.slice(1))

if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
// Another link, opened in this tab: only a new start can tell the two apart.
addEventListener('hashchange', () => location.reload())
