import { formText } from '../../parts/form-text.ts'
import { Modal } from '../../parts/modal.tsx'
import { Failure } from '../../parts/notice.tsx'
import { MAX_DISPLAY_LENGTH } from '../../parts/display-text.ts'
import { useAction } from '../../parts/use-action.ts'
import { useInvalidField } from '../../parts/use-invalid-field.tsx'
import type { Chosen } from '../key-restrictions/draft.ts'
import { toText } from '../key-restrictions/key-may.tsx'
import { RestrictionFields } from '../key-restrictions/restriction-fields.tsx'
import { useRestrictions } from '../key-restrictions/use-restrictions.ts'
import { words } from './dialogs.words.ts'
import { changeKey } from './keys.ts'
import type { ApiKey } from './keys.ts'

const { change, create } = words

type ChangeProps = Readonly<{ apiKey: ApiKey; onClose(): void; onChanged(apiKey: ApiKey): Promise<void> }>

/** Renames a key, and changes what it may do. */
export function ChangeKey({ apiKey, onClose, onChanged }: ChangeProps) {
  const may = useRestrictions(apiKey.restrictions)
  const action = useAction(async (name: string, restrictions: Chosen | null) =>
    onChanged(await changeKey(apiKey, { name, ...(may.isChanged && { restrictions }) })),
  )
  const invalid = useInvalidField(action.error, { id: 'key-name', sentence: create.invalid })
  return (
    <Modal title={change.title(apiKey.name)} {...(action.isBusy ? {} : { onClose })}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const name = formText(event.currentTarget, 'name')
          may.submit((restrictions) => action.run(name, restrictions))
        }}
      >
        <div class="field">
          <label for="key-name">{create.name}</label>
          <input
            {...invalid.field}
            name="name"
            maxlength={MAX_DISPLAY_LENGTH}
            autocomplete="off"
            required
            pattern=".*\S.*"
            defaultValue={apiKey.name}
          />
          {invalid.fieldError}
        </div>
        <RestrictionFields {...may.fields} />
        <p class="soft small">
          {change.atOnce}
          {apiKey.effectiveRestrictions && ` ${change.atMost(toText(apiKey.effectiveRestrictions))}`}
        </p>
        <Failure error={invalid.error} />
        <div class="actions">
          <button type="button" class="button plain" disabled={action.isBusy} onClick={onClose}>
            {words.cancel}
          </button>
          <button class="button" aria-disabled={action.isBusy}>
            {action.isBusy ? change.acting : change.act}
          </button>
        </div>
      </form>
    </Modal>
  )
}
