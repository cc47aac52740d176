/** Shows a key's secret once. Only this dialog holds it. */
import { useEffect, useState } from 'preact/hooks'
import { Copy } from '../../parts/copy.tsx'
import { Modal } from '../../parts/modal.tsx'
import { words } from './dialogs.words.ts'
import type { Credentials } from './keys.ts'
import { curlExchange, envLines } from './snippets.ts'
import styles from '../api-access.module.css'

const { secret } = words

type SecretProps = Readonly<{ credentials: Credentials; isRotated: boolean; onDone(): void }>

/** Only its button closes the dialog. */
export function SecretOnce({ credentials, isRotated, onDone }: SecretProps) {
  const [form, setForm] = useState<'env' | 'curl'>('env')
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  const { name, keyId, keySecret } = credentials
  return (
    <Modal title={isRotated ? secret.rotated(name) : secret.created(name)}>
      <p class="notice warn">{secret.once}</p>
      <Copy label={secret.keyId} text={keyId} hasBar />
      <Copy label={secret.keySecret} text={keySecret} hasBar />
      <fieldset class={`segments ${styles.forms}`}>
        <legend class="visually-hidden">{secret.form}</legend>
        {(['env', 'curl'] as const).map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="form"
              class="visually-hidden"
              checked={form === each}
              onChange={() => setForm(each)}
            />
            {secret[each]}
          </label>
        ))}
      </fieldset>
      {form === 'env' ? (
        <Copy key="env" label={secret.envLabel} text={envLines(credentials)} hasBar />
      ) : (
        <Copy key="curl" label={secret.curlLabel} text={curlExchange(credentials)} hasBar />
      )}
      <div class="actions">
        <button type="button" class="button" onClick={onDone}>
          {secret.done}
        </button>
      </div>
    </Modal>
  )
}
