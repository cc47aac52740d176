/**
 * Answers wait until everything that they may have read is on disk (docs/decisions/0040). A transaction waits by itself;
 * this covers answers that only read, such as an exchange, or a repeated call that finds nothing to do.
 */
import type { RouteOptions } from 'fastify'
import type { App } from '../endpoint.ts'

/** @param pendingSync undefined: everything is on disk */
export function answerWhenDurable(app: App, pendingSync: () => Promise<void> | undefined): void {
  app.addHook('onRoute', (route) => {
    if (isRead(route)) return
    const wait: RouteOptions['onSend'] = (_request, reply, payload, done) => {
      // An answer that reports a failed sync must not wait for it again.
      const pending = reply.statusCode >= 500 ? undefined : pendingSync()
      if (pending === undefined) done(null, payload)
      else pending.then(() => done(null, payload), done)
    }
    route.onSend = [wait, ...[route.onSend ?? []].flat()]
  })
}

// A link is used, and a sign-in with Google ends, by a GET.
const isRead = ({ method, config }: RouteOptions) =>
  config?.signIn === undefined && [method].flat().some((one) => one === 'GET' || one === 'HEAD')
