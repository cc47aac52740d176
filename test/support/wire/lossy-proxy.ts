/** A proxy that drops every answer: the request takes effect, and the caller never learns it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { callAt } from '../http/call.ts'
import type { Call } from '../http/call.ts'
import { reset } from './reset.ts'

export type LossyProxy = Readonly<{
  callInVain(route: string, call?: Call): Promise<void>
  close(): Promise<void>
}>

export async function startLossyProxy(baseUrl: string): Promise<LossyProxy> {
  const { hostname, port, pathname } = new URL(baseUrl)
  const sockets = new Set<Socket>()
  let answersLost = 0
  const server = createServer((client) => {
    const service = connect(Number(port), hostname)
    for (const socket of [client, service]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        service.destroy()
      })
    }
    client.pipe(service)
    service.once('data', () => {
      answersLost += 1
      reset(client)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    async callInVain(route, call) {
      const before = answersLost
      await assert.rejects(callAt(origin + pathname, route, call), { code: 'ECONNRESET' })
      assert.equal(answersLost, before + 1, 'the service answered once')
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
