import { useRef } from 'preact/hooks'
import { paths } from '../../page-paths.ts'
import { words } from '../api-access.words.ts'
import { AwaitingKeys } from '../api-access/awaiting-keys.tsx'
import { InactiveKeys, KeyTable } from '../api-access/key-table.tsx'
import type { ApiKey } from '../api-access/keys.ts'
import { NoKeys } from '../api-access/no-keys.tsx'
import { useKeyDialogs } from '../api-access/use-key-dialogs.tsx'

type ApiAccessProps = Readonly<{ keys: readonly ApiKey[]; onChanged(): Promise<void> }>

export function ApiAccess({ keys, onChanged }: ApiAccessProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { create, choose, finish, dialog } = useKeyDialogs(onChanged, heading)

  const active = keys.filter((apiKey) => apiKey.status === 'ACTIVE')
  const awaiting = keys.filter((apiKey) => apiKey.status === 'AWAITS_OWNER')
  const inactive = keys.filter((apiKey) => apiKey.status === 'EXPIRED' || apiKey.status === 'REVOKED')
  const isEmpty = keys.length === 0

  return (
    <section class="stack" aria-labelledby="api-access">
      <div class="row apart">
        <h2 id="api-access" ref={heading} tabIndex={-1}>
          {words.title}
        </h2>
        {!isEmpty && (
          <button type="button" class="button" onClick={create}>
            {words.create}
          </button>
        )}
      </div>
      {!isEmpty && (
        <p class="soft">
          {words.lead} <a href={paths.quickStart}>{words.quickStart}</a>
        </p>
      )}
      {awaiting.length > 0 && (
        <AwaitingKeys
          keys={awaiting}
          onKept={({ name }) => finish(words.isKept(name))}
          onRevoke={(apiKey) => choose('revoke', apiKey)}
        />
      )}
      {isEmpty ? (
        <NoKeys onCreate={create} />
      ) : (
        <>
          {active.length > 0 ? (
            <KeyTable
              keys={active}
              onRotate={(apiKey) => choose('rotate', apiKey)}
              onRevoke={(apiKey) => choose('revoke', apiKey)}
            />
          ) : (
            <p class="panel none soft">{words.none}</p>
          )}
          {inactive.length > 0 && <InactiveKeys keys={inactive} />}
        </>
      )}

      {dialog}
    </section>
  )
}
