import { useEffect, useRef, useState } from 'preact/hooks'
import { paths } from '../page-paths.ts'
import { toMoment } from '../time.ts'
import { words } from './api-access.words.ts'
import { AwaitingKeys } from './api-access/awaiting-keys.tsx'
import { CreateKey } from './api-access/create-key.tsx'
import { InactiveKeys, KeyTable } from './api-access/key-table.tsx'
import type { ApiKey, Credentials } from './api-access/keys.ts'
import { NoKeys } from './api-access/no-keys.tsx'
import { RevokeKey } from './api-access/revoke-key.tsx'
import { RotateKey } from './api-access/rotate-key.tsx'
import { SecretOnce } from './api-access/secret-once.tsx'

type Open =
  | Readonly<{ dialog: 'create' }>
  | Readonly<{ dialog: 'rotate' | 'revoke'; apiKey: ApiKey }>
  | Readonly<{ dialog: 'secret'; credentials: Credentials; isRotated: boolean; outcome: string }>

type ApiAccessProps = Readonly<{ keys: readonly ApiKey[]; onChanged(): Promise<void> }>

export function ApiAccess({ keys, onChanged }: ApiAccessProps) {
  const [open, setOpen] = useState<Open>()
  const [outcome, setOutcome] = useState('')
  const status = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The action removed the focused element.
    if (outcome !== '' && document.activeElement === document.body) status.current?.focus()
  }, [outcome])

  const close = (): void => setOpen(undefined)
  const create = (): void => {
    setOutcome('')
    setOpen({ dialog: 'create' })
  }
  const choose = (dialog: 'rotate' | 'revoke', apiKey: ApiKey): void => {
    setOutcome('')
    setOpen({ dialog, apiKey })
  }
  const showSecret = (credentials: Credentials, isRotated: boolean, then: string): void => {
    setOpen({ dialog: 'secret', credentials, isRotated, outcome: then })
    void onChanged()
  }
  const finish = async (then: string): Promise<void> => {
    await onChanged()
    close()
    setOutcome(then)
  }

  const active = keys.filter((apiKey) => apiKey.status === 'ACTIVE')
  const awaiting = keys.filter((apiKey) => apiKey.status === 'AWAITS_OWNER')
  const inactive = keys.filter((apiKey) => apiKey.status === 'EXPIRED' || apiKey.status === 'REVOKED')
  const isEmpty = keys.length === 0

  return (
    <section class="stack" aria-labelledby="api-access">
      <div class="row apart">
        <h2 id="api-access">{words.title}</h2>
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
      <div ref={status} role="status" tabIndex={-1}>
        {outcome && <p class="notice good">{outcome}</p>}
      </div>
      {awaiting.length > 0 && (
        <AwaitingKeys
          keys={awaiting}
          onKept={({ name }) => {
            setOutcome('')
            return finish(words.isKept(name))
          }}
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

      {open?.dialog === 'create' && (
        <CreateKey
          onClose={close}
          onFailed={() => void onChanged()}
          onCreated={(credentials) => showSecret(credentials, false, words.isCreated(credentials.name))}
        />
      )}
      {open?.dialog === 'rotate' && (
        <RotateKey
          apiKey={open.apiKey}
          onClose={close}
          onRotated={(credentials, graceSeconds) => {
            const until =
              graceSeconds === 0 ? undefined : toMoment(new Date(Date.now() + graceSeconds * 1000).toISOString())
            showSecret(credentials, true, words.isRotated(credentials.name, until))
          }}
        />
      )}
      {open?.dialog === 'revoke' && (
        <RevokeKey
          apiKey={open.apiKey}
          onClose={close}
          onRevoked={(others) => finish(words.isRevoked(open.apiKey.name, others.length))}
        />
      )}
      {open?.dialog === 'secret' && (
        <SecretOnce
          credentials={open.credentials}
          isRotated={open.isRotated}
          onDone={() => {
            close()
            setOutcome(open.outcome)
          }}
        />
      )}
    </section>
  )
}
