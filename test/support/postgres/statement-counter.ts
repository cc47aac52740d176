/** A proxy in front of PostgreSQL that records every statement on the wire. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export type StatementCounter = Readonly<{
  url: string
  /** The statements so far, each one round trip, without those that open a connection. */
  statements: string[]
  close(): Promise<void>
}>

export async function startStatementCounter(databaseUrl: string): Promise<StatementCounter> {
  const target = new URL(databaseUrl)
  const statements: string[] = []
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect({ port: Number(target.port), host: target.hostname, noDelay: true })
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    const read = createReader((statement) => {
      if (!/^set |pg_backend_pid/i.test(statement)) statements.push(statement)
    })
    client.on('data', (bytes: Buffer) => {
      read(bytes)
      server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => client.write(bytes))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    statements,
    async close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

/** Reports each statement in a client's byte stream (PostgreSQL, section 55.7: Query, or Bind after one Parse). */
function createReader(onStatement: (text: string) => void): (bytes: Buffer) => void {
  let left = Buffer.alloc(0)
  let hasBegun = false
  const prepared = new Map<string, string>()
  return (bytes) => {
    left = Buffer.concat([left, bytes])
    for (;;) {
      // The startup message has no type byte before its length.
      const head = hasBegun ? 1 : 0
      if (left.length < head + 4) return
      const length = head + left.readUInt32BE(head)
      if (left.length < length) return
      const letter = hasBegun ? String.fromCharCode(left[0] ?? 0) : ''
      const [first = '', second = ''] = left.toString('utf8', head + 4, length).split('\0')
      if (letter === 'Q') onStatement(first)
      if (letter === 'P') prepared.set(first, second)
      if (letter === 'B') onStatement(prepared.get(second) ?? '')
      hasBegun = true
      left = left.subarray(length)
    }
  }
}
