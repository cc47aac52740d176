import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { paths } from '../page-paths.ts'
import { callSignedIn } from '../api.ts'
import { Dashboard } from '../parts/dashboard.tsx'
import { formText } from '../parts/form-text.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { Failure } from '../parts/notice.tsx'
import { showResult } from '../parts/results.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { CardPage } from '../parts/card-page.tsx'
import { useAction } from '../parts/use-action.ts'
import { MAX_DISPLAY_LENGTH, nameInvalid } from '../parts/display-text.ts'
import { useInvalidField } from '../parts/use-invalid-field.tsx'
import { settings } from '../settings.ts'
import { toDay } from '../time.ts'
import { useSignIns } from '../sign-ins.ts'
import { useUser } from '../user.ts'
import type { User } from '../user.ts'
import { useKeys } from './api-access/keys.ts'
import { ApiAccess } from './profile/api-access.tsx'
import { ChangeEmail } from './profile/change-email.tsx'
import { DeleteAccount } from './profile/delete-account.tsx'
import { GoogleConnection, useConnection } from './profile/google-connection.tsx'
import { SignIns } from './profile/sign-ins.tsx'
import { words } from './profile.words.ts'
import styles from './profile.module.css'

/** After a deletion it shows the confirmation instead. */
export function Profile() {
  const user = useUser()
  const keys = useKeys()
  const connection = useConnection()
  const signIns = useSignIns()
  const loads = [user, keys, connection, signIns]
  const failed = loads.filter(({ error }) => error)
  const isComplete = loads.every(({ value }) => value !== undefined)
  const [isGone, setGone] = useState(false)
  if (isGone) return <Gone />
  return (
    <Dashboard title={words.title}>
      <LoadFailure of={{ error: failed[0]?.error, retry: () => Promise.all(failed.map(({ retry }) => retry())) }} />
      <Skeleton label={words.loading} isShown={!isComplete && failed.length === 0} rows={4} />
      {/* Rendered at once, so that a long name does not move what is below it. */}
      {isComplete && user.value && (
        <>
          <section class={`panel ${styles.profile}`}>
            <h2>{words.you}</h2>
            <Name user={user.value} onSaved={user.reload} />
            <Fact label={words.email} value={user.value.email}>
              <ChangeEmail email={user.value.email} />
            </Fact>
            <Fact label={words.since} value={toDay(user.value.createdAt)} />
          </section>
          <ApiAccess keys={keys.value ?? []} onChanged={keys.reload} />
          {settings.google && <GoogleConnection connection={connection.value ?? null} onChanged={connection.reload} />}
          {signIns.value && (
            <SignIns
              signIns={signIns.value}
              onEnded={({ id }) => signIns.update((all) => all?.filter((each) => each.id !== id) ?? null)}
            />
          )}
          <section class={`panel ${styles.profile}`}>
            <Export />
            <DeleteAccount email={user.value.email} onDeleted={() => setGone(true)} />
          </section>
        </>
      )}
    </Dashboard>
  )
}

type FactProps = Readonly<{ label: string; value: string; children?: ComponentChildren }>

const Fact = ({ label, value, children }: FactProps) => (
  <div class={styles.fact}>
    <span class="soft small">{label}</span>
    <span>{value}</span>
    {children}
  </div>
)

function Name({ user, onSaved }: Readonly<{ user: User; onSaved(): Promise<void> }>) {
  const [isEditing, setEditing] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  const save = useAction(async (name: string) => {
    await callSignedIn('PATCH /users/me', { body: { name } })
    await onSaved()
    setEditing(false)
    showResult(words.saved)
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
            onClick={() => setEditing(true)}
          >
            {words.edit}
          </button>
        </div>
      )}
      <Failure error={invalid.error} />
    </div>
  )
}

function Export() {
  const save = useAction(async () => {
    const { againAfterSeconds: _, ...data } = await callSignedIn('GET /users/me/export')
    const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = 'paylink-account.json'
    link.click()
    // By then the browser has started the download.
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
    showResult(words.exported)
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
