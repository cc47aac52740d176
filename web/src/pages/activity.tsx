/** Security events by day, newest first. Marks the ones that may be an attack. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { paths } from '../page-paths.ts'
import { readEvents } from '../events.ts'
import type { EventType, SecurityEvent } from '../events.ts'
import { Dashboard } from '../parts/dashboard.tsx'
import { KeyMark, PersonMark, WarningMark } from '../parts/icons.tsx'
import { LoadFailure } from '../parts/load-failure.tsx'
import { SignOutEverywhere } from '../parts/sign-out-everywhere.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { toLongDay, toTimeOfDay } from '../time.ts'
import { words } from './activity.words.ts'
import type { EventText } from './activity.words.ts'
import { listKeys } from './api-access/keys.ts'
import styles from './activity.module.css'

const PAGE = 50
const alarming: ReadonlySet<EventType> = new Set(['not_me', 'key_leaked', 'exchange_refused', 'sign_in_refused'])

type Shown = Readonly<{
  events: readonly SecurityEvent[]
  nextCursor: string | null
  /** How many events the last page added. */
  added: number
  keyNames: KeyNames
}>
type KeyNames = ReadonlyMap<string, string>

export function Activity() {
  const read = useLoaded((signal) => readAfter(undefined, signal))
  const { value: shown } = read
  const firstNew = useRef<HTMLLIElement>(null)
  // The "Show more" button may be gone, so the first new event gets the focus.
  useLayoutEffect(() => firstNew.current?.focus(), [shown])
  const firstNewId = shown && shown.added > 0 ? shown.events.at(-shown.added)?.id : undefined

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
      <Skeleton label={words.loading} isShown={!shown && !read.error} rows={5} />
      {shown?.events.length === 0 && <p class="soft">{words.empty}</p>}
      {shown &&
        byDay(shown.events).map(([day, events]) => (
          <section key={day} class={`stack ${styles.day}`}>
            <h2>{day}</h2>
            <ol class={`panel ${styles.events}`}>
              {events.map((event) => (
                <li
                  key={event.id}
                  ref={event.id === firstNewId ? firstNew : null}
                  tabIndex={event.id === firstNewId ? -1 : undefined}
                >
                  <EventEntry event={event} keyNames={shown.keyNames} />
                </li>
              ))}
            </ol>
          </section>
        ))}
      <LoadFailure of={read} />
      {shown && shown.nextCursor !== null && !read.error && (
        <button
          type="button"
          class="button plain start"
          aria-disabled={read.isLoading}
          onClick={() => void read.extend(readAfter)}
        >
          {words.more}
        </button>
      )}
      <p role="status" class="visually-hidden">
        {shown && shown.added > 0 ? words.shown(shown.added) : ''}
      </p>
    </Dashboard>
  )
}

async function readAfter(before: Shown | undefined, signal: AbortSignal): Promise<Shown> {
  const [page, keys] = await Promise.all([readEvents(before?.nextCursor ?? null, PAGE, signal), listKeys(signal)])
  return {
    events: [...(before?.events ?? []), ...page.events],
    nextCursor: page.nextCursor,
    added: before ? page.events.length : 0,
    keyNames: new Map(keys.map(({ id, name }) => [id, name])),
  }
}

function EventEntry({ event, keyNames }: Readonly<{ event: SecurityEvent; keyNames: KeyNames }>) {
  // A page loaded before an update may receive a newer type.
  const { title, more }: EventText = (words.byType as Readonly<Record<string, EventText>>)[event.type] ?? {
    title: event.type,
  }
  const text = more?.(event.detail) ?? null
  const isAlarming = alarming.has(event.type)
  const nameOf = (id: string): string => keyNames.get(id) ?? words.unknownKey
  const about = [
    ...(event.apiKeyId === null ? [] : [words.key(nameOf(event.apiKeyId))]),
    ...(event.byApiKeyId === null ? [] : [words.byKey(nameOf(event.byApiKeyId))]),
    ...(event.client === null ? [] : [words.from(event.client)]),
    ...(event.times > 1 ? [words.times(event.times)] : []),
  ]
  const Mark = isAlarming ? WarningMark : event.type.startsWith('key') ? KeyMark : PersonMark
  return (
    <>
      <span class={`${styles.mark} ${isAlarming ? styles.alarming : ''}`}>
        <Mark />
      </span>
      <div>
        <p class="row">
          <strong>{title}</strong>
          {isAlarming && <span class="badge warn">{words.checkThis}</span>}
        </p>
        {text !== null && <p class="small">{text}</p>}
        {about.length > 0 && <p class={`soft small ${styles.about}`}>{about.join(' · ')}</p>}
      </div>
      <time class="soft small" dateTime={event.at}>
        {toTimeOfDay(event.at)}
      </time>
    </>
  )
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
