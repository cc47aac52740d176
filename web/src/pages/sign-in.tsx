import { useEffect, useRef, useState } from 'preact/hooks'
import { paths, goTo, pageAfterSignIn } from '../page-paths.ts'
import { call, CallError } from '../api.ts'
import { rememberRequest } from '../requested-link.ts'
import { isStorageAvailable } from '../storage.ts'
import { GoogleMark, MailMark } from '../parts/icons.tsx'
import { Failure, Notice } from '../parts/notice.tsx'
import { CardPage } from '../parts/card-page.tsx'
import { StorageOff } from '../parts/storage-off.tsx'
import { useAction } from '../parts/use-action.ts'
import { useCountdown } from '../parts/use-countdown.ts'
import { useInvalidField } from '../parts/use-invalid-field.tsx'
import { currentToken, onSessionChange } from '../session.ts'
import { settings } from '../settings.ts'
import { inSeconds } from '../time.ts'
import { isRefusedByGoogle, offerOneTap, startWithGoogle } from '../google.ts'
import { inboxesFor } from '../inboxes.ts'
import { finishSignIn } from '../finish-sign-in.ts'
import { words } from './sign-in.words.ts'

const asked = new URLSearchParams(location.search).get('next')
const next = pageAfterSignIn(asked)
const lead = settings.signup === 'open' ? words.lead : words.leadForOld
const isStorageOff = !isStorageAvailable()

// State of the history entry: it survives the reload that a change of the language causes.
type HistoryState = Readonly<{ sentTo?: string }> | null

/** A person who is signed in is redirected at once. */
export function SignIn() {
  const [sentTo, setSentTo] = useState((history.state as HistoryState)?.sentTo)
  const [againAfterSeconds, setAgainAfterSeconds] = useState(0)
  const showSent = (email: string | undefined): void => {
    history.replaceState(email === undefined ? null : { sentTo: email }, '')
    setSentTo(email)
  }
  useEffect(() => {
    const goOn = (): void => {
      if (currentToken() !== undefined) void goTo(next, 'replace')
    }
    goOn()
    // Also when the link is used in another tab.
    onSessionChange(goOn)
  }, [])
  if (currentToken() !== undefined) return null
  if (sentTo === undefined) {
    return (
      <RequestLink
        onSent={(email, seconds) => {
          setAgainAfterSeconds(seconds)
          showSent(email)
        }}
      />
    )
  }
  return <Sent email={sentTo} againAfterSeconds={againAfterSeconds} onOther={() => showSent(undefined)} />
}

function RequestLink({ onSent }: Readonly<{ onSent(email: string, againAfterSeconds: number): void }>) {
  const [secondsLeft, countDown] = useCountdown()
  const request = useAction(async (email: string) =>
    onSent(email, await requestLink(email).catch(toCountDown(countDown))),
  )
  const invalid = useInvalidField(request.error, { id: 'email', sentence: words.emailInvalid })
  const oneTap = useAction(async (credential: string) => {
    await finishSignIn(await call('POST /auth/google/onetap', { body: { credential } }), next)
  })
  useEffect(() => (isStorageOff ? undefined : offerOneTap(oneTap.run)), [])

  return (
    <CardPage title={words.title}>
      <div class="stack tight">
        <h1>{words.title}</h1>
        <p class="soft">{asked === null ? lead : words.back}</p>
      </div>
      {isStorageOff && <StorageOff />}
      {settings.google && !isStorageOff && (
        <>
          {isRefusedByGoogle ? (
            <Notice kind="warn">{words.refusedByGoogle}</Notice>
          ) : (
            <button type="button" class="button plain wide" onClick={() => startWithGoogle(next)}>
              <GoogleMark />
              {words.google}
            </button>
          )}
          <div class="or">{words.or}</div>
        </>
      )}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (secondsLeft === 0) request.run((new FormData(event.currentTarget).get('email') as string).trim())
        }}
      >
        <div class="field">
          <label for="email">{words.email}</label>
          <input
            {...invalid.field}
            name="email"
            type="email"
            autocomplete="email"
            maxlength={254}
            required
            autofocus
            // The wait applies to one address only.
            onInput={() => countDown(0)}
          />
          {invalid.fieldError}
        </div>
        <button class="button wide" aria-disabled={request.isBusy || secondsLeft > 0}>
          {secondsLeft > 0 ? words.sendIn(inSeconds(secondsLeft)) : words.send}
        </button>
        <Failure error={invalid.error ?? oneTap.error} />
      </form>
    </CardPage>
  )
}

type SentProps = Readonly<{ email: string; againAfterSeconds: number; onOther(): void }>

function Sent({ email, againAfterSeconds, onOther }: SentProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [secondsLeft, countDown] = useCountdown()
  const [isSentAgain, setSentAgain] = useState(false)
  const again = useAction(async () => {
    countDown(await requestLink(email).catch(toCountDown(countDown)))
    setSentAgain(true)
  })
  useEffect(() => {
    heading.current?.focus()
    countDown(againAfterSeconds)
  }, [])
  const [before, address, after] = words.sent(email)

  return (
    <CardPage title={words.sentTitle}>
      <span class="sign">
        <MailMark />
      </span>
      <div class="stack tight">
        <h1 ref={heading} tabIndex={-1}>
          {words.sentTitle}
        </h1>
        <p class="soft">
          {before}
          <strong>{address}</strong>
          {after}
        </p>
      </div>
      {settings.mailbox === null ? (
        <div class="row">
          {inboxesFor(email).map(({ name, url }) => (
            <a key={name} class="button plain" href={url} target="_blank" rel="noopener noreferrer">
              {words.inbox(name)}
            </a>
          ))}
        </div>
      ) : (
        <a class="button plain" href={settings.mailbox} target="_blank" rel="noopener">
          {words.mailbox}
        </a>
      )}
      <p class="soft small">{words.spam}</p>
      <div class="row apart small">
        <button
          type="button"
          class="link-button"
          aria-disabled={again.isBusy || secondsLeft > 0}
          onClick={() => secondsLeft === 0 && again.run()}
        >
          {secondsLeft > 0 ? words.againIn(inSeconds(secondsLeft)) : words.again}
        </button>
        <button type="button" class="link-button" onClick={onOther}>
          {words.other}
        </button>
      </div>
      <div role="status">{isSentAgain && !again.error && <p class="notice good">{words.sentAgain}</p>}</div>
      <Failure error={again.error} />
    </CardPage>
  )
}

// Starts the countdown of a rate-limited request, and rethrows.
const toCountDown =
  (countDown: (seconds: number) => void) =>
  (error: unknown): never => {
    if (error instanceof CallError) countDown(error.retryAfterSeconds)
    throw error
  }

// Without redirectTo the link leads to the frontend's start page.
async function requestLink(email: string): Promise<number> {
  const redirectTo = settings.frontend === null && next !== paths.home ? { redirectTo: location.origin + next } : {}
  const { againAfterSeconds } = await call('POST /auth/request', { body: { email, ...redirectTo } })
  rememberRequest(email)
  return againAfterSeconds
}
