/** Confirms a revocation; the keys that the key created can be revoked with it. */
import { useState } from 'preact/hooks'
import { Modal } from '../../parts/modal.tsx'
import { Failure } from '../../parts/notice.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { toRelative } from '../../time.ts'
import { words } from './dialogs.words.ts'
import { listKeys, listLiveDescendants, revokeKey } from './keys.ts'
import type { ApiKey } from './keys.ts'
import styles from '../api-access.module.css'

const { revoke } = words

type RevokeProps = Readonly<{
  apiKey: ApiKey
  onClose(): void
  /** @param others the descendants that were revoked with it */
  onRevoked(others: readonly ApiKey[]): Promise<void>
}>

/** "Cancel" has the focus. */
export function RevokeKey({ apiKey, onClose, onRevoked }: RevokeProps) {
  const [isWithOthers, setWithOthers] = useState(false)
  const read = useLoaded(`revoke ${apiKey.id}`, async (signal) => {
    const [others, keys] = await Promise.all([listLiveDescendants(apiKey, signal), listKeys(signal)])
    // The page may have been open for long, and the key used since.
    return { others, lastUsedAt: keys.find(({ id }) => id === apiKey.id)?.lastUsedAt ?? null }
  })
  const { others, lastUsedAt } = read.value ?? { others: [], lastUsedAt: apiKey.lastUsedAt }
  const revoked = isWithOthers ? others : []
  const action = useAction(async () => {
    await revokeKey(apiKey, isWithOthers)
    await onRevoked(revoked)
  })
  const isLooking = read.value === undefined && read.error === undefined
  const [before, after] = revoke.stops

  return (
    <Modal title={revoke.title(apiKey.name)} {...(action.isBusy ? {} : { onClose })}>
      <p>
        {before}
        <code>{apiKey.keyId}</code>
        {after}
      </p>
      <p class="soft">
        {lastUsedAt === null ? revoke.unused : revoke.inUse(toRelative(lastUsedAt))} {revoke.final}
      </p>
      {read.error && <p class="notice warn small">{revoke.unknown}</p>}
      {others.length > 0 && (
        <div class={`stack tight ${styles.others}`}>
          <label class="choice">
            <input
              type="checkbox"
              checked={isWithOthers}
              aria-describedby="others-hint"
              onChange={(event) => setWithOthers(event.currentTarget.checked)}
            />
            <strong>{revoke.others(others.length)}</strong>
          </label>
          <p id="others-hint" class="soft small">
            {revoke.othersHint}
          </p>
          <ul class="small">
            {others.map(({ id, name, keyId }) => (
              <li key={id}>
                {name} <code class="soft">{keyId}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Failure error={action.error} />
      <div class="actions">
        <span class={`soft small ${styles.looking}`} role="status">
          {isLooking && revoke.looking}
        </span>
        <button type="button" class="button plain" disabled={action.isBusy} onClick={onClose}>
          {words.cancel}
        </button>
        <button
          type="button"
          class="button danger"
          disabled={isLooking}
          aria-disabled={action.isBusy}
          onClick={() => action.run()}
        >
          {action.isBusy ? revoke.acting : revoked.length === 0 ? revoke.act : revoke.actAll(revoked.length + 1)}
        </button>
      </div>
    </Modal>
  )
}
