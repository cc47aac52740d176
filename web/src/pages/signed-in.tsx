/** Callback of the sign-in with Google. Accepts a token only for a flow that this browser started. */
import { useEffect, useState } from 'preact/hooks'
import { paths, pageAfterSignIn } from '../page-paths.ts'
import { CallError } from '../api.ts'
import { finishSignIn } from '../finish-sign-in.ts'
import { fragment } from '../fragment.ts'
import { consumeFlow } from '../google.ts'
import { CardPage } from '../parts/card-page.tsx'
import { words } from './signed-in.words.ts'

const token = fragment.get('token')
const error = fragment.get('error')

export function SignedIn() {
  // Not at module level: every page loads this file, and consumeFlow consumes the flow.
  const [next] = useState(consumeFlow)
  const isEntering = token !== null && next !== undefined
  useEffect(() => {
    if (isEntering)
      void finishSignIn({ token, needsOnboarding: fragment.get('needsOnboarding') === 'true' }, pageAfterSignIn(next))
  }, [])
  if (isEntering) return null
  return (
    <CardPage title={words.failedTitle}>
      <h1>{words.failedTitle}</h1>
      <p role="alert">
        {error === null || next === undefined ? words.notStarted : new CallError(error, 0, null).message}
      </p>
      <a class="button wide" href={paths.signIn}>
        {words.back}
      </a>
    </CardPage>
  )
}
