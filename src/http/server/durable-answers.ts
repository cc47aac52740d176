/**
 * Answers of writing operations wait until everything that they read is on disk (docs/decisions/0040). A transaction waits
 * by itself; this covers answers of operations that found nothing to do, such as a repeated call. An exchange waits for
 * changes of access only.
 */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { App } from '../endpoint.ts'

/** As in `database/database.ts`. */
type NotedReads = Readonly<{
  noteReads(run: () => void): void
  pendingSync(of: 'all' | 'access'): Promise<void> | undefined
}>

export function answerWhenDurable(app: App, db: NotedReads): void {
  // Changes of access are rare: an answer that waits for them only need not know which it has read.
  const note = (request: FastifyRequest, _reply: FastifyReply, next: () => void): void =>
    onlyReads(request) ? next() : db.noteReads(next)
  const wait = async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    // An answer that reports a failed sync must not wait for it again.
    if (reply.statusCode < 500) await db.pendingSync(onlyReads(request) ? 'access' : 'all')
    return payload
  }
  app.addHook('onRoute', (route) => {
    if (isRead(route)) return
    route.preHandler = [note, ...[route.preHandler ?? []].flat()]
    route.onSend = [wait, ...[route.onSend ?? []].flat()]
  })
}

const onlyReads = (request: FastifyRequest) => request.routeOptions.config.onlyReads?.(request) ?? false

// A link is used, and a sign-in with Google ends, by a GET.
const isRead = ({ method, config }: RouteOptions) =>
  config?.signIn === undefined && [method].flat().some((one) => one === 'GET' || one === 'HEAD')
