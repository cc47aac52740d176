import { useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { endSignIn } from '../end-sign-in.ts'
import { inLanguage } from '../language.ts'
import { goTo, paths } from '../page-paths.ts'
import { Modal } from './modal.tsx'
import { useAction } from './use-action.ts'

const words = inLanguage({
  en: {
    title: 'Signed out in this browser only',
    text: 'The service did not confirm it, so the sign-in itself may live on: for at most seven days, or until you end it.',
    advice: 'If others use this device, sign in again when you can, and end it under “Sign-ins” on your profile.',
    close: 'Back to sign-in',
  },
  ro: {
    title: 'Deconectat doar în acest browser',
    text: 'Serviciul nu a confirmat, așa că autentificarea poate rămâne activă: cel mult șapte zile sau până o închei.',
    advice:
      'Dacă dispozitivul este folosit și de alții, autentifică-te din nou când poți și încheie-o din „Autentificări”, în profil.',
    close: 'Înapoi la autentificare',
  },
})

/** Signs this browser out. `dialog`, which the caller renders, says so if the service did not confirm it. */
export function useSignOut() {
  const [isUnconfirmed, setUnconfirmed] = useState(false)
  const { isBusy, error, run } = useAction(async () => {
    if (await endSignIn()) await goTo(paths.signIn)
    setUnconfirmed(true)
  })
  const dialog: ComponentChildren = isUnconfirmed && (
    <Modal title={words.title}>
      <p>{words.text}</p>
      <p class="soft">{words.advice}</p>
      <div class="actions">
        <a class="button" href={paths.signIn}>
          {words.close}
        </a>
      </div>
    </Modal>
  )
  return { isBusy, error, run, dialog } as const
}
