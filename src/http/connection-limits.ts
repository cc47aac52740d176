/** How many connections there may be, and how many requests may wait on one: what bounds the memory that callers can take. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../lib/log.ts'

/** How many connections are open at once; an idle one costs about 7 kB. */
export const CONNECTION_LIMIT = 10_000
/** How many requests of one connection may wait for their answers. */
export const PIPELINE_LIMIT = 32

/** Closes what goes beyond a limit without an answer, which would only take more memory. */
export function limitConnections(server: Server, log: Log): void {
  server.maxConnections = CONNECTION_LIMIT
  server.once('drop', () => {
    log.warn({ limit: CONNECTION_LIMIT }, 'connections are refused: too many are open')
  })
  limitPipelining(server)
}

// Node hands over every request of a packet before it has written the first answer: callers who send
// thousands at once, and read nothing, would fill the memory with answers.
function limitPipelining(server: Server): void {
  const waiting = new WeakMap<Socket, number>()
  const serve = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > PIPELINE_LIMIT || socket.destroyed) {
      socket.destroy()
      return
    }
    waiting.set(socket, count)
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
    for (const listener of serve) listener.call(server, request, response)
  })
}
