import type { SecurityEvent } from '../../events.ts'
import { inWords } from '../../browser.words.ts'
import { currentSignInId } from '../../session.ts'
import { toTimeOfDay } from '../../time.ts'
import { words } from '../activity.words.ts'
import type { ApiKey } from '../api-access/keys.ts'
import { alerts } from '../../event-kinds.ts'
import { EventMark } from './event-mark.tsx'
import { textOf } from './event.words.ts'
import styles from '../activity.module.css'

type EventEntryProps = Readonly<{
  event: SecurityEvent
  keys: readonly ApiKey[]
  /** The browsers of sign-ins by id, as the events tell them; null for a program. */
  browsers: ReadonlyMap<string | null, string | null>
  /** The domains of apps by id, as the events tell them. */
  apps: ReadonlyMap<string | null, string | null>
  /** Whether the user has said "This was me". */
  isOwn: boolean
  onMark(): void
  onRevoke(apiKey: ApiKey): void
}>

export function EventEntry({ event, keys, browsers, apps, isOwn, onMark, onRevoke }: EventEntryProps) {
  const { type, detail, client, browser, times, signInId } = event
  const ofSignIn = type === 'signed_in' ? undefined : browsers.get(signInId)
  const isHere = currentSignInId() !== undefined && [signInId, event.bySignInId].includes(currentSignInId() ?? null)
  const { title, more } = textOf(type)
  const text = more?.(detail) ?? null
  const isAlert = alerts.has(type)
  const isOpen = isAlert && !isOwn
  const keyOf = (id: string | null): ApiKey | undefined => keys.find((key) => key.id === id)
  const nameOf = (id: string): string => keyOf(id)?.name ?? words.unknownKey
  const liveKey = [keyOf(event.apiKeyId), keyOf(event.byApiKeyId)].find(
    (key) => key?.status === 'ACTIVE' || key?.status === 'AWAITS_OWNER',
  )
  const appOf = (id: string | null): string | null => apps.get(id) ?? null
  const about = [
    ...aboutKey(event, nameOf, appOf),
    ...(ofSignIn === undefined ? [] : [words.signIn(ofSignIn === null ? words.program : inWords(ofSignIn))]),
    ...(browser === null ? [] : [inWords(browser)]),
    ...(client === null ? [] : [words.from(client)]),
    ...(isHere ? [words.thisBrowser] : []),
    ...(times > 1 ? [words.times(times)] : []),
  ]
  return (
    <>
      <EventMark type={type} isOpen={isOpen} />
      <div class="stack tight">
        <p class="row">
          <strong>{title}</strong>
          {isOpen && <span class="badge warn">{words.checkThis}</span>}
          {isAlert && isOwn && <span class="badge">{words.isMe}</span>}
        </p>
        {text !== null && <p class="small">{text}</p>}
        {about.length > 0 && <p class={`soft small ${styles.about}`}>{about.join(' · ')}</p>}
      </div>
      <time class="soft small" dateTime={event.at}>
        {toTimeOfDay(event.at)}
      </time>
      {isAlert && (
        <div class={`row small ${styles.acts}`}>
          {isOpen && liveKey && (
            <button
              type="button"
              class="button plain small dangerous"
              aria-label={words.about(words.revoke, liveKey.name)}
              onClick={() => onRevoke(liveKey)}
            >
              {words.revoke}
            </button>
          )}
          <button
            type="button"
            class={isOwn ? 'link-button' : 'button plain small'}
            aria-label={words.about(isOwn ? words.checkAgain : words.wasMe, `${title}, ${toTimeOfDay(event.at)}`)}
            onClick={onMark}
          >
            {isOwn ? words.checkAgain : words.wasMe}
          </button>
        </div>
      )}
    </>
  )
}

/** Which API key or app it is about, and by which. An app is known by its domain, which the event of its consent has. */
function aboutKey(
  { type, apiKeyId, byApiKeyId }: SecurityEvent,
  nameOf: (id: string) => string,
  appOf: (id: string | null) => string | null,
): string[] {
  if (type === 'app_connected') return []
  if (type === 'app_disconnected') {
    const domain = appOf(apiKeyId)
    const isByItself = byApiKeyId !== null && byApiKeyId === apiKeyId
    return [...(domain === null ? [] : [domain]), ...(isByItself ? [words.byItself] : [])]
  }
  const byApp = appOf(byApiKeyId)
  return [
    ...(apiKeyId === null ? [] : [words.key(nameOf(apiKeyId))]),
    ...(byApiKeyId === null ? [] : [byApp === null ? words.byKey(nameOf(byApiKeyId)) : words.byApp(byApp)]),
  ]
}
