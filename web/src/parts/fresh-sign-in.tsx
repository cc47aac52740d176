/**
 * Some actions need a sign-in of the last ten minutes. The person is asked for one before a dialog is filled in, and
 * returns to that dialog, with what they had typed if the service asked later.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { CallError } from '../api.ts'
import { replaceSignIn } from '../end-sign-in.ts'
import { inLanguage } from '../language.ts'
import { goTo, signInFor } from '../page-paths.ts'
import { currentUserId, isSignInFresh } from '../session.ts'
import { RESUMED_DIALOG, storage } from '../storage.ts'
import { Modal } from './modal.tsx'
import { Failure } from './notice.tsx'

const words = inLanguage({
  en: {
    title: 'Sign in again first',
    text: 'This needs a sign-in of the last few minutes. You come back here afterwards.',
    signIn: 'Sign in again',
    cancel: 'Cancel',
  },
  ro: {
    title: 'Mai întâi autentifică-te din nou',
    text: 'Pentru aceasta este nevoie de o autentificare din ultimele minute. Apoi revii aici.',
    signIn: 'Autentifică-te din nou',
    cancel: 'Renunță',
  },
})

/** Forgotten after this time: the person has given up. */
const RESUMABLE_MS = 20 * 60_000

type Dialog = 'authorize' | 'change-email' | 'connect-google' | 'delete-account' | 'disconnect-google'

type Resumed = Readonly<{ dialog: Dialog; typed: string }>

async function signInAgain(resumed: Resumed): Promise<void> {
  storage.write(RESUMED_DIALOG, JSON.stringify({ ...resumed, userId: currentUserId(), atMs: Date.now() }))
  await replaceSignIn()
  await goTo(signInFor(location.pathname))
}

// Not consumed: the link in the mail opens a second tab, and either may be the one that the person goes on in.
function typedIn(asked: Dialog): string | undefined {
  try {
    const { dialog, typed, userId, atMs } = JSON.parse(storage.read(RESUMED_DIALOG) ?? '') as Resumed & {
      userId?: string
      atMs: number
    }
    const isOurs = dialog === asked && userId === currentUserId() && Date.now() - atMs < RESUMABLE_MS
    return isOurs ? typed : undefined
  } catch {
    return undefined
  }
}

/**
 * A dialog whose action needs a fresh sign-in. Render `AskSignIn` while `isAsking`, and the dialog while `isOpen`.
 * `opener` is the ref of its button, `typed` what was typed before the sign-in.
 */
export function useFreshDialog(dialog: Dialog) {
  const [state, setState] = useState<'closed' | 'asking' | 'open'>('closed')
  const [typed, setTyped] = useState('')
  const opener = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const kept = typedIn(dialog)
    if (kept === undefined) return
    // The dialog returns the focus to it.
    opener.current?.focus()
    setTyped(kept)
    setState('open')
  }, [])
  return {
    opener,
    typed,
    isAsking: state === 'asking',
    isOpen: state === 'open',
    open: () => setState(isSignInFresh() ? 'open' : 'asking'),
    close: () => {
      storage.delete(RESUMED_DIALOG)
      setTyped('')
      setState('closed')
    },
  } as const
}

export const AskSignIn = ({ dialog, onClose }: Readonly<{ dialog: Dialog; onClose(): void }>) => (
  <Modal title={words.title} onClose={onClose}>
    <p>{words.text}</p>
    <div class="actions">
      <button type="button" class="button plain" onClick={onClose}>
        {words.cancel}
      </button>
      <button type="button" class="button" onClick={() => void signInAgain({ dialog, typed: '' })}>
        {words.signIn}
      </button>
    </div>
  </Modal>
)

/** Whether `dialog` can be shown: also if this device's clock is wrong, the person is asked once only. */
export const canShow = (dialog: Dialog): boolean => isSignInFresh() || typedIn(dialog) !== undefined

/** The same on a page instead of a dialog. */
export const SignInAgain = ({ dialog }: Readonly<{ dialog: Dialog }>) => (
  <>
    <p>{words.text}</p>
    <button type="button" class="button wide" onClick={() => void signInAgain({ dialog, typed: '' })}>
      {words.signIn}
    </button>
  </>
)

/** Shows the error. If the sign-in is too old, adds a button to sign in again and return here. */
export function SignInFailure({ error, resumed }: Readonly<{ error: Error | undefined; resumed: Resumed }>) {
  const isTooOld = error instanceof CallError && error.code === 'SIGN_IN_REQUIRED'
  return (
    <>
      <Failure error={error} />
      {isTooOld && (
        <button type="button" class="button plain" onClick={() => void signInAgain(resumed)}>
          {words.signIn}
        </button>
      )}
    </>
  )
}
