/**
 * Answers wait until everything that they may have read is on disk (docs/decisions/0040). A transaction waits by itself;
 * this covers answers that only read, such as an exchange, or a repeated call that finds nothing to do.
 */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { App } from '../endpoint.ts'

/** @param pendingSync undefined: everything is on disk */
export function answerWhenDurable(app: App, pendingSync: () => Promise<void> | undefined): void {
  const wait = async (_request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    // An answer that reports a failed sync must not wait for it again.
    if (reply.statusCode < 500) await pendingSync()
    return payload
  }
  app.addHook('onRoute', (route) => {
    if (!isRead(route)) route.onSend = [wait, ...[route.onSend ?? []].flat()]
  })
}

// A link is used, and a sign-in with Google ends, by a GET.
const isRead = ({ method, config }: RouteOptions) =>
  config?.signIn === undefined && [method].flat().some((one) => one === 'GET' || one === 'HEAD')
