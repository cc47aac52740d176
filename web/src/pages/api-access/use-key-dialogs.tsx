/** The dialogs that act on keys, for the pages that list keys or show one. */
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { showResult } from '../../parts/results.tsx'
import { toMoment } from '../../time.ts'
import { words } from '../api-access.words.ts'
import { ChangeKey } from './change-key.tsx'
import { CreateKey } from './create-key.tsx'
import type { ApiKey, Credentials } from './keys.ts'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'
import { SecretOnce } from './secret-once.tsx'

type Open =
  | Readonly<{ dialog: 'create' }>
  | Readonly<{ dialog: 'change' | 'rotate' | 'revoke'; apiKey: ApiKey }>
  | Readonly<{ dialog: 'secret'; credentials: Credentials; isRotated: boolean; outcome: string }>

type KeyDialogs = Readonly<{
  create(): void
  choose(dialog: 'change' | 'rotate' | 'revoke', apiKey: ApiKey): void
  /** Reloads the keys and shows the result of an action. */
  finish(outcome: string): Promise<void>
  /** The open dialog. */
  dialog: ComponentChildren
}>

/** @param heading takes the focus if an action has removed the focused element */
export function useKeyDialogs(onChanged: () => Promise<void>, heading: RefObject<HTMLElement | null>): KeyDialogs {
  const [open, setOpen] = useState<Open>()
  const isFinished = useRef(false)
  useEffect(() => {
    if (!isFinished.current || open) return
    isFinished.current = false
    if (document.activeElement === document.body) heading.current?.focus()
  })

  const close = (): void => setOpen(undefined)
  const conclude = (outcome: string): void => {
    isFinished.current = true
    close()
    showResult(outcome)
  }
  const showSecret = (credentials: Credentials, isRotated: boolean, outcome: string): void => {
    setOpen({ dialog: 'secret', credentials, isRotated, outcome })
    void onChanged()
  }
  const finish = async (outcome: string): Promise<void> => {
    await onChanged()
    conclude(outcome)
  }
  const dialog = (
    <>
      {open?.dialog === 'create' && (
        <CreateKey
          onClose={close}
          onFailed={() => void onChanged()}
          onCreated={(credentials) => showSecret(credentials, false, words.isCreated(credentials.name))}
        />
      )}
      {open?.dialog === 'change' && (
        <ChangeKey apiKey={open.apiKey} onClose={close} onChanged={({ name }) => finish(words.isChanged(name))} />
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
            conclude(open.outcome)
            // Preact keeps the elements of the page's last rendering: another one, so that the secret leaves the memory.
            void onChanged()
          }}
        />
      )}
    </>
  )
  return {
    create: () => setOpen({ dialog: 'create' }),
    choose: (chosen, apiKey) => setOpen({ dialog: chosen, apiKey }),
    finish,
    dialog,
  }
}
