/** Callback of the sign-in with Google. Accepts a token only for a flow that this browser started. */
import { useEffect, useState } from 'preact/hooks'
import { addresses, pageAfterSignIn } from '../addresses.ts'
import { CallError } from '../api.ts'
import { enter } from '../enter.ts'
import { fragment } from '../fragment.ts'
import { takeStarted } from '../google.ts'
import { Single } from '../parts/single.tsx'
import { words } from './signed-in.words.ts'

const token = fragment.get('token')
const error = fragment.get('error')

export function SignedIn() {
  // Not at module level: every page loads this file, and takeStarted consumes the flow.
  const [next] = useState(takeStarted)
  const isEntering = token !== null && next !== undefined
  useEffect(() => {
    if (isEntering)
      void enter({ token, needsOnboarding: fragment.get('needsOnboarding') === 'true' }, pageAfterSignIn(next))
  }, [])
  if (isEntering) return null
  return (
    <Single title={words.failedTitle}>
      <h1>{words.failedTitle}</h1>
      <p role="alert">
        {error === null || next === undefined ? words.notStarted : new CallError(error, 0, null).message}
      </p>
      <a class="button wide" href={addresses.signIn}>
        {words.back}
      </a>
    </Single>
  )
}
