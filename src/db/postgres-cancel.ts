/** Tells PostgreSQL that nobody waits for a statement any more, as its protocol has it: by a connection of its own. */
import { Connection } from 'pg'
import type { ClientBase } from 'pg'
import { sleep } from '../lib/clock.ts'

/** How long the server may take to hear of it, in milliseconds. */
const TOLD_WITHIN_MS = 500

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
  }>

/**
 * Has the server end what it does for this connection, which must stay open until then: a pooler knows by it
 * which of its servers is meant. Over TLS where the connection is.
 * @returns when the server has heard of it, or half a second later; never rejects
 */
export async function cancelStatement(client: ClientBase): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as unknown as Undeclared
  if (processID === null || secretKey === null) return
  const connection = new Connection({ ssl, sslNegotiation } as object) as CancelConnection
  const ended = new AbortController()
  connection.on('error', () => ended.abort())
  connection.on('end', () => ended.abort())
  const send = () => connection.cancel(processID, secretKey)
  if (!ssl) connection.on('connect', send)
  else if (sslNegotiation !== 'direct') connection.on('connect', () => connection.requestSsl())
  connection.on('sslconnect', send)
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
  else connection.connect(port, host)
  await sleep(TOLD_WITHIN_MS, ended.signal)
  connection.stream.destroy()
}
