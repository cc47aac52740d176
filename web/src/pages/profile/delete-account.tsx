/** Deletes the account. The person types the address to confirm. */
import { asciiAddress } from '../../ascii-address.ts'
import { useState } from 'preact/hooks'
import { callSignedIn } from '../../api.ts'
import { Modal } from '../../parts/modal.tsx'
import { AskSignIn, SignInFailure, useFreshDialog } from '../../parts/fresh-sign-in.tsx'
import { useAction } from '../../parts/use-action.ts'
import { signOut } from '../../session.ts'
import { words } from '../profile.words.ts'

export function DeleteAccount({ email, onDeleted }: Readonly<{ email: string; onDeleted(): void }>) {
  const { opener, typed, isAsking, isOpen, open, close } = useFreshDialog('delete-account')
  return (
    <>
      <div class="row apart">
        <div class="stack tight">
          <h2>{words.delete}</h2>
          <p class="soft small">{words.deleteText}</p>
        </div>
        <button ref={opener} type="button" class="button plain small dangerous" onClick={open}>
          {words.deleteAct}
        </button>
      </div>
      {isAsking && <AskSignIn dialog="delete-account" onClose={close} />}
      {isOpen && <ConfirmDeletion email={email} typedBefore={typed} onDeleted={onDeleted} onClose={close} />}
    </>
  )
}

type ConfirmDeletionProps = Readonly<{ email: string; typedBefore: string; onDeleted(): void; onClose(): void }>

function ConfirmDeletion({ email, typedBefore, onDeleted, onClose }: ConfirmDeletionProps) {
  const [typed, setTyped] = useState(typedBefore)
  const isConfirmed = asciiAddress(typed.trim()) === asciiAddress(email)
  const remove = useAction(async () => {
    await callSignedIn('DELETE /users/me')
    signOut()
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
        // The typed address is compared with the account's, which a browser may take for invalid.
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isConfirmed) remove.run()
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
        <SignInFailure error={remove.error} resumed={{ dialog: 'delete-account', typed }} />
        <div class="actions">
          <button type="button" class="button plain" onClick={onClose}>
            {words.cancel}
          </button>
          <button class="button danger" disabled={!isConfirmed} aria-disabled={remove.isBusy}>
            {remove.isBusy ? words.deleting : words.deleteAct}
          </button>
        </div>
      </form>
    </Modal>
  )
}
