/** The profile's Google connection: which account it is, and how to connect or disconnect one. */
import { useEffect, useState } from 'preact/hooks'
import { addresses } from '../addresses.ts'
import { callSignedIn } from '../api.ts'
import { GoogleMark } from '../parts/marks.tsx'
import { Modal } from '../parts/modal.tsx'
import { Failure } from '../parts/notice.tsx'
import { FailureOfSignIn } from '../parts/sign-in-again.tsx'
import { useAction } from '../parts/use-action.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { toDay } from '../time.ts'
import { words } from './profile.words.ts'

type Connection = Readonly<{ email: string; connectedAt: string }>

const isConnectedNow = new URLSearchParams(location.search).has('connected')

/** The section. */
export function GoogleConnection() {
  const [isAsking, setAsking] = useState(false)
  const [message, setMessage] = useState(isConnectedNow ? words.connected : '')
  const read = useLoaded(async () => (await callSignedIn<{ connection: Connection | null }>('GET', '/auth/google/connection')).connection)
  const disconnect = useAction(async () => {
    await callSignedIn('DELETE', '/auth/google/connection')
    await read.reload()
    setMessage(words.disconnected)
    setAsking(false)
  })
  // Said once: not again when the page is loaded again.
  useEffect(() => {
    if (isConnectedNow) history.replaceState(null, '', location.pathname)
  }, [])
  const connection = read.value
  return (
    <section class="panel profile">
      <div class="stack tight">
        <div class="row apart google-row">
          <div class="stack tight">
            <h2>{words.google}</h2>
            <p class="soft small">{connection === undefined ? '' : connection === null ? words.notConnected : <ConnectedAs {...connection} />}</p>
          </div>
          {connection === null && (
            <a class="button plain small" href={addresses.connectGoogle}>
              <GoogleMark />
              {words.connect}
            </a>
          )}
          {connection && (
            <button type="button" class="button plain small" onClick={() => setAsking(true)}>
              {words.disconnect}
            </button>
          )}
        </div>
        <div role="status">{message !== '' && <p class="notice good">{message}</p>}</div>
        <Failure error={read.error} />
      </div>
      {isAsking && connection && (
        <Modal title={words.disconnectTitle} onClose={() => setAsking(false)}>
          <p>{words.disconnectText(connection.email)}</p>
          <FailureOfSignIn error={disconnect.error} />
          <div class="actions">
            <button type="button" class="button plain" onClick={() => setAsking(false)}>
              {words.cancel}
            </button>
            <button type="button" class="button danger" disabled={disconnect.isBusy} onClick={() => disconnect.run()}>
              {words.disconnect}
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
