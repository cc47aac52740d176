/** On a narrow screen the rows become cards. */
import type { ComponentChildren } from 'preact'
import { toDay } from '../../time.ts'
import { keyPage } from '../../page-paths.ts'
import { words } from '../api-access.words.ts'
import { KeyMay } from '../key-restrictions/key-may.tsx'
import { expiresSoon } from './keys.ts'
import type { ApiKey } from './keys.ts'
import { KeyId } from './key-id.tsx'
import { When } from './when.tsx'
import records from '../../parts/records.module.css'
import styles from '../api-access.module.css'

const badges = { ACTIVE: 'badge good', AWAITS_OWNER: 'badge warn', EXPIRED: 'badge', REVOKED: 'badge bad' } as const

export const StatusBadge = ({ apiKey: { status } }: Readonly<{ apiKey: ApiKey }>) => (
  <span class={badges[status]}>{words.status[status]}</span>
)

type Column = keyof typeof words.column

const Table = ({
  label,
  columns,
  children,
}: Readonly<{ label: string; columns: readonly Column[]; children: ComponentChildren }>) => (
  <div class={records.place}>
    <table class={`panel ${records.records}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column === 'actions' ? (
                <span class="visually-hidden">{words.column.actions}</span>
              ) : (
                words.column[column]
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)

const Cell = ({ column, children }: Readonly<{ column: Column; children: ComponentChildren }>) => (
  <td>
    <span class={records['cell-name']} aria-hidden="true">
      {words.column[column]}
    </span>
    {children}
  </td>
)

const Name = ({ apiKey }: Readonly<{ apiKey: ApiKey }>) => (
  <th scope="row">
    <span class={records.name}>
      <a href={keyPage(apiKey.id)}>
        <bdi>{apiKey.name}</bdi>
      </a>{' '}
      <StatusBadge apiKey={apiKey} />
    </span>
    <KeyId apiKey={apiKey} />
    <KeyMay apiKey={apiKey} />
  </th>
)

const Expiry = ({ apiKey }: Readonly<{ apiKey: ApiKey }>) =>
  expiresSoon(apiKey) ? (
    <span class="badge warn">
      <When at={apiKey.expiresAt} otherwise="" />
    </span>
  ) : (
    <When at={apiKey.expiresAt} otherwise={words.never} />
  )

type Choice = (apiKey: ApiKey) => void

type KeyButtonProps = Readonly<{ apiKey: ApiKey; label: string; isBusy?: boolean; onClick(): void }>

export const KeyButton = ({ apiKey, label, isBusy, onClick }: KeyButtonProps) => (
  <button
    type="button"
    class="button plain small"
    aria-label={words.about(label, apiKey.name)}
    aria-disabled={isBusy}
    onClick={onClick}
  >
    {label}
  </button>
)

export const KeyTable = ({
  keys,
  onRotate,
  onRevoke,
}: Readonly<{ keys: readonly ApiKey[]; onRotate: Choice; onRevoke: Choice }>) => (
  <Table label={words.title} columns={['key', 'lastUsed', 'expires', 'created', 'actions']}>
    {keys.map((apiKey) => (
      <tr key={apiKey.id}>
        <Name apiKey={apiKey} />
        <Cell column="lastUsed">
          <When at={apiKey.lastUsedAt} otherwise={words.unused} />
        </Cell>
        <Cell column="expires">
          <Expiry apiKey={apiKey} />
        </Cell>
        <Cell column="created">
          <time dateTime={apiKey.createdAt}>{toDay(apiKey.createdAt)}</time>
        </Cell>
        <td class={records.acts}>
          <KeyButton apiKey={apiKey} label={words.rotate} onClick={() => onRotate(apiKey)} />
          <KeyButton apiKey={apiKey} label={words.revoke} onClick={() => onRevoke(apiKey)} />
        </td>
      </tr>
    ))}
  </Table>
)

/** Expired and revoked keys, collapsed. */
export const InactiveKeys = ({ keys }: Readonly<{ keys: readonly ApiKey[] }>) => (
  <details class={styles.inactive}>
    <summary>{words.inactive(keys.length)}</summary>
    <Table label={words.inactive(keys.length)} columns={['key', 'lastUsed', 'ended', 'created']}>
      {keys.map((apiKey) => (
        <tr key={apiKey.id}>
          <Name apiKey={apiKey} />
          <Cell column="lastUsed">
            <When at={apiKey.lastUsedAt} otherwise={words.unused} />
          </Cell>
          <Cell column="ended">
            <When at={apiKey.revokedAt ?? apiKey.expiresAt} otherwise="" />
          </Cell>
          <Cell column="created">
            <time dateTime={apiKey.createdAt}>{toDay(apiKey.createdAt)}</time>
          </Cell>
        </tr>
      ))}
    </Table>
  </details>
)
