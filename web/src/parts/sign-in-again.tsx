import { goTo, signInFor } from '../page-paths.ts'
import { CallError } from '../api.ts'
import { inLanguage } from '../language.ts'
import { forgetToken } from '../session.ts'
import { Failure } from './notice.tsx'

const words = inLanguage({ en: { signIn: 'Sign in again' }, ro: { signIn: 'Autentifică-te din nou' } })

/** Shows the error. If the sign-in is too old, adds a button to sign in again and return here. */
export function SignInFailure({ error }: Readonly<{ error: Error | undefined }>) {
  const isTooOld = error instanceof CallError && error.code === 'SIGN_IN_REQUIRED'
  return (
    <>
      <Failure error={error} />
      {isTooOld && (
        <button
          type="button"
          class="button plain"
          onClick={() => {
            forgetToken()
            void goTo(signInFor(location.pathname))
          }}
        >
          {words.signIn}
        </button>
      )}
    </>
  )
}
