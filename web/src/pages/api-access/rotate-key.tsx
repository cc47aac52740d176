import { useState } from 'preact/hooks'
import { Modal } from '../../parts/modal.tsx'
import { Failure } from '../../parts/notice.tsx'
import { useAction } from '../../parts/use-action.ts'
import { words } from './dialogs.words.ts'
import { rotateKey } from './keys.ts'
import type { ApiKey, Credentials } from './keys.ts'
import styles from '../api-access.module.css'

// Safe for a routine rotation. After a leak, choose 0.
const DEFAULT_GRACE_SECONDS = 86_400
const { rotate } = words

type RotateProps = Readonly<{
  apiKey: ApiKey
  onClose(): void
  onRotated(credentials: Credentials, graceSeconds: number): void
}>

export function RotateKey({ apiKey, onClose, onRotated }: RotateProps) {
  const [graceSeconds, setGraceSeconds] = useState(DEFAULT_GRACE_SECONDS)
  const action = useAction(async () => onRotated(await rotateKey(apiKey, graceSeconds), graceSeconds))
  return (
    <Modal title={rotate.title(apiKey.name)} {...(action.isBusy ? {} : { onClose })}>
      <p class="soft">{rotate.text}</p>
      <fieldset class={`stack ${styles.graces}`}>
        <legend>{rotate.grace}</legend>
        {rotate.graces.map(({ seconds, name, text }) => (
          <label key={seconds} class="choice">
            <input
              type="radio"
              name="grace"
              checked={graceSeconds === seconds}
              onChange={() => setGraceSeconds(seconds)}
            />
            <span>
              <strong>{name}</strong>
              <span class="soft small">{text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p class="soft small">{rotate.again}</p>
      <Failure error={action.error} />
      <div class="actions">
        <button type="button" class="button plain" disabled={action.isBusy} onClick={onClose}>
          {words.cancel}
        </button>
        <button type="button" class="button" aria-disabled={action.isBusy} onClick={() => action.run()}>
          {action.isBusy ? rotate.acting : rotate.act}
        </button>
      </div>
    </Modal>
  )
}
