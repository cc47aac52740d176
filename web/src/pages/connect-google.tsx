import { useEffect, useRef, useState } from 'preact/hooks'
import { paths, goTo, signInFor } from '../page-paths.ts'
import { callSignedIn } from '../api.ts'
import { drawGoogleButton, isRefusedByGoogle } from '../google.ts'
import { Notice } from '../parts/notice.tsx'
import { canShow, SignInAgain, SignInFailure } from '../parts/fresh-sign-in.tsx'
import { CardPage } from '../parts/card-page.tsx'
import { useAction } from '../parts/use-action.ts'
import { currentToken } from '../session.ts'
import { settings } from '../settings.ts'
import { words } from './connect-google.words.ts'
import styles from './connect-google.module.css'

const obstacle = settings.google === null ? words.missing : isRefusedByGoogle ? words.refused : undefined

export function ConnectGoogle() {
  const [isBlocked, setBlocked] = useState(false)
  const [isFresh] = useState(() => canShow('connect-google'))
  const place = useRef<HTMLDivElement>(null)
  const connect = useAction(async (credential: string) => {
    await callSignedIn('POST /auth/google/connection', { body: { credential } })
    await goTo(`${paths.profile}?connected`, 'replace')
  })
  // Google keeps the first callback, so that callback reads the current function from this ref.
  const run = useRef(connect.run)
  run.current = connect.run
  useEffect(() => {
    if (currentToken() === undefined) void goTo(signInFor(paths.connectGoogle), 'replace')
    else if (obstacle === undefined && place.current) {
      void drawGoogleButton(place.current, (credential) => run.current(credential)).then((isDrawn) =>
        setBlocked(!isDrawn),
      )
    }
  }, [])

  return (
    <CardPage title={words.title}>
      <div class="stack tight">
        <h1>{words.title}</h1>
        <p class="soft">{words.lead}</p>
      </div>
      {obstacle !== undefined ? (
        <Notice kind="warn">{obstacle}</Notice>
      ) : isFresh ? (
        <div ref={place} class={styles.place} hidden={isBlocked} />
      ) : (
        <SignInAgain dialog="connect-google" />
      )}
      <div role="alert">{isBlocked && <Notice kind="warn">{words.blocked}</Notice>}</div>
      {isBlocked && (
        <button type="button" class="button wide" onClick={() => location.reload()}>
          {words.retry}
        </button>
      )}
      <p role="status" class="soft">
        {connect.isBusy ? words.connecting : ''}
      </p>
      <SignInFailure error={connect.error} resumed={{ dialog: 'connect-google', typed: '' }} />
      <a href={paths.profile}>{words.back}</a>
    </CardPage>
  )
}
