/** Shows a key's secret once. Only this dialog holds it. */
import { baseUrl } from '../../api.ts'
import { Copy } from '../../parts/copy.tsx'
import { Modal, useUnsavedSecret } from '../../parts/modal.tsx'
import { SampleTabs } from '../../parts/sample-tabs.tsx'
import { environment } from '../../samples/environment.ts'
import { words } from './dialogs.words.ts'
import type { Credentials } from './keys.ts'

const { secret } = words

type SecretProps = Readonly<{ credentials: Credentials; isRotated: boolean; onDone(): void }>

/** Only its button closes the dialog. */
export function SecretOnce({ credentials, isRotated, onDone }: SecretProps) {
  useUnsavedSecret()
  const { name, keyId, keySecret } = credentials
  const values = { baseUrl, keyId, keySecret }
  return (
    <Modal title={isRotated ? secret.rotated(name) : secret.created(name)}>
      <p class="notice warn">{secret.once}</p>
      <Copy label={secret.keyId} text={keyId} hasBar />
      <Copy label={secret.keySecret} text={keySecret} hasBar />
      <SampleTabs values={values} first={{ name: '.env', label: secret.envLabel, text: environment(values) }} />
      <div class="actions">
        <button type="button" class="button" onClick={onDone}>
          {secret.done}
        </button>
      </div>
    </Modal>
  )
}
