/** The last events, in the words of the activity page. */
import type { SecurityEvent } from '../../events.ts'
import { readOwnEvents } from '../../own-events.ts'
import { alerts } from '../../event-kinds.ts'
import { EventMark } from '../activity/event-mark.tsx'
import { textOf } from '../activity/event.words.ts'
import { words as activityWords } from '../activity.words.ts'
import type { ApiKey } from '../api-access/keys.ts'
import { When } from '../api-access/when.tsx'
import styles from '../home.module.css'

type RecentProps = Readonly<{ events: readonly SecurityEvent[]; keys: readonly ApiKey[] }>

export const RecentEvents = ({ events, keys }: RecentProps) =>
  events.length === 0 ? (
    <p class="panel none soft">{activityWords.empty.all}</p>
  ) : (
    <ol class={`panel ${styles.rows}`}>
      {events.map((event) => (
        <li key={event.id}>
          <Recent event={event} keys={keys} />
        </li>
      ))}
    </ol>
  )

function Recent({ event, keys }: Readonly<{ event: SecurityEvent; keys: readonly ApiKey[] }>) {
  const { title, more } = textOf(event.type)
  const isOpen = alerts.has(event.type) && !readOwnEvents().includes(event.id)
  const keyName = keys.find(({ id }) => id === event.apiKeyId)?.name
  const text = keyName ?? more?.(event.detail)
  return (
    <>
      <EventMark type={event.type} isOpen={isOpen} />
      <div class={styles.step}>
        <span class="row">
          <strong>{title}</strong>
          {isOpen && <span class="badge warn">{activityWords.checkThis}</span>}
        </span>
        {text && <span class="soft small">{text}</span>}
      </div>
      <span class="soft small">
        <When at={event.at} otherwise="" />
      </span>
    </>
  )
}
