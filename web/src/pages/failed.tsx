/** What is shown in place of a page that cannot be: there is none, it did not load, or it was opened by another name. */
import { addresses } from '../addresses.ts'
import { fragment, reload } from '../fragment.ts'
import { Single } from '../parts/single.tsx'
import { settings } from '../settings.ts'
import { words } from './failed.words.ts'

/** No page has this address. */
export const NotFound = () => (
  <Single title={words.missingTitle}>
    <h1>{words.missingTitle}</h1>
    <p class="soft">{words.missing}</p>
    <a class="button wide" href={settings.frontend ?? addresses.signIn}>
      {words.home}
    </a>
  </Single>
)

/** A script of the page did not arrive, or failed. */
export const Broken = () => (
  <Single title={words.brokenTitle}>
    <h1>{words.brokenTitle}</h1>
    <p class="soft" role="alert">
      {words.broken}
    </p>
    <button type="button" class="button wide" onClick={reload}>
      {words.reload}
    </button>
  </Single>
)

/** One of our pages, by another name: the service refuses what other origins send it, and the browser's storage is by origin. */
export function OpenedElsewhere() {
  // Part by part: as a relative address, a path could name another host (`//evil.example`).
  const url = new URL(settings.publicUrl)
  url.pathname = location.pathname
  url.search = location.search
  url.hash = fragment.toString()
  return (
    <Single title={words.elsewhereTitle}>
      <h1>{words.elsewhereTitle}</h1>
      <p class="soft">{words.elsewhere(location.origin, settings.publicUrl)}</p>
      <a class="button wide" href={url.href}>
        {words.go(settings.publicUrl)}
      </a>
    </Single>
  )
}
