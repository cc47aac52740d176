/** The live sign-ins of the account. Each can be ended, at once and without a way back: the person can sign in again. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { callSignedIn, CallError } from '../../api.ts'
import { browserName } from '../../browser.words.ts'
import { Failure } from '../../parts/notice.tsx'
import { showResult } from '../../parts/results.tsx'
import { SignOutEverywhere } from '../../parts/sign-out-everywhere.tsx'
import { useSignOut } from '../../parts/use-sign-out.tsx'
import type { SignIn } from '../../sign-ins.ts'
import { toMoment, toRelative, toSecond } from '../../time.ts'
import { words } from './sign-ins.words.ts'
import profile from '../profile.module.css'
import styles from './sign-ins.module.css'

/** The others are collapsed: an account can have fifty. */
const SHOWN = 5
/** The service notes calls at most this late. */
const ACTIVE_MS = 5 * 60_000

type SignInsProps = Readonly<{ signIns: readonly SignIn[]; onEnded(signIn: SignIn): void }>

export function SignIns({ signIns, onEnded }: SignInsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const own = useSignOut()
  const [ending, setEnding] = useState<readonly string[]>([])
  useEffect(() => {
    // The row with the button that was pressed is gone. Not to the next one, which a second press would end too.
    if (document.activeElement === document.body && ending.length > 0) heading.current?.focus()
    setEnding((ids) => ids.filter((id) => signIns.some((signIn) => signIn.id === id)))
  }, [signIns])

  async function end(signIn: SignIn): Promise<void> {
    const { id } = signIn
    if (ending.includes(id)) return
    setEnding((ids) => [...ids, id])
    const name = browserName(signIn)
    try {
      await callSignedIn('POST /auth/sessions/{id}/revoke', { path: { id } })
    } catch (error) {
      const hasExpired = error instanceof CallError && error.code === 'NOT_FOUND'
      if (!hasExpired) {
        setEnding((ids) => ids.filter((each) => each !== id))
        // The answer may have been lost after the service had ended it.
        return showResult(words.mayLive(name, (error as Error).message), { isFailure: true })
      }
    }
    onEnded(signIn)
    showResult(words.isEnded(name))
  }

  const rows = signIns.map((signIn) => (
    <Row
      key={signIn.id}
      signIn={signIn}
      isEnding={signIn.current ? own.isBusy : ending.includes(signIn.id)}
      onEnd={() => (signIn.current ? own.run() : void end(signIn))}
    />
  ))
  return (
    <section class={`panel ${profile.profile}`} aria-labelledby="sign-ins">
      <div class="row apart">
        <div class="stack tight">
          <h2 id="sign-ins" ref={heading} tabIndex={-1}>
            {words.title}
          </h2>
          <p class="soft small">{words.text}</p>
          {!signIns.some(({ current }) => current) && <p class="soft small">{words.isUnlisted}</p>}
        </div>
        <SignOutEverywhere />
      </div>
      {rows.length > 0 && <ul class={styles.rows}>{rows.slice(0, SHOWN)}</ul>}
      {rows.length > SHOWN && (
        <details class={styles.more}>
          <summary>{words.more(rows.length - SHOWN)}</summary>
          <ul class={styles.rows}>{rows.slice(SHOWN)}</ul>
        </details>
      )}
      <Failure error={own.error} />
      {own.dialog}
    </section>
  )
}

type RowProps = Readonly<{ signIn: SignIn; isEnding: boolean; onEnd(): void }>

function Row({ signIn, isEnding, onEnd }: RowProps) {
  const { method, network, createdAt, lastSeenAt, current } = signIn
  const name = browserName(signIn)
  const isActive = current || Date.now() - Date.parse(lastSeenAt) < ACTIVE_MS
  const active = isActive ? words.activeNow : words.lastActive(toRelative(lastSeenAt))
  // To the second: sign-ins of one browser differ in nothing else.
  const since = words.since(toSecond(createdAt), words.method[method])
  const details = [...(network === null ? [] : [network]), active, since].join(' · ')
  return (
    <li>
      <div class="stack tight">
        <p class="row">
          <strong>{name}</strong>
          {current && <span class="badge good">{words.thisBrowser}</span>}
        </p>
        <p class="soft small" title={toMoment(createdAt)}>
          {details}
        </p>
      </div>
      <button
        type="button"
        class="button plain small"
        aria-label={words.about(isEnding ? words.signingOut : words.signOut, name, details)}
        aria-disabled={isEnding}
        onClick={onEnd}
      >
        {isEnding ? words.signingOut : words.signOut}
      </button>
    </li>
  )
}
