/** The end of an account: says what is lost, and asks for the address so that nobody ends it by mistake. */
import { useState } from 'preact/hooks'
import { callSignedIn } from '../api.ts'
import { Modal } from '../parts/modal.tsx'
import { FailureOfSignIn } from '../parts/sign-in-again.tsx'
import { useAction } from '../parts/use-action.ts'
import { forgetToken } from '../session.ts'
import { words } from './profile.words.ts'

/** The row with its button. @param email the account's */
export function DeleteAccount({ email, onDeleted }: Readonly<{ email: string; onDeleted(): void }>) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <div class="row apart">
        <div class="stack tight">
          <h2>{words.delete}</h2>
          <p class="soft small">{words.deleteText}</p>
        </div>
        <button type="button" class="button plain small dangerous" onClick={() => setAsking(true)}>
          {words.deleteAct}
        </button>
      </div>
      {isAsking && <Ask email={email} onDeleted={onDeleted} onClose={() => setAsking(false)} />}
    </>
  )
}

type AskProps = Readonly<{ email: string; onDeleted(): void; onClose(): void }>

function Ask({ email, onDeleted, onClose }: AskProps) {
  const [typed, setTyped] = useState('')
  const isSure = typed.trim().toLowerCase() === email
  const remove = useAction(async () => {
    await callSignedIn('DELETE', '/users/me')
    forgetToken()
    onDeleted()
  })
  const [before, address, after] = words.typeEmail(email)
  return (
    <Modal title={words.deleteTitle} onClose={onClose}>
      <ul>
        {words.lost.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isSure) remove.run()
        }}
      >
        <div class="field">
          <label for="confirm-email">
            {before}
            <code>{address}</code>
            {after}
          </label>
          <input
            id="confirm-email"
            type="email"
            autocomplete="off"
            spellcheck={false}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </div>
        <FailureOfSignIn error={remove.error} />
        <div class="actions">
          <button type="button" class="button plain" onClick={onClose}>
            {words.cancel}
          </button>
          <button class="button danger" disabled={!isSure} aria-disabled={remove.isBusy}>
            {remove.isBusy ? words.deleting : words.deleteAct}
          </button>
        </div>
      </form>
    </Modal>
  )
}
