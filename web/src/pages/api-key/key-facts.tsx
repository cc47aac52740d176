import type { ComponentChildren } from 'preact'
import type { SecurityEvent } from '../../events.ts'
import { keyPage } from '../../page-paths.ts'
import { toMoment } from '../../time.ts'
import { words as keyWords } from '../api-access.words.ts'
import { KeyId } from '../api-access/key-id.tsx'
import { StatusBadge } from '../api-access/key-table.tsx'
import type { ApiKey } from '../api-access/keys.ts'
import { When } from '../api-access/when.tsx'
import { words } from '../api-key.words.ts'
import { howCreated } from '../how-created.words.ts'
import { KeyMay } from '../key-restrictions/key-may.tsx'
import { words as mayWords } from '../key-restrictions/restrictions.words.ts'
import styles from '../api-key.module.css'

type FactsProps = Readonly<{
  apiKey: ApiKey
  /** Undefined while it is being loaded. */
  creation: Readonly<{ event: SecurityEvent | undefined }> | undefined
  maker: ApiKey | undefined
  /** Null: unknown. Undefined while it is being loaded. */
  lastUsedNetwork: string | null | undefined
}>

export function KeyFacts({ apiKey, creation, maker, lastUsedNetwork }: FactsProps) {
  const { createdAt, lastUsedAt, expiresAt, revokedAt, status } = apiKey
  const how = creation && howCreated(creation.event, maker?.name)
  const client = creation?.event?.client
  return (
    <dl class={styles.facts}>
      <Fact name={words.keyId}>
        <span class={styles.id}>
          <KeyId apiKey={apiKey} /> <StatusBadge apiKey={apiKey} />
        </span>
      </Fact>
      <Fact name={mayWords.may}>
        <KeyMay apiKey={apiKey} />
      </Fact>
      <Fact name={words.made}>
        <time dateTime={createdAt}>{toMoment(createdAt)}</time>
        {how && (
          <span class="soft small">
            {', '}
            {maker ? <a href={keyPage(maker.id)}>{how}</a> : how}
            {client && `, ${words.from(client)}`}
          </span>
        )}
      </Fact>
      <Fact name={words.lastUsed}>
        <When at={lastUsedAt} otherwise={keyWords.unused} />
        {lastUsedAt !== null && lastUsedNetwork && <span class="soft small">{`, ${words.from(lastUsedNetwork)}`}</span>}
      </Fact>
      {status === 'ACTIVE' || status === 'AWAITS_OWNER' ? (
        <Fact name={words.expires}>
          <When at={expiresAt} otherwise={keyWords.never} />
        </Fact>
      ) : (
        <Fact name={words.ended}>
          <When at={revokedAt ?? expiresAt} otherwise="" />
        </Fact>
      )}
    </dl>
  )
}

const Fact = ({ name, children }: Readonly<{ name: string; children: ComponentChildren }>) => (
  <div>
    <dt class="soft small">{name}</dt>
    <dd>{children}</dd>
  </div>
)
