/** Security events by day, newest first. Marks the ones that may be an attack. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { readEvents } from '../events.ts'
import type { EventPage, SecurityEvent } from '../events.ts'
import { readOwnEvents, writeOwnEvents } from '../own-events.ts'
import { paths } from '../page-paths.ts'
import { Dashboard } from '../parts/dashboard.tsx'
import { ActivityMark, ShieldMark } from '../parts/icons.tsx'
import { LoadFailure } from '../parts/load-failure.tsx'
import { showResult } from '../parts/results.tsx'
import { SignOutEverywhere } from '../parts/sign-out-everywhere.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { toLongDay } from '../time.ts'
import { EventEntry } from './activity/event-entry.tsx'
import { words } from './activity.words.ts'
import type { Filter } from './activity.words.ts'
import { words as keyWords } from './api-access.words.ts'
import { useKeys } from './api-access/keys.ts'
import type { ApiKey } from './api-access/keys.ts'
import { RevokeKey } from './api-access/revoke-key.tsx'
import styles from './activity.module.css'

const PAGE = 50
const FILTER = 'kind'
const filters = Object.keys(words.filters) as Filter[]

type Shown = EventPage & Readonly<{ added: number }>

async function readAfter(before: EventPage | undefined, filter: Filter, signal: AbortSignal): Promise<Shown> {
  const kind = filter === 'all' ? undefined : filter
  const { events, nextCursor } = await readEvents(before?.nextCursor ?? null, PAGE, signal, kind)
  return {
    events: [...(before?.events ?? []), ...events],
    nextCursor,
    added: before ? events.length : 0,
  }
}

export function Activity() {
  const read = useLoaded('events', (signal, filter) => readAfter(undefined, filter, signal), filterInUrl())
  const keys = useKeys()
  const [own, setOwn] = useState(readOwnEvents)
  const [revoking, setRevoking] = useState<Readonly<{ apiKey: ApiKey; eventId: string }>>()
  // The event that takes the focus: the button that was pressed may be gone.
  const [focus, setFocus] = useState<Readonly<{ id: string | undefined }>>({ id: undefined })
  const focused = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => focused.current?.focus(), [focus])
  // A failed load returns to the filter before.
  useEffect(() => history.replaceState(null, '', addressFor(read.key)), [read.key])
  const isLoading = !keys.value || !read.value || read.isStale
  const shown = isLoading ? undefined : read.value
  const browsers = new Map(
    shown?.events.filter(({ type }) => type === 'signed_in').map(({ signInId, browser }) => [signInId, browser]),
  )
  const apps = new Map(
    shown?.events.filter(({ type }) => type === 'app_connected').map(({ apiKeyId, detail }) => [apiKeyId, detail]),
  )
  const failed = [read, keys].filter(({ error }) => error)

  const choose = (filter: Filter): void => {
    if (filter !== read.key || read.error) void read.load(filter)
  }
  const showMore = async (): Promise<void> => {
    let firstNewId: string | undefined
    await read.extend(async (before, signal) => {
      const after = await readAfter(before, read.key, signal)
      firstNewId = after.events[before.events.length]?.id
      return after
    })
    setFocus({ id: firstNewId })
  }
  const mark = ({ id }: SecurityEvent): void => {
    const isOwn = own.includes(id)
    const marked = isOwn ? own.filter((each) => each !== id) : [...own, id]
    writeOwnEvents(marked)
    setOwn(marked)
    showResult(isOwn ? words.isUnmarked : words.isMarked)
  }
  return (
    <Dashboard title={words.title}>
      <div class="panel">
        <div class="row apart">
          <div class="stack tight">
            <strong>{words.question}</strong>
            <p class="soft small">
              {words.advice} <a href={paths.profile}>{words.apiAccess}</a>.
            </p>
          </div>
          <SignOutEverywhere />
        </div>
      </div>
      <div class="stack tight">
        <fieldset class={styles.filters}>
          <legend class="visually-hidden">{words.filter}</legend>
          {filters.map((filter) => (
            <label key={filter}>
              <input
                type="radio"
                class="visually-hidden"
                name="kind"
                checked={filter === read.key}
                onClick={() => choose(filter)}
              />
              {words.filters[filter]}
            </label>
          ))}
        </fieldset>
        {read.key === 'alert' && <p class="soft small">{words.wasMeHint}</p>}
      </div>
      <LoadFailure of={{ error: failed[0]?.error, retry: () => Promise.all(failed.map(({ retry }) => retry())) }} />
      <Skeleton label={words.loading} isShown={isLoading && failed.length === 0} rows={5} />
      {shown?.events.length === 0 && <Empty filter={read.key} />}
      {shown &&
        byDay(shown.events).map(([day, events]) => (
          <section key={day} class={`stack ${styles.day}`}>
            <h2>{day}</h2>
            <ol class={`panel ${styles.events}`}>
              {events.map((event) => (
                <li
                  key={event.id}
                  ref={event.id === focus.id ? focused : null}
                  tabIndex={event.id === focus.id ? -1 : undefined}
                >
                  <EventEntry
                    event={event}
                    keys={keys.value ?? []}
                    browsers={browsers}
                    apps={apps}
                    isOwn={own.includes(event.id)}
                    onMark={() => mark(event)}
                    onRevoke={(apiKey) => setRevoking({ apiKey, eventId: event.id })}
                  />
                </li>
              ))}
            </ol>
          </section>
        ))}
      {shown && shown.nextCursor !== null && !read.error && (
        <button type="button" class="button plain start" aria-disabled={read.isLoading} onClick={() => void showMore()}>
          {words.more}
        </button>
      )}
      <p role="status" class="visually-hidden">
        {shown && shown.added > 0 ? words.shown(shown.added) : ''}
      </p>
      {revoking && (
        <RevokeKey
          apiKey={revoking.apiKey}
          onClose={() => setRevoking(undefined)}
          onRevoked={async (others) => {
            await keys.reload()
            setRevoking(undefined)
            setFocus({ id: revoking.eventId })
            showResult(keyWords.isRevoked(revoking.apiKey.name, others.length))
          }}
        />
      )}
    </Dashboard>
  )
}

const Empty = ({ filter }: Readonly<{ filter: Filter }>) => (
  <div class={`panel ${styles.empty}`}>
    <span class="sign">{filter === 'alert' ? <ShieldMark /> : <ActivityMark />}</span>
    <p class="soft">{words.empty[filter]}</p>
  </div>
)

const addressFor = (filter: Filter): string => (filter === 'all' ? paths.activity : `?${FILTER}=${filter}`)

function filterInUrl(): Filter {
  const asked = new URLSearchParams(location.search).get(FILTER)
  return filters.find((filter) => filter === asked) ?? 'all'
}

function byDay(events: readonly SecurityEvent[]): [string, SecurityEvent[]][] {
  const now = new Date()
  const today = toLongDay(now)
  const yesterday = toLongDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))
  const days = Map.groupBy(events, ({ at }) => toLongDay(new Date(at)))
  return [...days].map(([day, ofDay]) => [
    day === today ? words.today : day === yesterday ? words.yesterday : day,
    ofDay,
  ])
}
