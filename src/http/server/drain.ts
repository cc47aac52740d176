/** Graceful shutdown behind a load balancer: requests in flight are answered, not reset. */
import { Server } from 'node:net'
import { elapsedMs, nextTurn, sleep } from '../../lib/clock.ts'
import type { App } from '../endpoint.ts'

/** After this long without a request, open connections count as idle. */
const QUIET_MS = 100
/** The limit on draining while requests keep arriving. */
const DRAIN_WITHIN_MS = 1500

/**
 * Closes in three steps. The server stops listening, so the balancer sends new connections elsewhere. Each open
 * connection closes with the response to its next request. Idle connections close last: closing one while the balancer
 * is sending on it would lose that call, and the balancer could not tell whether a POST had been executed.
 */
export function drainWhenClosing(app: App): void {
  let isClosing = false
  let lastRequestMs = -Infinity
  app.addHook('preClose', async () => {
    // Lets the event loop accept the connections that are already established.
    await nextTurn()
    // `close()` of the HTTP server would also close idle connections at once.
    if (app.server.listening) Server.prototype.close.call(app.server)
    isClosing = true
    const { signal } = new AbortController()
    const beganMs = (lastRequestMs = elapsedMs())
    while ((await connectionsOf(app)) > 0) {
      const nowMs = elapsedMs()
      if (nowMs - lastRequestMs > QUIET_MS || nowMs - beganMs > DRAIN_WITHIN_MS) break
      await sleep(2, signal)
    }
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    if (isClosing) lastRequestMs = elapsedMs()
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
