/** Bounds the memory that callers can occupy: open connections, and pipelined requests per connection. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../../lib/log.ts'

/** An idle connection costs about 7 kB. */
export const CONNECTION_LIMIT = 10_000
/** Unanswered requests per connection. */
export const PIPELINE_LIMIT = 32

/** Closes connections beyond a limit without a response, which would only take more memory. */
export function limitConnections(server: Server, log: Log): void {
  server.maxConnections = CONNECTION_LIMIT
  server.once('drop', () => {
    log.warn({ limit: CONNECTION_LIMIT }, 'connection limit reached: new connections are refused')
  })
  limitPipelining(server)
}

const unanswered = Symbol('unanswered')
type CountedSocket = Socket & { [unanswered]?: number }

function countResponse(this: ServerResponse): void {
  const socket: CountedSocket = this.req.socket
  socket[unanswered] = (socket[unanswered] ?? 1) - 1
}

// Node emits every request of a packet before it writes the first response. A caller that sends thousands at once and
// reads nothing would fill the memory with responses.
function limitPipelining(server: Server): void {
  const serve = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const socket: CountedSocket = request.socket
    const count = (socket[unanswered] ?? 0) + 1
    if (count > PIPELINE_LIMIT || socket.destroyed) {
      socket.destroy()
      return
    }
    socket[unanswered] = count
    response.on('close', countResponse)
    for (const listener of serve) listener.call(server, request, response)
  })
}
