/** The end of a server behind a balancer: what is on its way when it begins to close is answered, not reset. */
import { Server } from 'node:net'
import { elapsedMs, nextTurn, sleep } from '../../lib/clock.ts'
import type { App } from '../endpoint.ts'

/** How long no request must have come for connections that are open to be idle, in milliseconds. */
const QUIET_MS = 100
/** How long requests that go on coming are waited out, in milliseconds. */
const DRAIN_WITHIN_MS = 1500

/**
 * Closes in this order: nobody is accepted any more, so that a balancer's next connection is refused and its call,
 * of which nothing was sent, goes elsewhere; each connection ends with the answer to its next request; idle ones are
 * closed last, when their holders have gone elsewhere. Closed while the balancer sends on it, a connection loses that
 * call: whether a POST was carried out nobody could tell it.
 */
export function drainWhenClosing(app: App): void {
  let isClosing = false
  let lastRequestMs = -Infinity
  app.addHook('preClose', async () => {
    // Who has connected already is accepted in this turn.
    await nextTurn()
    // The HTTP server's own close() would cut idle connections now.
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
