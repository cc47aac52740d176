/** How many connections there may be, and how many requests may wait on one: what bounds the memory that callers can take. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../../lib/log.ts'

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

/** How many requests of a connection wait for their answers. */
const waiting = Symbol('waiting')
type Waited = Socket & { [waiting]?: number }

function oneLess(this: ServerResponse): void {
  const socket: Waited = this.req.socket
  socket[waiting] = (socket[waiting] ?? 1) - 1
}

// Node hands over every request of a packet before it has written the first answer: callers who send
// thousands at once, and read nothing, would fill the memory with answers.
function limitPipelining(server: Server): void {
  const serve = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const socket: Waited = request.socket
    const count = (socket[waiting] ?? 0) + 1
    if (count > PIPELINE_LIMIT || socket.destroyed) {
      socket.destroy()
      return
    }
    socket[waiting] = count
    response.on('close', oneLess)
    for (const listener of serve) listener.call(server, request, response)
  })
}
