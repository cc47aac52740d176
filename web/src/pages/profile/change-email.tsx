/** Asks for another e-mail address. The link mailed to it leads to `/confirm-email`. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { callSignedIn } from '../../api.ts'
import { asciiAddress } from '../../ascii-address.ts'
import { AskSignIn, SignInFailure, useFreshDialog } from '../../parts/fresh-sign-in.tsx'
import { Modal } from '../../parts/modal.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useInvalidField } from '../../parts/use-invalid-field.tsx'
import { words } from './change-email.words.ts'

export function ChangeEmail({ email }: Readonly<{ email: string }>) {
  const { opener, typed, isAsking, isOpen, open, close } = useFreshDialog('change-email')
  const [sentTo, setSentTo] = useState<string>()
  const end = (): void => {
    setSentTo(undefined)
    close()
  }
  return (
    <>
      <button ref={opener} type="button" class="button plain small" aria-label={words.changeEmail} onClick={open}>
        {words.change}
      </button>
      {isAsking && <AskSignIn dialog="change-email" onClose={close} />}
      {isOpen &&
        (sentTo === undefined ? (
          <AskForChange email={email} typedBefore={typed} onSent={setSentTo} onClose={end} />
        ) : (
          <Sent email={sentTo} onClose={end} />
        ))}
    </>
  )
}

type AskProps = Readonly<{ email: string; typedBefore: string; onSent(email: string): void; onClose(): void }>

function AskForChange({ email, typedBefore, onSent, onClose }: AskProps) {
  const [typed, setTyped] = useState(typedBefore)
  const isPresent = (address: string): boolean => asciiAddress(address.trim()) === asciiAddress(email)
  const ask = useAction(async (newEmail: string) => {
    await callSignedIn('POST /users/me/email', { body: { email: newEmail } })
    onSent(newEmail)
  })
  const { field, fieldError, error } = useInvalidField(ask.error, {
    id: 'new-email',
    sentence: isPresent(typed) ? words.emailSame : words.emailInvalid,
  })
  return (
    <Modal title={words.title} onClose={onClose}>
      <ul>
        {words.happens.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          ask.run(typed.trim())
        }}
      >
        <div class="field">
          <label for="new-email">{words.newEmail}</label>
          <input
            {...field}
            type="email"
            autocomplete="email"
            maxlength={254}
            required
            autofocus
            defaultValue={typedBefore}
            onInput={({ currentTarget }) => {
              // Not after the next rendering, which a quick Enter would come before.
              currentTarget.setCustomValidity(isPresent(currentTarget.value) ? words.emailSame : '')
              setTyped(currentTarget.value)
            }}
          />
          {fieldError}
        </div>
        <SignInFailure error={error} resumed={{ dialog: 'change-email', typed }} />
        <div class="actions">
          <button type="button" class="button plain" onClick={onClose}>
            {words.cancel}
          </button>
          <button class="button" aria-disabled={ask.isBusy}>
            {ask.isBusy ? words.sending : words.send}
          </button>
        </div>
      </form>
    </Modal>
  )
}

function Sent({ email, onClose }: Readonly<{ email: string; onClose(): void }>) {
  const done = useRef<HTMLButtonElement>(null)
  useEffect(() => done.current?.focus(), [])
  const [before, address, after] = words.sent(email)
  return (
    <Modal title={words.sentTitle} onClose={onClose}>
      <p>
        {before}
        <strong>{address}</strong>
        {after}
      </p>
      <p class="soft">{words.unchanged}</p>
      <div class="actions">
        <button ref={done} type="button" class="button" onClick={onClose}>
          {words.done}
        </button>
      </div>
    </Modal>
  )
}
