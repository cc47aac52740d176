/** After the first sign-in: asks for a name, and to keep or revoke the keys that others may have created. */
import { useEffect, useState } from 'preact/hooks'
import { paths, goTo, pageAfterSignIn } from '../page-paths.ts'
import { callSignedIn } from '../api.ts'
import { readBackToCreations } from '../events.ts'
import { formText } from '../parts/form-text.ts'
import { Failure, Notice } from '../parts/notice.tsx'
import { CardPage } from '../parts/card-page.tsx'
import { useAction } from '../parts/use-action.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { MAX_DISPLAY_LENGTH, nameInvalid } from '../parts/display-text.ts'
import { useInvalidField } from '../parts/use-invalid-field.tsx'
import { readUser } from '../user.ts'
import { listKeys } from './api-access/keys.ts'
import type { ApiKey } from './api-access/keys.ts'
import { Waiting } from './onboarding/waiting-key.tsx'
import type { Decision, WaitingKey } from './onboarding/waiting-key.tsx'
import { words } from './onboarding.words.ts'
import styles from './onboarding.module.css'

const asked = pageAfterSignIn(new URLSearchParams(location.search).get('next'))
const next = asked === paths.onboarding ? paths.home : asked

/** Goes to the next page at once if nothing is left to do. */
export function Onboarding() {
  const todo = useLoaded('to do', findTodo)
  const { value } = todo
  const isDone = value && !value.isNameMissing && value.keys.length === 0
  useEffect(() => {
    if (isDone) void goTo(next, 'replace')
  }, [isDone])
  return (
    <CardPage title={words.title}>
      <h1>{words.title}</h1>
      {value && !isDone ? (
        <Todo {...value} />
      ) : (
        <div class={`stack ${styles.loading}`}>
          <p class="soft" role="status">
            {isDone ? words.done : todo.error ? '' : words.loading}
          </p>
          <Failure error={todo.error} />
          {todo.error && (
            <button type="button" class="button wide" onClick={() => void todo.retry()}>
              {words.retry}
            </button>
          )}
          {(isDone || todo.error) && (
            <a class={isDone ? 'button wide' : 'button plain wide'} href={next}>
              {isDone ? words.go : words.later}
            </a>
          )}
        </div>
      )}
    </CardPage>
  )
}

type TodoProps = Readonly<{ isNameMissing: boolean; keys: readonly WaitingKey[] }>

function Todo({ isNameMissing, keys }: TodoProps) {
  const [decided, setDecided] = useState<ReadonlyMap<string, Decision>>(new Map())
  const [isTooEarly, setTooEarly] = useState(false)
  const isDecided = keys.every(({ key }) => decided.has(key.id))
  const goOn = useAction(async (name: string) => {
    if (isNameMissing) await callSignedIn('PATCH /users/me', { body: { name } })
    await goTo(next, 'replace')
  })
  const invalid = useInvalidField(goOn.error, { id: 'name', sentence: nameInvalid, hintId: 'name-hint' })
  const decide = (keysDecided: readonly ApiKey[], decision: Decision): void =>
    setDecided((before) => new Map([...before, ...keysDecided.map(({ id }) => [id, decision] as const)]))
  return (
    <form
      class={`stack wide ${styles.form}`}
      onSubmit={(event) => {
        event.preventDefault()
        setTooEarly(!isDecided)
        if (isDecided) goOn.run(formText(event.currentTarget, 'name'))
      }}
    >
      {isNameMissing && (
        <div class="field">
          <label for="name">{words.name}</label>
          <input
            {...invalid.field}
            name="name"
            autocomplete="name"
            maxlength={MAX_DISPLAY_LENGTH}
            required
            pattern=".*\S.*"
            autofocus
          />
          {invalid.fieldError}
          <p id="name-hint" class="soft small">
            {words.nameHint}
          </p>
        </div>
      )}
      {keys.length > 0 && (
        <section class="stack" aria-labelledby="keys">
          <div class="stack tight">
            <h2 id="keys">{words.keys}</h2>
            <p class="soft small">{words.why}</p>
          </div>
          <ul class={`panel ${styles['waiting-keys']}`}>
            {keys.map((waiting) => (
              <Waiting
                key={waiting.key.id}
                waiting={waiting}
                decision={decided.get(waiting.key.id)}
                onDecided={decide}
              />
            ))}
          </ul>
        </section>
      )}
      <div class="stack">
        <div role="alert">{isTooEarly && !isDecided && <Notice kind="warn">{words.undecided}</Notice>}</div>
        <Failure error={invalid.error} />
        <div class={`row ${styles.end}`}>
          <button class="button" aria-disabled={goOn.isBusy}>
            {words.go}
          </button>
          <a class="button plain" href={next}>
            {words.later}
          </a>
        </div>
      </div>
    </form>
  )
}

async function findTodo(signal: AbortSignal): Promise<TodoProps> {
  const [{ name }, apiKeys] = await Promise.all([readUser(signal), listKeys(signal)])
  const waiting = apiKeys.filter(({ status }) => status === 'AWAITS_OWNER')
  const { creations } = await readBackToCreations(new Set(waiting.map(({ id }) => id)), signal)
  const keys = waiting.map((key) => {
    const creation = creations.get(key.id)
    return { key, creation, makerName: apiKeys.find(({ id }) => id === creation?.byApiKeyId)?.name }
  })
  return { isNameMissing: name === null, keys }
}
