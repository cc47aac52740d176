/** Keys with the status AWAITS_OWNER: the owner keeps or revokes each. */
import { Failure } from '../../parts/notice.tsx'
import { useAction } from '../../parts/use-action.ts'
import { keyPage } from '../../page-paths.ts'
import { toRelative } from '../../time.ts'
import { words } from '../api-access.words.ts'
import { KeyMay } from '../key-restrictions/key-may.tsx'
import { KeyId } from './key-id.tsx'
import { KeyButton, StatusBadge } from './key-table.tsx'
import { keepKey } from './keys.ts'
import type { ApiKey } from './keys.ts'
import records from '../../parts/records.module.css'
import styles from '../api-access.module.css'

type AwaitingProps = Readonly<{
  keys: readonly ApiKey[]
  onKept(apiKey: ApiKey): Promise<void>
  onRevoke(apiKey: ApiKey): void
}>

export const AwaitingKeys = ({ keys, onKept, onRevoke }: AwaitingProps) => (
  <section class={`panel ${styles.awaiting}`} aria-labelledby="awaiting">
    <div class="stack tight">
      <h3 id="awaiting">{words.awaiting(keys.length)}</h3>
      <p class="small">{keys.length === 1 ? words.awaitingText : words.awaitingTexts}</p>
    </div>
    {keys.map((apiKey) => (
      <Awaiting key={apiKey.id} apiKey={apiKey} onKept={onKept} onRevoke={onRevoke} />
    ))}
  </section>
)

function Awaiting({ apiKey, onKept, onRevoke }: Omit<AwaitingProps, 'keys'> & Readonly<{ apiKey: ApiKey }>) {
  const keep = useAction(async () => {
    await keepKey(apiKey)
    await onKept(apiKey)
  })
  const use = apiKey.lastUsedAt === null ? words.neverUsed : words.lastUsed(toRelative(apiKey.lastUsedAt))
  return (
    <div class="stack tight">
      <div class="row apart">
        <div class="stack tight">
          <span class={records.name}>
            <a href={keyPage(apiKey.id)}>
              <bdi>{apiKey.name}</bdi>
            </a>{' '}
            <StatusBadge apiKey={apiKey} />
          </span>
          <KeyId apiKey={apiKey} />
          <KeyMay apiKey={apiKey} />
          <span class="small soft">
            {words.created(toRelative(apiKey.createdAt))}, {use}
          </span>
        </div>
        <div class={`row ${styles['awaiting-acts']}`}>
          <KeyButton apiKey={apiKey} label={words.keep} isBusy={keep.isBusy} onClick={() => keep.run()} />
          <KeyButton apiKey={apiKey} label={words.revoke} onClick={() => onRevoke(apiKey)} />
        </div>
      </div>
      <Failure error={keep.error} />
    </div>
  )
}
