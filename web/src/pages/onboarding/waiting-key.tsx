/** A key that waits for the owner: who created it, and the buttons to keep or revoke it. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SecurityEvent } from '../../events.ts'
import { Failure } from '../../parts/notice.tsx'
import { useAction } from '../../parts/use-action.ts'
import { toMoment } from '../../time.ts'
import { keepKey } from '../api-access/keys.ts'
import type { ApiKey } from '../api-access/keys.ts'
import { RevokeKey } from '../api-access/revoke-key.tsx'
import { KeyMay } from '../key-restrictions/key-may.tsx'
import { words as mayWords } from '../key-restrictions/restrictions.words.ts'
import { howCreated } from '../how-created.words.ts'
import { words } from '../onboarding.words.ts'
import styles from '../onboarding.module.css'

export type WaitingKey = Readonly<{ key: ApiKey; creation: SecurityEvent | undefined; makerName: string | undefined }>
export type Decision = 'keep' | 'revoke'

type WaitingProps = Readonly<{
  waiting: WaitingKey
  decision: Decision | undefined
  onDecided(keys: readonly ApiKey[], decision: Decision): void
}>

export function Waiting({ waiting, decision, onDecided }: WaitingProps) {
  const { key, creation, makerName } = waiting
  const { name, keyId, createdAt } = key
  const [isAsking, setAsking] = useState(false)
  // Revoking one key may revoke others. Only the entry where the person decided takes the focus.
  const isDecidedHere = useRef(false)
  const outcome = useRef<HTMLParagraphElement>(null)
  const decide = (keys: readonly ApiKey[], chosen: Decision): void => {
    isDecidedHere.current = true
    setAsking(false)
    onDecided(keys, chosen)
  }
  const keep = useAction(async () => {
    await keepKey(key)
    decide([key], 'keep')
  })
  // The buttons are gone; focus makes screen readers announce the outcome.
  useLayoutEffect(() => {
    if (isDecidedHere.current) outcome.current?.focus()
  }, [decision])
  const how = howCreated(creation, makerName)
  return (
    <li class="stack">
      <div class="stack tight">
        <h3>{name}</h3>
        <p class="soft small">
          <code>{keyId}</code>
        </p>
      </div>
      <dl class={`small ${styles.facts}`}>
        <dt>{words.createdAt}</dt>
        <dd>
          <time dateTime={createdAt}>{toMoment(createdAt)}</time>
        </dd>
        <dt>{words.createdFrom}</dt>
        <dd>{creation?.client ?? words.unknown}</dd>
        <dt>{words.createdBy}</dt>
        <dd>{how}</dd>
        <dt>{mayWords.may}</dt>
        <dd>
          <KeyMay apiKey={key} />
        </dd>
      </dl>
      <Failure error={keep.error} />
      {decision === undefined ? (
        <div class={`row ${styles.decision}`}>
          <button
            type="button"
            class="button plain small"
            aria-label={words.keepKey(name)}
            aria-disabled={keep.isBusy}
            onClick={() => keep.run()}
          >
            {words.keep}
          </button>
          <button
            type="button"
            class="button plain small dangerous"
            aria-label={words.revokeKey(name)}
            onClick={() => setAsking(true)}
          >
            {words.revoke}
          </button>
        </div>
      ) : (
        <p
          ref={outcome}
          tabIndex={-1}
          class={`row ${styles.decision}`}
          aria-label={decision === 'keep' ? words.saidKept(name) : words.saidRevoked(name)}
        >
          <span class={decision === 'keep' ? 'badge good' : 'badge'}>
            {decision === 'keep' ? words.kept : words.revoked}
          </span>
        </p>
      )}
      {isAsking && (
        <RevokeKey
          apiKey={key}
          onClose={() => setAsking(false)}
          onRevoked={async (others) => decide([key, ...others], 'revoke')}
        />
      )}
    </li>
  )
}
