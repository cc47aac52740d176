/** Pages for errors: unknown path, failed load, wrong origin. */
import { paths } from '../page-paths.ts'
import { fragment, reload } from '../fragment.ts'
import { CardPage } from '../parts/card-page.tsx'
import { settings } from '../settings.ts'
import { words } from './failed.words.ts'

export const NotFound = () => (
  <CardPage title={words.missingTitle}>
    <h1>{words.missingTitle}</h1>
    <p class="soft">{words.missing}</p>
    <a class="button wide" href={settings.frontend ?? paths.signIn}>
      {words.home}
    </a>
  </CardPage>
)

/** A script did not load, or threw. */
export const Broken = () => (
  <CardPage title={words.brokenTitle}>
    <h1>{words.brokenTitle}</h1>
    <p class="soft" role="alert">
      {words.broken}
    </p>
    <button type="button" class="button wide" onClick={reload}>
      {words.reload}
    </button>
  </CardPage>
)

/** Opened at another origin, whose requests the service refuses and whose storage is separate. */
export function OpenedElsewhere() {
  // Set part by part: resolved as a relative URL, a path could name another host (`//evil.example`).
  const url = new URL(settings.publicUrl)
  url.pathname = location.pathname
  url.search = location.search
  url.hash = fragment.toString()
  return (
    <CardPage title={words.elsewhereTitle}>
      <h1>{words.elsewhereTitle}</h1>
      <p class="soft">{words.elsewhere(location.origin, settings.publicUrl)}</p>
      <a class="button wide" href={url.href}>
        {words.go(settings.publicUrl)}
      </a>
    </CardPage>
  )
}
