/** A test's server: one handler for every request, and a record of what was received. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Handler } from '../google/issuer.ts'

export type Serving = Readonly<{
  url: string
  requests: string[]
  /** Waits until every connection that carried a request is closed. (undici may open one in advance.) */
  untilLeft(): Promise<void>
}>

/** A test, or the file: `after` of node:test. */
export type Ending = Readonly<{ after(end: () => void): void }>

/** The server ends with the test. */
export async function serving(t: Ending, handler: Handler): Promise<Serving> {
  const requests: string[] = []
  const closings = new Map<Socket, Promise<unknown>>()
  const server = createServer(async (request, response) => {
    const { socket } = request
    if (!closings.has(socket)) {
      socket.on('error', () => {})
      closings.set(socket, new Promise((resolve) => void socket.once('close', resolve)))
    }
    const body = await text(request)
    requests.push(`${request.method} ${request.url} ${body}`.trim())
    handler(request, response, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    untilLeft: async () => void (await Promise.all(closings.values())),
  }
}
