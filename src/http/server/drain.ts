/** Graceful shutdown behind a load balancer: requests in flight are answered, not reset. */
import { Server } from 'node:net'
import { elapsedMs, nextTurn, sleep } from '../../lib/clock.ts'
import type { App } from '../endpoint.ts'

/**
 * After so many turns of the event loop without a request, open connections count as idle: 0.1 s or more. Not a time: a
 * process that got no processor for so long has not looked at its connections.
 */
const QUIET_TURNS = 50
const TURN_MS = 2
/** In a turn of the event loop shorter than this, a connection is hardly ever established. */
const SHORT_TURN_MS = 0.3
/** The limit on draining while requests keep arriving. */
const DRAIN_WITHIN_MS = 1500

/**
 * Closes in three steps. The server stops listening (`stopListening`), so the balancer sends new connections elsewhere.
 * Each open connection closes with the response to its next request. Idle connections close last: closing one while the
 * balancer is sending on it would lose that call, and the balancer could not tell whether a POST had been executed.
 */
export function drainWhenClosing(app: App): void {
  let isClosing = false
  let quietTurns = 0
  app.addHook('preClose', async () => {
    closeListener(app)
    isClosing = true
    const { signal } = new AbortController()
    const beganMs = elapsedMs()
    while ((await connectionsOf(app)) > 0) {
      if (quietTurns > QUIET_TURNS || elapsedMs() - beganMs > DRAIN_WITHIN_MS) break
      await sleep(TURN_MS, signal)
      quietTurns += 1
    }
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    quietTurns = 0
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done(null, payload)
  })
}

/**
 * Stops listening, to be called before `app.close()`: once that has begun, every response closes its connection, and the
 * balancer would open a new one for each request. Closing a listening socket resets the connections that the kernel has
 * established and the event loop has not accepted. A turn accepts at most one (libuv), so only a turn without any shows
 * that none waits, and only a short one that none came in the meantime.
 */
export async function stopListening(app: App): Promise<void> {
  const beganMs = elapsedMs()
  let accepted = 0
  const count = () => {
    accepted += 1
  }
  app.server.on('connection', count)
  // The first turn ends before the event loop looks at its sockets again.
  await nextTurn()
  let before: number
  let turnBeganMs: number
  do {
    before = accepted
    turnBeganMs = elapsedMs()
    await nextTurn()
  } while ((accepted > before || elapsedMs() - turnBeganMs > SHORT_TURN_MS) && elapsedMs() - beganMs < DRAIN_WITHIN_MS)
  app.server.off('connection', count)
  closeListener(app)
}

function closeListener(app: App): void {
  // `close()` of the HTTP server would also close idle connections at once.
  if (app.server.listening) Server.prototype.close.call(app.server)
}

function connectionsOf(app: App): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
