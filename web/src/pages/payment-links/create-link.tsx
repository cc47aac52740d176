import { useRef, useState } from 'preact/hooks'
import { CallError } from '../../api.ts'
import { formText } from '../../parts/form-text.ts'
import { Modal } from '../../parts/modal.tsx'
import { Failure } from '../../parts/notice.tsx'
import { useAction } from '../../parts/use-action.ts'
import { MAX_DISPLAY_LENGTH } from '../../parts/display-text.ts'
import { useInvalidField } from '../../parts/use-invalid-field.tsx'
import { words } from '../payment-links.words.ts'
import { createLink } from './links.ts'
import type { NewLink, PaymentLink } from './links.ts'
import { chooseCurrency, chosenCurrency, currencies, fromMoneyText } from './money.ts'
import type { Currency } from './money.ts'
import styles from '../payment-links.module.css'

const { creating } = words

type CreateProps = Readonly<{ onClose(): void; onCreated(link: PaymentLink): void }>

export function CreateLink({ onClose, onCreated }: CreateProps) {
  const [wrong, setWrong] = useState<Error>()
  const [currency, setCurrency] = useState(() => chosenCurrency('form'))
  // One idempotency key per content: a changed form is another request.
  const lastTry = useRef({ content: '', key: '' })
  const action = useAction(async (link: NewLink) => {
    const content = JSON.stringify([link, currency])
    if (lastTry.current.content !== content) lastTry.current = { content, key: crypto.randomUUID() }
    onCreated(await createLink(link, currency, lastTry.current.key))
  })
  const forAmount = useInvalidField(wrong, {
    id: 'link-amount',
    sentence: creating.amountWrong,
    hintId: 'link-amount-hint',
  })
  const forTitle = useInvalidField(action.error, {
    id: 'link-title',
    sentence: action.error ? creating.invalid : creating.descriptionWrong,
    hintId: 'link-title-hint',
  })
  const forExpiry = useInvalidField(undefined, {
    id: 'link-expires',
    sentence: creating.expiresWrong,
    hintId: 'link-expires-hint',
  })
  const submit = (form: HTMLFormElement): void => {
    const amount = fromMoneyText(formText(form, 'amount'))
    const reference = formText(form, 'reference')
    const day = formText(form, 'expires')
    if (amount === undefined) {
      setWrong(new CallError('VALIDATION_FAILED', 0, null))
      return
    }
    setWrong(undefined)
    action.run({
      amount,
      title: formText(form, 'title'),
      ...(reference === '' ? {} : { reference }),
      ...(day === '' ? {} : { expiresAt: new Date(`${day}T23:59:59`).toISOString() }),
    })
  }
  return (
    <Modal title={creating.title} {...(action.isBusy ? {} : { onClose })}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          submit(event.currentTarget)
        }}
      >
        <div class="field">
          <label for="link-amount">{creating.amount}</label>
          <div class={styles.money}>
            <input
              {...forAmount.field}
              onInput={() => setWrong(undefined)}
              name="amount"
              inputMode="decimal"
              autocomplete="off"
              maxlength={20}
              required
            />
            <select
              aria-label={creating.currency}
              value={currency}
              onChange={({ currentTarget }) => {
                const chosen = currentTarget.value as Currency
                chooseCurrency('form', chosen)
                setCurrency(chosen)
              }}
            >
              {currencies.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </div>
          {forAmount.fieldError}
          <p id="link-amount-hint" class="soft small">
            {creating.amountHint}
          </p>
        </div>
        <div class="field">
          <label for="link-title">{creating.description}</label>
          <input
            {...forTitle.field}
            name="title"
            autocomplete="off"
            maxlength={MAX_DISPLAY_LENGTH}
            required
            pattern=".*\S.*"
          />
          {forTitle.fieldError}
          <p id="link-title-hint" class="soft small">
            {creating.descriptionHint}
          </p>
        </div>
        <div class="field">
          <label for="link-reference">
            {creating.reference} <span class="optional">{creating.optional}</span>
          </label>
          <input id="link-reference" name="reference" autocomplete="off" maxlength={MAX_DISPLAY_LENGTH} />
        </div>
        <div class="field">
          <label for="link-expires">
            {creating.expires} <span class="optional">{creating.optional}</span>
          </label>
          <input {...forExpiry.field} name="expires" type="date" min={today()} />
          {forExpiry.fieldError}
          <p id="link-expires-hint" class="soft small">
            {creating.expiresHint}
          </p>
        </div>
        <Failure error={forTitle.error} />
        <div class="actions">
          <button type="button" class="button plain" disabled={action.isBusy} onClick={onClose}>
            {words.cancel}
          </button>
          <button class="button" aria-disabled={action.isBusy}>
            {action.isBusy ? creating.acting : creating.act}
          </button>
        </div>
      </form>
    </Modal>
  )
}

// The local date, not the UTC date.
function today(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}
