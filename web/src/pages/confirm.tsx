/** Where a mailed link lands: says for whom it is, and uses it up only on a click. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { addresses } from '../addresses.ts'
import { call, CallError } from '../api.ts'
import { enter } from '../enter.ts'
import type { SignInAnswer } from '../enter.ts'
import { fragment } from '../fragment.ts'
import { Failure } from '../parts/notice.tsx'
import { Single } from '../parts/single.tsx'
import { useAction } from '../parts/use-action.ts'
import { settings } from '../settings.ts'
import { words } from './confirm.words.ts'

const token = fragment.get('token')
const redirectTo = fragment.get('redirectTo')

/** The page. */
export function Confirm() {
  const [email, setEmail] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const inspect = useAction(async () => {
    setEmail((await call<{ email: string }>('POST', '/auth/links/inspect', { body: { token } })).email)
  })
  const confirm = useAction(async () => {
    const query = new URLSearchParams(redirectTo === null ? { token: token ?? '' } : { token: token ?? '', redirectTo })
    const answer = await call<SignInAnswer>('GET', `/auth/verify?${query.toString()}`)
    // The service has accepted redirectTo just now, so it is on the frontend's origin.
    await enter(answer, redirectTo ?? settings.frontend ?? addresses.apiAccess)
  })
  useEffect(() => {
    if (token !== null) inspect.run()
  }, [])
  useEffect(() => button.current?.focus(), [email])

  const error = confirm.error ?? inspect.error
  if (token === null) return <Ended title={words.title} text={words.missing} />
  if (error instanceof CallError && error.code === 'LINK_INVALID') {
    return <Ended title={words.invalidTitle} text={words.invalid} />
  }
  const [before, address, after] = words.for(email ?? '')
  return (
    <Single title={words.title}>
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
      <Failure error={error} />
      {inspect.error ? (
        <button type="button" class="button wide" disabled={inspect.isBusy} onClick={() => inspect.run()}>
          {words.retry}
        </button>
      ) : (
        <button ref={button} type="button" class="button wide" disabled={email === undefined || confirm.isBusy} onClick={() => confirm.run()}>
          {words.confirm}
        </button>
      )}
      <p class="soft small">{words.notYou}</p>
    </Single>
  )
}

const Ended = ({ title, text }: Readonly<{ title: string; text: string }>) => (
  <Single title={title}>
    <h1>{title}</h1>
    <p class="soft" role="alert">
      {text}
    </p>
    <a class="button wide" href={settings.frontend ?? addresses.signIn}>
      {words.again}
    </a>
  </Single>
)
