import { useEffect, useState } from 'preact/hooks'
import { paths } from '../page-paths.ts'
import { callSignedIn } from '../api.ts'
import type { Answer } from '../operations.ts'
import { GoogleMark } from '../parts/icons.tsx'
import { Modal } from '../parts/modal.tsx'
import { SignInFailure } from '../parts/sign-in-again.tsx'
import { useAction } from '../parts/use-action.ts'
import { toDay } from '../time.ts'
import { words } from './profile.words.ts'
import styles from './profile.module.css'

export type Connection = NonNullable<Answer<'getGoogleConnection'>['connection']>

/** Returns null if no Google account is connected. */
export const readConnection = async (signal: AbortSignal): Promise<Connection | null> =>
  (await callSignedIn<Answer<'getGoogleConnection'>>('GET', '/auth/google/connection', { signal })).connection

const isConnectedNow = new URLSearchParams(location.search).has('connected')

export function GoogleConnection({
  connection,
  onChanged,
}: Readonly<{ connection: Connection | null; onChanged(): Promise<void> }>) {
  const [isAsking, setAsking] = useState(false)
  const [message, setMessage] = useState(isConnectedNow ? words.connected : '')
  const disconnect = useAction(async () => {
    await callSignedIn('DELETE', '/auth/google/connection')
    await onChanged()
    setMessage(words.disconnected)
    setAsking(false)
  })
  // Shown once, not again after a reload.
  useEffect(() => {
    if (isConnectedNow) history.replaceState(null, '', paths.profile)
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
            <button type="button" class="button plain small" onClick={() => setAsking(true)}>
              {words.disconnect}
            </button>
          ) : (
            <a class="button plain small" href={paths.connectGoogle}>
              <GoogleMark />
              {words.connect}
            </a>
          )}
        </div>
        <div role="status">{message !== '' && <p class="notice good">{message}</p>}</div>
      </div>
      {isAsking && connection && (
        <Modal title={words.disconnectTitle} onClose={() => setAsking(false)}>
          <p>{words.disconnectText(connection.email)}</p>
          <SignInFailure error={disconnect.error} />
          <div class="actions">
            <button type="button" class="button plain" onClick={() => setAsking(false)}>
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
