import { useState } from 'preact/hooks'
import { formText } from '../../parts/form-text.ts'
import { Modal } from '../../parts/modal.tsx'
import { Failure } from '../../parts/notice.tsx'
import { useAction } from '../../parts/use-action.ts'
import { MAX_DISPLAY_LENGTH } from '../../parts/display-text.ts'
import { useInvalidField } from '../../parts/use-invalid-field.tsx'
import { toDay } from '../../time.ts'
import type { Chosen } from '../key-restrictions/draft.ts'
import { RestrictionFields } from '../key-restrictions/restriction-fields.tsx'
import { useRestrictions } from '../key-restrictions/use-restrictions.ts'
import { words } from './dialogs.words.ts'
import { createKey } from './keys.ts'
import type { Credentials } from './keys.ts'

const DEFAULT_DAYS = 90
const { create } = words

type CreateProps = Readonly<{ onClose(): void; onFailed(): void; onCreated(credentials: Credentials): void }>

export function CreateKey({ onClose, onFailed, onCreated }: CreateProps) {
  const [days, setDays] = useState(DEFAULT_DAYS)
  const may = useRestrictions(undefined)
  const action = useAction(async (name: string, restrictions: Chosen | null) => {
    const choice = {
      // The service would name it in English.
      name: name || create.unnamed,
      ...(days === 0 ? {} : { expiresInDays: days }),
      ...(restrictions && { restrictions }),
    }
    onCreated(
      await createKey(choice).catch((error: unknown) => {
        // Reload the list: if only the answer was lost, the key exists.
        onFailed()
        throw error
      }),
    )
  })
  const invalid = useInvalidField(action.error, { id: 'key-name', sentence: create.invalid, hintId: 'key-name-hint' })
  return (
    // Cannot be closed during the call: its answer contains the only copy of the secret.
    <Modal title={create.title} {...(action.isBusy ? {} : { onClose })}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const name = formText(event.currentTarget, 'name')
          may.submit((restrictions) => action.run(name, restrictions))
        }}
      >
        <div class="field">
          <label for="key-name">
            {create.name} <span class="optional">{create.optional}</span>
          </label>
          <input
            {...invalid.field}
            name="name"
            maxlength={MAX_DISPLAY_LENGTH}
            placeholder={create.namePlaceholder}
            autocomplete="off"
          />
          {invalid.fieldError}
          <p id="key-name-hint" class="soft small">
            {create.nameHint}
          </p>
        </div>
        <div class="field">
          <label for="key-days">{create.expires}</label>
          <select
            id="key-days"
            aria-describedby="key-days-hint"
            onChange={(event) => setDays(Number(event.currentTarget.value))}
          >
            {create.lifetimes.map(({ days: each, name }) => (
              <option key={each} value={each} selected={each === DEFAULT_DAYS}>
                {name}
              </option>
            ))}
          </select>
          <p id="key-days-hint" class="soft small" role="status">
            {days === 0 ? create.forever : create.until(toDay(new Date(Date.now() + days * 86_400_000).toISOString()))}
          </p>
        </div>
        <RestrictionFields {...may.fields} />
        <Failure error={invalid.error} />
        <div class="actions">
          <button type="button" class="button plain" disabled={action.isBusy} onClick={onClose}>
            {words.cancel}
          </button>
          <button class="button" aria-disabled={action.isBusy}>
            {action.isBusy ? create.acting : create.act}
          </button>
        </div>
      </form>
    </Modal>
  )
}
