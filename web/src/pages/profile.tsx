import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { paths } from '../page-paths.ts'
import { callSignedIn } from '../api.ts'
import { Dashboard } from '../parts/dashboard.tsx'
import { formText } from '../parts/form-text.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { Failure } from '../parts/notice.tsx'
import { SignOutEverywhere } from '../parts/sign-out-everywhere.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { CardPage } from '../parts/card-page.tsx'
import { useAction } from '../parts/use-action.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { MAX_DISPLAY_LENGTH, nameInvalid } from '../parts/display-text.ts'
import { useInvalidField } from '../parts/use-invalid-field.tsx'
import { settings } from '../settings.ts'
import { toDay } from '../time.ts'
import { readUser } from '../user.ts'
import type { User } from '../user.ts'
import { listKeys } from './api-access/keys.ts'
import type { ApiKey } from './api-access/keys.ts'
import { ApiAccess } from './profile-api-access.tsx'
import { DeleteAccount } from './profile-delete.tsx'
import { GoogleConnection, readConnection } from './profile-google.tsx'
import type { Connection } from './profile-google.tsx'
import { words } from './profile.words.ts'
import styles from './profile.module.css'

/** After a deletion it shows the confirmation instead. */
export function Profile() {
  const read = useLoaded(async (signal) => {
    const [user, keys, connection] = await Promise.all([
      readUser(signal),
      listKeys(signal),
      settings.google ? readConnection(signal) : undefined,
    ])
    return { user, keys, connection }
  })
  const [isGone, setGone] = useState(false)
  if (isGone) return <Gone />
  return (
    <Dashboard title={words.title} user={read.value?.user ?? null}>
      <LoadFailure of={read} />
      <Skeleton label={words.loading} isShown={!read.value && !read.error} rows={4} />
      {/* Rendered at once, so that a long name does not move what is below it. */}
      {read.value && <Sections {...read.value} onChanged={read.reload} onDeleted={() => setGone(true)} />}
    </Dashboard>
  )
}

type SectionsProps = Readonly<{
  user: User
  keys: readonly ApiKey[]
  /** undefined if Google is not configured; null if no account is connected. */
  connection: Connection | null | undefined
  onChanged(): Promise<void>
  onDeleted(): void
}>

function Sections({ user, keys, connection, onChanged, onDeleted }: SectionsProps) {
  return (
    <>
      <section class={`panel ${styles.profile}`}>
        <h2>{words.you}</h2>
        <Name user={user} onSaved={onChanged} />
        <Fact label={words.email} value={user.email} />
        <Fact label={words.since} value={toDay(user.createdAt)} />
      </section>
      <ApiAccess keys={keys} onChanged={onChanged} />
      {connection !== undefined && <GoogleConnection connection={connection} onChanged={onChanged} />}
      <section class={`panel ${styles.profile}`}>
        <div class="row apart">
          <div class="stack tight">
            <h2>{words.signIns}</h2>
            <p class="soft small">{words.signInsText}</p>
          </div>
          <SignOutEverywhere />
        </div>
        <Export />
      </section>
      <section class={`panel ${styles.profile}`}>
        <DeleteAccount email={user.email} onDeleted={onDeleted} />
      </section>
    </>
  )
}

const Fact = ({ label, value }: Readonly<{ label: string; value: string }>) => (
  <div class={styles.fact}>
    <span class="soft small">{label}</span>
    <span>{value}</span>
  </div>
)

function Name({ user, onSaved }: Readonly<{ user: User; onSaved(): Promise<void> }>) {
  const [isEditing, setEditing] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  const save = useAction(async (name: string) => {
    await callSignedIn('PATCH', '/users/me', { body: { name } })
    await onSaved()
    setSaved(true)
    setEditing(false)
  })
  const invalid = useInvalidField(save.error, { id: 'name', sentence: nameInvalid })
  // Before the next paint, so that no keystroke is lost.
  useLayoutEffect(() => {
    if (isEditing) invalid.field.ref.current?.select()
    else if (wasEditing.current) edit.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])

  return (
    <div class="stack tight">
      {isEditing ? (
        <form
          class={styles['name-form']}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setEditing(false)
          }}
          onSubmit={(event) => {
            event.preventDefault()
            save.run(formText(event.currentTarget, 'name'))
          }}
        >
          <label for="name" class="soft">
            {words.name}
          </label>
          <input
            {...invalid.field}
            name="name"
            autocomplete="name"
            maxlength={MAX_DISPLAY_LENGTH}
            required
            pattern=".*\S.*"
            defaultValue={user.name ?? ''}
          />
          {invalid.fieldError}
          <div class="row">
            <button class="button" aria-disabled={save.isBusy}>
              {words.save}
            </button>
            <button type="button" class="button plain" onClick={() => setEditing(false)}>
              {words.cancel}
            </button>
          </div>
        </form>
      ) : (
        <div class={styles.fact}>
          <span class="soft small">{words.name}</span>
          <span class={user.name === null ? 'soft' : ''}>{user.name ?? words.noName}</span>
          <button
            ref={edit}
            type="button"
            class="button plain small"
            aria-label={words.editName}
            onClick={() => {
              setSaved(false)
              setEditing(true)
            }}
          >
            {words.edit}
          </button>
        </div>
      )}
      <div role="status">{isSaved && <p class="notice good">{words.saved}</p>}</div>
      <Failure error={invalid.error} />
    </div>
  )
}

function Export() {
  const [isDone, setDone] = useState(false)
  const save = useAction(async () => {
    setDone(false)
    const { againAfterSeconds: _, ...data } = await callSignedIn<Record<string, unknown>>('GET', '/users/me/export')
    const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = 'paylink-account.json'
    link.click()
    // By then the browser has started the download.
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
    setDone(true)
  })
  return (
    <div class="stack tight">
      <div class="row apart">
        <div class="stack tight">
          <h2>{words.data}</h2>
          <p class="soft small">{words.dataText}</p>
        </div>
        <button type="button" class="button plain small" aria-disabled={save.isBusy} onClick={() => save.run()}>
          {words.export}
        </button>
      </div>
      <div role="status">{isDone && <p class="notice good">{words.exported}</p>}</div>
      <Failure error={save.error} />
    </div>
  )
}

function Gone() {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <CardPage title={words.goneTitle}>
      <h1 ref={heading} tabIndex={-1}>
        {words.goneTitle}
      </h1>
      <p class="soft">{words.gone}</p>
      <a class="button wide" href={paths.signIn}>
        {words.home}
      </a>
    </CardPage>
  )
}
