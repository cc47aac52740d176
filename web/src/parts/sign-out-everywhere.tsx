import { useState } from 'preact/hooks'
import { paths, goTo } from '../page-paths.ts'
import { callSignedIn } from '../api.ts'
import { inLanguage } from '../language.ts'
import { signOut as endSession } from '../session.ts'
import { Modal } from './modal.tsx'
import { Failure } from './notice.tsx'
import { useAction } from './use-action.ts'

const words = inLanguage({
  en: {
    act: 'Sign out everywhere',
    acting: 'Signing out…',
    title: 'Sign out everywhere?',
    text: 'Every browser and program signed in to your account is signed out at once, including this one, and every connected app is disconnected. You can sign in again right away.',
    keys: 'API keys keep working. Revoke a key you do not trust under',
    apiAccess: 'API Access',
    cancel: 'Cancel',
  },
  ro: {
    act: 'Deconectare de peste tot',
    acting: 'Se deconectează…',
    title: 'Te deconectezi de peste tot?',
    text: 'Toate browserele și programele conectate la contul tău sunt deconectate imediat, inclusiv acest browser, la fel și aplicațiile conectate. Te poți autentifica din nou oricând.',
    keys: 'Cheile API funcționează în continuare. Revocă o cheie în care nu ai încredere din',
    apiAccess: 'Acces API',
    cancel: 'Renunță',
  },
})

/** Asks for confirmation, then revokes every token of the account, this one included. */
export function SignOutEverywhere() {
  const [isAsking, setAsking] = useState(false)
  const signOut = useAction(async () => {
    await callSignedIn('POST /auth/tokens/revoke')
    endSession()
    await goTo(paths.signIn, 'replace')
  })
  return (
    <>
      <button type="button" class="button plain small" onClick={() => setAsking(true)}>
        {words.act}
      </button>
      {isAsking && (
        <Modal title={words.title} onClose={() => setAsking(false)}>
          <p>{words.text}</p>
          <p class="soft small">
            {words.keys} <a href={paths.profile}>{words.apiAccess}</a>.
          </p>
          <Failure error={signOut.error} />
          <div class="actions">
            <button type="button" class="button plain" onClick={() => setAsking(false)}>
              {words.cancel}
            </button>
            <button type="button" class="button danger" aria-disabled={signOut.isBusy} onClick={() => signOut.run()}>
              {signOut.isBusy ? words.acting : words.act}
            </button>
          </div>
        </Modal>
      )}
    </>
  )
}
