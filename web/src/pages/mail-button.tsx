/** Targets of the links in mails: "this wasn't me" and resuming mail. They change nothing before a click. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { paths } from '../page-paths.ts'
import { call, CallError } from '../api.ts'
import { fragment } from '../fragment.ts'
import { ShieldMark } from '../parts/icons.tsx'
import { Failure } from '../parts/notice.tsx'
import { CardPage } from '../parts/card-page.tsx'
import { useAction } from '../parts/use-action.ts'
import { settings } from '../settings.ts'
import { words } from './mail-button.words.ts'

const token = fragment.get('token')

type ButtonProps = Readonly<{
  path: string
  says: Readonly<{ title: string; text: readonly string[]; act: string; doneTitle: string; done: string }>
}>

function MailButton({ path, says }: ButtonProps) {
  const [isDone, setDone] = useState(false)
  const done = useRef<HTMLParagraphElement>(null)
  const press = useAction(async () => {
    await call('POST', path, { body: { token } })
    setDone(true)
  })
  // The button is gone; focus makes screen readers announce the outcome.
  useEffect(() => done.current?.focus(), [isDone])
  const isUnknown = press.error instanceof CallError && press.error.code === 'LINK_INVALID'

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
      ) : token === null ? (
        <p role="alert">{words.missing}</p>
      ) : (
        <>
          {says.text.map((text) => (
            <p key={text} class="soft">
              {text}
            </p>
          ))}
          <Failure error={isUnknown ? new Error(words.invalid) : press.error} />
          <button type="button" class="button wide" aria-disabled={press.isBusy} onClick={() => press.run()}>
            {says.act}
          </button>
        </>
      )}
    </CardPage>
  )
}

export const NotMe = () => <MailButton path="/auth/links/not-me" says={words.notMe} />

export const ResumeMail = () => <MailButton path="/auth/mail/resume" says={words.resume} />
