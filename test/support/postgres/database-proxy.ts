/** A proxy in front of PostgreSQL that cuts connections and drops answers on command. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { reset } from '../wire/reset.ts'

export type DatabaseProxy = Readonly<{
  url: string
  /** Switches to another server and cuts open connections. */
  pointTo(port: number): void
  cutAll(): void
  /** Forwards nothing in either direction, and closes nothing. */
  swallow(): void
  /** Forwards new connections again; open ones stay blocked. */
  pass(): void
  /** Loses the answer to the next COMMIT after this statement and cuts the connection; resolves when done. */
  loseNextCommit(having: string): Promise<void>
  close(): Promise<void>
}>

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
