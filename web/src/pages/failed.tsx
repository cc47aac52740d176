/** Pages for errors: unknown path, failed load, wrong origin. */
import { addresses } from '../addresses.ts'
import { fragment, reload } from '../fragment.ts'
import { Single } from '../parts/single.tsx'
import { settings } from '../settings.ts'
import { words } from './failed.words.ts'

export const NotFound = () => (
  <Single title={words.missingTitle}>
    <h1>{words.missingTitle}</h1>
    <p class="soft">{words.missing}</p>
    <a class="button wide" href={settings.frontend ?? addresses.signIn}>
      {words.home}
    </a>
  </Single>
)

/** A script did not load, or threw. */
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

/** Opened at another origin, whose requests the service refuses and whose storage is separate. */
export function OpenedElsewhere() {
  // Set part by part: resolved as a relative URL, a path could name another host (`//evil.example`).
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
