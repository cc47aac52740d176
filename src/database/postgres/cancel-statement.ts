/** Tells PostgreSQL that nobody waits for a statement any more, as its protocol has it: by a connection of its own. */
import { Connection } from 'pg'
import type { ClientBase } from 'pg'
import { sleep } from '../../lib/clock.ts'

/** How long is waited until the server has heard of it, in milliseconds. */
const TOLD_WITHIN_MS = 500
/** How many requests may be out that a server has not heard: one that stands still is told no more. */
const MOST_UNHEARD = 20

let unheard = 0

// What pg does not declare.
type Undeclared = Readonly<{
  host: string
  port: number
  ssl: unknown
  sslNegotiation: string
  processID: number | null
  secretKey: number | null
}>
type CancelConnection = Connection &
  Readonly<{
    connect(portOrPath: number | string, host?: string): void
    requestSsl(): void
    cancel(processID: number, secretKey: number): void
    unref(): void
  }>

/**
 * Has the server end what it does for this connection, which must stay open until then: a pooler knows by it
 * which of its servers is meant. Over TLS where the connection is.
 * @returns when the server has heard of it, or half a second later; never rejects. The connection stays open then:
 * pgbouncer up to 1.19 ends, with all its clients, when a cancel request is hung up on that it is passing on (#801)
 */
export async function cancelStatement(client: ClientBase): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as unknown as Undeclared
  if (processID === null || secretKey === null || unheard === MOST_UNHEARD) return
  const connection = new Connection({ ssl, sslNegotiation } as object) as CancelConnection
  const ended = new AbortController()
  unheard += 1
  // What fails is closed by the platform.
  connection.on('error', () => {})
  connection.once('end', () => {
    unheard -= 1
    ended.abort()
  })
  const send = () => connection.cancel(processID, secretKey)
  if (!ssl) connection.on('connect', send)
  else if (sslNegotiation !== 'direct') connection.on('connect', () => connection.requestSsl())
  connection.on('sslconnect', send)
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
  else connection.connect(port, host)
  await sleep(TOLD_WITHIN_MS, ended.signal)
  // Nor does it keep the process.
  connection.unref()
}
