/** Target of a mailed link. Consumes it only on a click, because mail scanners open links. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { paths, pageAfterSignIn, signInFor } from '../page-paths.ts'
import { call, CallError } from '../api.ts'
import { forgetRequest, wasRequested } from '../requested-link.ts'
import { finishSignIn } from '../finish-sign-in.ts'
import { fragment, reload } from '../fragment.ts'
import { isStorageAvailable } from '../storage.ts'
import { Failure, Notice } from '../parts/notice.tsx'
import { CardPage } from '../parts/card-page.tsx'
import { StorageOff } from '../parts/storage-off.tsx'
import { useAction } from '../parts/use-action.ts'
import { settings } from '../settings.ts'
import { words } from './confirm.words.ts'

const token = fragment.get('token') ?? ''
const redirectTo = fragment.get('redirectTo')
const page = pageAfterSignIn(redirectTo !== null && URL.canParse(redirectTo) ? new URL(redirectTo).pathname : null)
const newLink = settings.frontend ?? signInFor(page)
// Once: otherwise "Sign in" could take the place of the button that the person is about to click.
const isStorageOff = settings.frontend === null && !isStorageAvailable()

export function Confirm() {
  const [email, setEmail] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const inspect = useAction(async () => {
    setEmail((await call('POST /auth/links/inspect', { body: { token } })).email)
  })
  const confirm = useAction(async () => {
    const query = redirectTo === null ? { token } : { token, redirectTo }
    const answer = await call('GET /auth/verify', { query })
    forgetRequest()
    // The service has accepted redirectTo, so it is on the frontend's origin.
    await finishSignIn(answer, redirectTo ?? settings.frontend ?? paths.home)
  })
  useEffect(() => {
    if (token !== '') inspect.run()
  }, [])
  useEffect(() => button.current?.focus(), [email])

  const error = confirm.error ?? inspect.error
  if (token === '') return <Ended title={words.title} text={words.missing} />
  if (error instanceof CallError && error.code === 'LINK_INVALID') {
    return <Ended title={words.invalidTitle} text={words.invalid} />
  }
  // A separate frontend requests links from its own origin, so this browser has no record of it.
  const isForeign = settings.frontend === null && !wasRequested(email)
  const isClosed = error instanceof CallError && error.code === 'SIGNUP_CLOSED'
  const [before, address, after] = words.for(email ?? '')
  // Without storage the next page would not have the token, so the link is not consumed.
  if (isStorageOff) {
    return (
      <CardPage title={words.title}>
        <h1>{words.title}</h1>
        <StorageOff />
        <button type="button" class="button wide" onClick={reload}>
          {words.retry}
        </button>
      </CardPage>
    )
  }
  return (
    <CardPage title={words.title}>
      <h1>{words.title}</h1>
      <p role="status">
        {email === undefined ? (
          words.looking
        ) : (
          <>
            {before}
            <strong>{address}</strong>
            {after}
          </>
        )}
      </p>
      {isForeign && <Notice kind="warn">{words.notAsked}</Notice>}
      <Failure error={error} />
      {isClosed ? (
        <a class="button wide" href={newLink}>
          {words.other}
        </a>
      ) : inspect.error ? (
        <button type="button" class="button wide" aria-disabled={inspect.isBusy} onClick={() => inspect.run()}>
          {words.retry}
        </button>
      ) : (
        <button
          ref={button}
          type="button"
          class="button wide"
          disabled={email === undefined}
          aria-disabled={confirm.isBusy}
          onClick={() => confirm.run()}
        >
          {words.confirm}
        </button>
      )}
      <p class="soft small">{words.notYou}</p>
    </CardPage>
  )
}

const Ended = ({ title, text }: Readonly<{ title: string; text: string }>) => (
  <CardPage title={title}>
    <h1>{title}</h1>
    <p class="soft" role="alert">
      {text}
    </p>
    <a class="button wide" href={newLink}>
      {words.again}
    </a>
  </CardPage>
)
