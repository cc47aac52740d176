import type { SecurityEvent } from '../../events.ts'
import { words as activityWords } from '../activity.words.ts'
import { EventMark } from '../activity/event-mark.tsx'
import { textOf } from '../activity/event.words.ts'
import type { ApiKey } from '../api-access/keys.ts'
import { When } from '../api-access/when.tsx'
import styles from '../activity.module.css'

const MAX_EVENTS = 20

type EventsProps = Readonly<{ apiKey: ApiKey; events: readonly SecurityEvent[]; keys: readonly ApiKey[] }>

/** The latest events of a key. */
export const KeyEvents = ({ apiKey, events, keys }: EventsProps) => (
  <ol class={`panel ${styles.events}`}>
    {events.slice(0, MAX_EVENTS).map((event) => (
      <li key={event.id}>
        <EventMark type={event.type} isOpen={false} />
        <div class="stack tight">
          <strong>{textOf(event.type).title}</strong>
          <p class={`soft small ${styles.about}`}>{aboutOf(event, apiKey, keys).join(' · ')}</p>
        </div>
        <span class="soft small">
          <When at={event.at} otherwise="" />
        </span>
      </li>
    ))}
  </ol>
)

function aboutOf(
  { type, detail, apiKeyId, byApiKeyId, client, times }: SecurityEvent,
  { id }: ApiKey,
  keys: readonly ApiKey[],
) {
  const nameOf = (other: string): string => keys.find((key) => key.id === other)?.name ?? activityWords.unknownKey
  return [
    ...(apiKeyId === null || apiKeyId === id ? [] : [activityWords.key(nameOf(apiKeyId))]),
    ...(byApiKeyId === null || byApiKeyId === id ? [] : [activityWords.byKey(nameOf(byApiKeyId))]),
    ...(textOf(type).more?.(detail) ? [textOf(type).more?.(detail)] : []),
    ...(client === null ? [] : [activityWords.from(client)]),
    ...(times > 1 ? [activityWords.times(times)] : []),
  ]
}
