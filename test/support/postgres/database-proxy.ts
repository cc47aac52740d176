/** A way to a PostgreSQL server that breaks when it is told to: connections are cut, and answers get lost. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { reset } from '../http/reset.ts'

/** The way. */
export type DatabaseProxy = Readonly<{
  /** What `DATABASE_URL` says. */
  url: string
  /** From now on it leads to another server; what is open is cut. */
  pointTo(port: number): void
  /** Cuts everything that is open. */
  cutAll(): void
  /** Nothing gets through any more, in either direction, and nothing is closed. */
  swallow(): void
  /** Everything new gets through again; what was open stays as it is. */
  pass(): void
  /**
   * Of the next COMMIT of a transaction with this statement the server's answer is lost: the connection is cut
   * instead. Resolves when that happened.
   */
  loseNextCommit(having: string): Promise<void>
  close(): Promise<void>
}>

/** Listens in front of a server. */
export async function startDatabaseProxy(serverPort: number): Promise<DatabaseProxy> {
  let target = serverPort
  let isSwallowing = false
  let losing: Readonly<{ having: string; done: PromiseWithResolvers<void> }> | undefined
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const isDead = isSwallowing
    const server = connect({ port: target, host: '127.0.0.1', noDelay: true })
    let lost: PromiseWithResolvers<void> | undefined
    let isMeant = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (bytes: Buffer) => {
      if (isDead || isSwallowing) return
      if (bytes.includes('begin')) isMeant = false
      if (losing !== undefined && bytes.includes(losing.having)) isMeant = true
      if (losing !== undefined && isMeant && bytes.includes('commit\0')) {
        lost = losing.done
        losing = undefined
      }
      server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      if (isDead || isSwallowing) return
      if (lost === undefined) client.write(bytes)
      else {
        reset(client)
        lost.resolve()
      }
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const cutAll = () => sockets.forEach(reset)
  return {
    url: `postgres://postgres@127.0.0.1:${(proxy.address() as AddressInfo).port}/paylink`,
    pointTo(port) {
      target = port
      cutAll()
    },
    cutAll,
    swallow: () => void (isSwallowing = true),
    pass: () => void (isSwallowing = false),
    loseNextCommit(having) {
      const done = Promise.withResolvers<void>()
      losing = { having, done }
      return done.promise
    },
    async close() {
      cutAll()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
