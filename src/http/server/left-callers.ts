/**
 * Runs the `onResponse` hooks also when the caller has disconnected before its answer. They log and count the request:
 * without this, a caller who disconnects early could guess secrets unseen.
 */
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { App } from '../endpoint.ts'

const pending = Symbol('replies that are not sent')
type WatchedSocket = Socket & { [pending]?: Set<FastifyReply> }

/** Add it before the hooks that it runs. */
export function endRequestsOfLeftCallers(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    watch(request.socket).add(reply)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.socket.destroyed) return done(null, payload)
    // Not begun: a stream that is destroyed later would count as a fault.
    if (payload instanceof Readable) payload.destroy()
    done(null, payload instanceof Readable ? null : payload)
    endUnsent(request.socket, reply)
  })
  app.addHook('onResponse', (request, reply, done) => {
    watch(request.socket).delete(reply)
    done()
  })
}

function watch(socket: WatchedSocket): Set<FastifyReply> {
  const known = socket[pending]
  if (known !== undefined) return known
  const replies = new Set<FastifyReply>()
  socket[pending] = replies
  // What is not answered yet ends with its answer, which has the status.
  socket.once('close', () => {
    for (const reply of replies) if (reply.raw.headersSent) endUnsent(socket, reply)
  })
  return replies
}

// Node reports nothing more of such a response. Fastify runs the hooks once it is sent or has failed. By its code this is no
// fault.
function endUnsent(socket: WatchedSocket, reply: FastifyReply): void {
  const left = Object.assign(new Error('the caller has left'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
  if (socket[pending]?.delete(reply)) reply.raw.emit('error', left)
}
