/** Security events by day, newest first. Marks the ones that may be an attack. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { paths } from '../page-paths.ts'
import { readEvents } from '../events.ts'
import type { EventType, SecurityEvent } from '../events.ts'
import { Dashboard } from '../parts/dashboard.tsx'
import { KeyMark, PersonMark, WarningMark } from '../parts/icons.tsx'
import { LoadFailure } from '../parts/load-failure.tsx'
import { Failure } from '../parts/notice.tsx'
import { SignOutEverywhere } from '../parts/sign-out-everywhere.tsx'
import { useAction } from '../parts/use-action.ts'
import { toLongDay, toTimeOfDay } from '../time.ts'
import { words } from './activity.words.ts'
import type { EventText } from './activity.words.ts'
import { listKeys } from './api-access/keys.ts'

const PAGE = 50
const alarming: ReadonlySet<EventType> = new Set(['not_me', 'key_leaked', 'exchange_refused', 'sign_in_refused'])

type Shown = Readonly<{ events: readonly SecurityEvent[]; nextCursor: string | null; added: number }>
type KeyNames = ReadonlyMap<string, string>

export function Activity() {
  const [shown, setShown] = useState<Shown>()
  const [keyNames, setKeyNames] = useState<KeyNames>(new Map())
  const firstNew = useRef<HTMLLIElement>(null)
  const read = useAction(async () => {
    const [page, keys] = await Promise.all([readEvents(shown?.nextCursor ?? null, PAGE), listKeys()])
    setKeyNames(new Map(keys.map(({ id, name }) => [id, name])))
    const before = shown?.events ?? []
    setShown({
      events: [...before, ...page.events],
      nextCursor: page.nextCursor,
      added: before.length > 0 ? page.events.length : 0,
    })
  })
  useEffect(() => read.run(), [])
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
      {shown?.events.length === 0 && <p class="soft">{words.empty}</p>}
      {shown &&
        byDay(shown.events).map(([day, events]) => (
          <section key={day} class="stack day">
            <h2>{day}</h2>
            <ol class="panel events">
              {events.map((event) => (
                <li
                  key={event.id}
                  ref={event.id === firstNewId ? firstNew : null}
                  tabIndex={event.id === firstNewId ? -1 : undefined}
                >
                  <EventEntry event={event} keyNames={keyNames} />
                </li>
              ))}
            </ol>
          </section>
        ))}
      {shown === undefined ? (
        <LoadFailure of={{ error: read.error, reload: async () => read.run() }} />
      ) : (
        <>
          <Failure error={read.error} />
          {shown.nextCursor !== null && (
            <button type="button" class="button plain start" aria-disabled={read.isBusy} onClick={() => read.run()}>
              {words.more}
            </button>
          )}
        </>
      )}
      <p role="status" class="visually-hidden">
        {shown && shown.added > 0 ? words.shown(shown.added) : ''}
      </p>
    </Dashboard>
  )
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
      <span class={isAlarming ? 'event-mark alarming' : 'event-mark'}>
        <Mark />
      </span>
      <div>
        <p class="row">
          <strong>{title}</strong>
          {isAlarming && <span class="badge warn">{words.checkThis}</span>}
        </p>
        {text !== null && <p class="small">{text}</p>}
        {about.length > 0 && <p class="soft small about">{about.join(' · ')}</p>}
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
