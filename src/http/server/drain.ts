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
/** The limit on draining while requests keep arriving. */
const DRAIN_WITHIN_MS = 1500

/**
 * Closes in three steps. The server stops listening, so the balancer sends new connections elsewhere. Each open
 * connection closes with the response to its next request. Idle connections close last: closing one while the balancer
 * is sending on it would lose that call, and the balancer could not tell whether a POST had been executed.
 */
export function drainWhenClosing(app: App): void {
  let isClosing = false
  let quietTurns = 0
  app.addHook('preClose', async () => {
    // Lets the event loop accept the connections that are already established.
    await nextTurn()
    // `close()` of the HTTP server would also close idle connections at once.
    if (app.server.listening) Server.prototype.close.call(app.server)
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

function connectionsOf(app: App): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
