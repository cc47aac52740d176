import { useEffect } from 'preact/hooks'
import { paths } from '../../page-paths.ts'
import { callSignedIn } from '../../api.ts'
import type { Answer } from '../../operations.ts'
import { AskSignIn, SignInFailure, useFreshDialog } from '../../parts/fresh-sign-in.tsx'
import { GoogleMark } from '../../parts/icons.tsx'
import { Modal } from '../../parts/modal.tsx'
import { showResult } from '../../parts/results.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Loaded } from '../../parts/use-loaded.ts'
import { settings } from '../../settings.ts'
import { toDay } from '../../time.ts'
import { words } from '../profile.words.ts'
import styles from '../profile.module.css'

export type Connection = NonNullable<Answer<'GET /auth/google/connection'>['connection']>

/** Null if no Google account is connected, or sign-in with Google is off. */
export const useConnection = (): Loaded<Connection | null> =>
  useLoaded('google connection', async (signal) =>
    settings.google ? (await callSignedIn('GET /auth/google/connection', { signal })).connection : null,
  )

const isConnectedNow = new URLSearchParams(location.search).has('connected')

export function GoogleConnection({
  connection,
  onChanged,
}: Readonly<{ connection: Connection | null; onChanged(): Promise<void> }>) {
  const { opener, isAsking, isOpen, open, close } = useFreshDialog('disconnect-google')
  const disconnect = useAction(async () => {
    await callSignedIn('DELETE /auth/google/connection')
    await onChanged()
    close()
    showResult(words.disconnected)
  })
  // Shown once, not again after a reload.
  useEffect(() => {
    if (!isConnectedNow) return
    showResult(words.connected)
    history.replaceState(null, '', paths.profile)
  }, [])
  return (
    <section class={`panel ${styles.profile}`}>
      <div class="stack tight">
        <div class="row apart">
          <div class="stack tight">
            <h2>{words.google}</h2>
            <p class="soft small">{connection ? <ConnectedAs {...connection} /> : words.notConnected}</p>
          </div>
          {connection ? (
            <button ref={opener} type="button" class="button plain small" onClick={open}>
              {words.disconnect}
            </button>
          ) : (
            <a class="button plain small" href={paths.connectGoogle}>
              <GoogleMark />
              {words.connect}
            </a>
          )}
        </div>
      </div>
      {isAsking && <AskSignIn dialog="disconnect-google" onClose={close} />}
      {isOpen && connection && (
        <Modal title={words.disconnectTitle} onClose={close}>
          <p>{words.disconnectText(connection.email)}</p>
          <SignInFailure error={disconnect.error} resumed={{ dialog: 'disconnect-google', typed: '' }} />
          <div class="actions">
            <button type="button" class="button plain" onClick={close}>
              {words.cancel}
            </button>
            <button
              type="button"
              class="button danger"
              aria-disabled={disconnect.isBusy}
              onClick={() => disconnect.run()}
            >
              {disconnect.isBusy ? words.disconnecting : words.disconnect}
            </button>
          </div>
        </Modal>
      )}
    </section>
  )
}

function ConnectedAs({ email, connectedAt }: Connection) {
  const [before, address, after] = words.connectedAs(email, toDay(connectedAt))
  return (
    <>
      {before}
      <strong>{address}</strong>
      {after}
    </>
  )
}
