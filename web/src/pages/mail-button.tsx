/** Targets of the links in mails: "this wasn't me", resuming mail and the undo. They change nothing before a click. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { paths } from '../page-paths.ts'
import { call, CallError } from '../api.ts'
import { browserName } from '../browser.words.ts'
import { fragment } from '../fragment.ts'
import type { Answer } from '../operations.ts'
import { ShieldMark } from '../parts/icons.tsx'
import { Failure, Notice } from '../parts/notice.tsx'
import { CardPage } from '../parts/card-page.tsx'
import { useAction } from '../parts/use-action.ts'
import { settings } from '../settings.ts'
import { toMoment } from '../time.ts'
import { words } from './mail-button.words.ts'

const token = fragment.get('token') ?? ''

type ButtonProps = Readonly<{
  route: 'POST /auth/links/not-me' | 'POST /auth/mail/resume' | 'POST /auth/email/undo'
  says: Readonly<{ title: string; text: readonly string[]; act: string; doneTitle: string; done: string }>
  about?: ComponentChildren
  /** Why the button would do nothing. */
  inspectionError?: Error | undefined
}>

const isUnknown = (error: Error | undefined): boolean => error instanceof CallError && error.code === 'LINK_INVALID'

function MailButton({ route, says, about, inspectionError }: ButtonProps) {
  const [isDone, setDone] = useState(false)
  const done = useRef<HTMLParagraphElement>(null)
  const press = useAction(async () => {
    await call(route, { body: { token } })
    setDone(true)
  })
  // The button is gone; focus makes screen readers announce the outcome.
  useEffect(() => done.current?.focus(), [isDone])
  const isInvalid = isUnknown(inspectionError) || isUnknown(press.error)

  const title = isDone ? says.doneTitle : says.title

  return (
    <CardPage title={title}>
      <span class="sign">
        <ShieldMark />
      </span>
      <h1>{title}</h1>
      {isDone ? (
        <>
          <p ref={done} tabIndex={-1} class="notice good">
            {says.done}
          </p>
          <a class="button plain wide" href={settings.frontend ?? paths.signIn}>
            {words.signIn}
          </a>
        </>
      ) : token === '' ? (
        <p role="alert">{words.missing}</p>
      ) : (
        <>
          {about}
          {!isInvalid &&
            says.text.map((text) => (
              <p key={text} class="soft">
                {text}
              </p>
            ))}
          <Failure error={isInvalid ? new Error(words.invalid) : press.error} />
          {!isInvalid && (
            <button type="button" class="button wide" aria-disabled={press.isBusy} onClick={() => press.run()}>
              {says.act}
            </button>
          )}
        </>
      )}
    </CardPage>
  )
}

type Inspected = Answer<'POST /auth/links/not-me/inspect'>

const INSPECTION_MS = 5000

export function NotMe() {
  const [mail, setMail] = useState<Inspected>()
  const [isLooking, setLooking] = useState(token !== '')
  const inspect = useAction(async () => {
    const signal = AbortSignal.timeout(INSPECTION_MS)
    const answer = call('POST /auth/links/not-me/inspect', { body: { token }, signal })
    setMail(await answer.finally(() => setLooking(false)))
  })
  useEffect(() => {
    if (isLooking) inspect.run()
  }, [])
  // Not the page without it: the button would move away from the hand that is about to press it.
  if (isLooking) return <p class="waiting">{words.about.looking}</p>
  return (
    <MailButton
      route="POST /auth/links/not-me"
      says={{ ...words.notMe, text: words.notMe.text(mail?.mailKind) }}
      // Without an answer the button works all the same.
      inspectionError={inspect.error}
      about={mail && <AboutMail {...mail} />}
    />
  )
}

const AboutMail = ({ email, mailKind, mailedAt, usedAt, signIn }: Inspected) => (
  <Notice>
    <p>
      {words.about.mail(words.about.kinds[mailKind], toMoment(mailedAt))}
      <strong>{email}</strong>.
    </p>
    {signIn && (
      <p>
        {words.about.signIn(mailKind)}{' '}
        <strong>
          {[browserName(signIn), ...(signIn.network === null ? [] : [signIn.network]), toMoment(signIn.createdAt)].join(
            ' · ',
          )}
        </strong>
      </p>
    )}
    {usedAt !== null && <p>{words.about.pressed(toMoment(usedAt))}</p>}
  </Notice>
)

export const ResumeMail = () => <MailButton route="POST /auth/mail/resume" says={words.resume} />

export const UndoEmail = () => <MailButton route="POST /auth/email/undo" says={words.undo} />
