/**
 * Target of the link in the mail to a new address. Confirms on a click, with the sign-in that asked: a stranger who
 * clicks in their own mailbox must not get the account.
 */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { callAs, CallError, isSignedOut } from '../api.ts'
import { fragment } from '../fragment.ts'
import { goTo, paths } from '../page-paths.ts'
import { CardPage } from '../parts/card-page.tsx'
import { MailMark } from '../parts/icons.tsx'
import { Failure } from '../parts/notice.tsx'
import { useAction } from '../parts/use-action.ts'
import { currentToken, keepToken } from '../session.ts'
import { settings } from '../settings.ts'
import { words } from './confirm-email.words.ts'

const token = fragment.get('token') ?? ''

export function ConfirmEmail() {
  const [changedTo, setChangedTo] = useState<string>()
  const confirm = useAction(async () => {
    const { token: access, user } = await callAs(currentToken(), 'POST /auth/email/confirm', { body: { token } })
    keepToken(access)
    setChangedTo(user.email)
  })
  const { error } = confirm
  const code = error instanceof CallError ? error.code : undefined
  if (token === '') return <Told title={words.title} texts={[words.missing]} />
  if (settings.frontend !== null) return <ForFrontend frontend={settings.frontend} />
  if (changedTo !== undefined) {
    const [before, address, after] = words.done(changedTo)
    return (
      <Told
        title={words.doneTitle}
        texts={[
          <>
            {before}
            <strong>{address}</strong>
            {after}
          </>,
        ]}
      >
        <a class="button wide" href={paths.profile}>
          {words.goOn}
        </a>
      </Told>
    )
  }
  if (currentToken() === undefined || code === 'SIGN_IN_REQUIRED' || isSignedOut(error)) {
    return (
      <Told title={words.elsewhereTitle} texts={words.elsewhere}>
        <a class="button plain wide" href={paths.profile}>
          {words.signIn}
        </a>
      </Told>
    )
  }
  if (code === 'LINK_INVALID') {
    return (
      <Told title={words.invalidTitle} texts={[words.invalid]}>
        <a class="button wide" href={paths.profile}>
          {words.signIn}
        </a>
      </Told>
    )
  }
  return (
    <CardPage title={words.title}>
      <span class="sign">
        <MailMark />
      </span>
      <h1>{words.title}</h1>
      <p>{words.text}</p>
      <p class="soft">{words.effects}</p>
      <Failure error={error} />
      <button type="button" class="button wide" aria-disabled={confirm.isBusy} onClick={() => confirm.run()}>
        {confirm.isBusy ? words.acting : words.act}
      </button>
    </CardPage>
  )
}

type ToldProps = Readonly<{ title: string; texts: readonly ComponentChildren[]; children?: ComponentChildren }>

/** The button is gone; focus makes screen readers announce the outcome. */
function Told({ title, texts, children }: ToldProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <CardPage title={title}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {texts.map((text, index) => (
        <p key={index} class="soft">
          {text}
        </p>
      ))}
      {children}
    </CardPage>
  )
}

/** The sign-in that asked is the frontend's own, which therefore confirms: it gets the token in the fragment. */
function ForFrontend({ frontend }: Readonly<{ frontend: string }>) {
  const url = new URL(frontend)
  url.hash = new URLSearchParams({ emailChange: token }).toString()
  return (
    <CardPage title={words.title}>
      <h1>{words.title}</h1>
      <p class="soft">{words.forFrontend}</p>
      <button type="button" class="button wide" onClick={() => void goTo(url.href, 'replace')}>
        {words.continue}
      </button>
    </CardPage>
  )
}
