/** The fields in which a person chooses what a key may do. */
import { useEffect } from 'preact/hooks'
import { currencies, locale } from '../payment-links/money.ts'
import { canCreateLinks, choosableScopes, presets, readDraft } from './draft.ts'
import type { Draft, Preset, Problem, Scope } from './draft.ts'
import { allowedCurrencies } from './key-may.tsx'
import { words } from './restrictions.words.ts'
import styles from './restrictions.module.css'

type FieldsProps = Readonly<{
  draft: Draft
  /** Of the last attempt to save. */
  problem: Readonly<{ at: Problem }> | undefined
  /** Only these scopes can be chosen; absent: all, or a preset of them. */
  offered?: readonly Scope[] | undefined
  onChange(draft: Draft): void
}>

const idOf = (field: Problem | 'preset'): string => `key-may-${field}`
const ERROR_ID = 'key-may-error'

const hasLimits = ({ maxAmount, dailyAmount, currencies: named, networks }: Draft): boolean =>
  named.length < currencies.length ||
  [networks, ...Object.values(maxAmount), ...Object.values(dailyAmount)].some((text) => text !== '')

export function RestrictionFields({ draft, problem: refused, offered, onChange }: FieldsProps) {
  const problem = refused?.at
  useEffect(() => {
    if (refused) document.getElementById(idOf(refused.at))?.focus()
  }, [refused])
  const invalid = (field: Problem) => ({
    id: idOf(field),
    'aria-invalid': problem === field,
    'aria-describedby': problem === field ? ERROR_ID : undefined,
  })
  return (
    <div class="stack">
      <div class="field" hidden={offered !== undefined}>
        <label for={idOf('preset')}>{words.may}</label>
        <select
          id={idOf('preset')}
          aria-describedby="key-may-hint"
          value={draft.preset}
          onChange={({ currentTarget }) => onChange({ ...draft, preset: currentTarget.value as Preset })}
        >
          {presets.map((preset) => (
            <option key={preset} value={preset}>
              {words.presets[preset].name}
            </option>
          ))}
        </select>
        <p id="key-may-hint" class="soft small" role="status">
          {words.presets[draft.preset].text}
        </p>
      </div>
      {draft.preset === 'chosen' && (
        <fieldset class={`stack tight ${styles.scopes}`}>
          <legend class="visually-hidden">{words.may}</legend>
          {(offered ?? choosableScopes).map((scope, index) => (
            <label key={scope} class="choice">
              <input
                type="checkbox"
                {...(index === 0 ? invalid('scopes') : {})}
                checked={draft.scopes.includes(scope)}
                onChange={({ currentTarget }) =>
                  onChange({ ...draft, scopes: toggled(choosableScopes, draft.scopes, scope, currentTarget.checked) })
                }
              />
              <span>{words.scopes[scope]}</span>
            </label>
          ))}
        </fieldset>
      )}
      <details class={styles.limits} open={hasLimits(draft)}>
        <summary>
          {words.limits} <span class="optional">{words.optional}</span>
        </summary>
        <div class="stack">
          {canCreateLinks(draft) && <Amounts {...{ draft, offered, invalid, onChange }} />}
          <div class="field">
            <label for={idOf('networks')}>{words.networks}</label>
            <input
              {...invalid('networks')}
              aria-describedby={`${problem === 'networks' ? `${ERROR_ID} ` : ''}key-networks-hint`}
              placeholder="203.0.113.0/24"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              maxlength={1000}
              value={draft.networks}
              onInput={({ currentTarget }) => onChange({ ...draft, networks: currentTarget.value })}
            />
            <p id="key-networks-hint" class="soft small">
              {words.networksHint}
            </p>
          </div>
        </div>
      </details>
      <p id={ERROR_ID} role="alert" class="field-error small">
        {problem && sentenceFor(problem)}
      </p>
    </div>
  )
}

type AmountsProps = Omit<FieldsProps, 'problem'> &
  Readonly<{ invalid(field: Problem): Readonly<{ id: string; 'aria-invalid': boolean }> }>

function Amounts({ draft, offered, invalid, onChange }: AmountsProps) {
  const { restrictions } = readDraft(draft, locale)
  const allowed = allowedCurrencies(restrictions ?? {})
  const isLimited = restrictions?.maxAmount !== undefined || restrictions?.dailyAmount !== undefined
  return (
    <div class="stack tight">
      <table class={styles.amounts}>
        <thead>
          <tr>
            <th scope="col">{words.currency}</th>
            <th scope="col">{words.perLink}</th>
            <th scope="col">{words.perDay}</th>
          </tr>
        </thead>
        <tbody>
          {currencies.map((currency, index) => (
            <tr key={currency}>
              <th scope="row">
                <label class="choice">
                  <input
                    type="checkbox"
                    {...(index === 0 ? invalid('currencies') : {})}
                    checked={draft.currencies.includes(currency)}
                    onChange={({ currentTarget: { checked } }) =>
                      onChange({ ...draft, currencies: toggled(currencies, draft.currencies, currency, checked) })
                    }
                  />
                  {currency}
                </label>
              </th>
              {(['maxAmount', 'dailyAmount'] as const).map((limit) => (
                <td key={limit}>
                  <Amount
                    field={invalid(`${limit}-${currency}`)}
                    label={words.amountOf(limit === 'maxAmount' ? words.perLink : words.perDay, currency)}
                    isOff={!draft.currencies.includes(currency)}
                    text={draft[limit][currency]}
                    onType={(text) => onChange({ ...draft, [limit]: { ...draft[limit], [currency]: text } })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft small">
        {isLimited && allowed.length < draft.currencies.length && `${words.othersRefused(allowed.join(', '))} `}
        {words.dayEnds}
        {offered === undefined && ` ${words.withKeys}`}
      </p>
    </div>
  )
}

type AmountProps = Readonly<{
  field: object
  label: string
  isOff: boolean
  text: string
  onType(text: string): void
}>

const Amount = ({ field, label, isOff, text, onType }: AmountProps) => (
  <input
    {...field}
    aria-label={label}
    disabled={isOff}
    inputMode="decimal"
    autocomplete="off"
    maxlength={20}
    placeholder={words.noLimit}
    value={text}
    onInput={({ currentTarget }) => onType(currentTarget.value)}
  />
)

function sentenceFor(problem: Problem): string {
  if (problem === 'scopes' || problem === 'currencies' || problem === 'networks') return words.wrong[problem]
  const [limit, currency = ''] = problem.split('-')
  return `${words.amountOf(limit === 'maxAmount' ? words.perLink : words.perDay, currency)}: ${words.wrong.amount}`
}

/** In the order of `all`. */
const toggled = <T,>(all: readonly T[], chosen: readonly T[], one: T, isOn: boolean): T[] =>
  all.filter((each) => (each === one ? isOn : chosen.includes(each)))
