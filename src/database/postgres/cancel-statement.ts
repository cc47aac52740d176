/** Cancels a statement on PostgreSQL. The protocol requires a separate connection for this. */
import { Connection } from 'pg'
import type { ClientBase } from 'pg'
import { sleep } from '../../lib/clock.ts'

/** Timeout for the server to receive the request. */
const REQUEST_TIMEOUT_MS = 500
/** Limit of unacknowledged requests; a server that hangs gets no more. */
const MAX_UNACKNOWLEDGED = 20

let pending = 0

// Not declared by pg's types.
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
 * Cancels the connection's current statement, over TLS if the connection uses it. The connection must stay open
 * meanwhile: a pooler finds the server by it.
 * @returns when the server has received the request, or after half a second; never rejects. The cancelling connection
 * stays open: pgbouncer up to 1.19 crashes when a cancel request disconnects while it is being forwarded (#801)
 */
export async function cancelStatement(client: ClientBase): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as unknown as Undeclared
  if (processID === null || secretKey === null || pending === MAX_UNACKNOWLEDGED) return
  const connection = new Connection({ ssl, sslNegotiation } as object) as CancelConnection
  const ended = new AbortController()
  pending += 1
  // Node closes the socket after an error.
  connection.on('error', () => {})
  connection.once('end', () => {
    pending -= 1
    ended.abort()
  })
  const send = () => connection.cancel(processID, secretKey)
  if (!ssl) connection.on('connect', send)
  else if (sslNegotiation !== 'direct') connection.on('connect', () => connection.requestSsl())
  connection.on('sslconnect', send)
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
  else connection.connect(port, host)
  await sleep(REQUEST_TIMEOUT_MS, ended.signal)
  // It must not keep the process alive.
  connection.unref()
}
