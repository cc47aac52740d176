import './fragment.ts'
import { render } from 'preact'
import type { ComponentType } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { pageAtPath, paths } from './page-paths.ts'
import type { PathOf } from './page-paths.ts'
import { Confirm } from './pages/confirm.tsx'
import { ConfirmEmail } from './pages/confirm-email.tsx'
import { Broken, NotFound, OpenedElsewhere } from './pages/error-pages.tsx'
import { NotMe, ResumeMail, UndoEmail } from './pages/mail-button.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { SignedIn } from './pages/signed-in.tsx'
import { settings } from './settings.ts'
import { keepWordsUnbroken } from './unbroken-words.ts'

type Pages = Readonly<Record<string, ComponentType>>

const linked: Pages = {
  [paths.confirm]: Confirm,
  [paths.notMe]: NotMe,
  [paths.resumeMail]: ResumeMail,
  [paths.confirmEmail]: ConfirmEmail,
  [paths.undoEmail]: UndoEmail,
} satisfies Record<PathOf<'linked'>, ComponentType>
const signIn: Pages = {
  [paths.signIn]: SignIn,
  [paths.signedIn]: SignedIn,
} satisfies Record<PathOf<'sign-in'>, ComponentType>

async function findPage(): Promise<ComponentType> {
  const path = pageAtPath(location.pathname)?.path ?? ''
  const served: readonly string[] = settings.frontend === null ? Object.values(paths) : Object.keys(linked)
  if (!served.includes(path)) return NotFound
  if (location.origin !== settings.publicUrl) return OpenedElsewhere
  if (settings.frontend !== null) return linked[path] ?? NotFound
  try {
    // The pages behind the sign-in are a separate bundle, so that the sign-in page loads faster.
    return linked[path] ?? signIn[path] ?? (await import('./pages-behind-sign-in.tsx')).pageAt(path) ?? NotFound
  } catch {
    // Unreachable, or replaced by a newer version's bundle.
    return Broken
  }
}

function Guarded({ Page }: Readonly<{ Page: ComponentType }>) {
  const [error] = useErrorBoundary(reportError)
  return error === undefined ? <Page /> : <Broken />
}

keepWordsUnbroken()
const Page = await findPage()
// Removes the loading text of index.html.
document.body.replaceChildren()
render(<Guarded Page={Page} />, document.body)
