/** `/healthz` (the process runs) and `/readyz` (it can serve: the database answers and it is not closing). */
import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import type { App } from '../endpoint.ts'

const Answer = Type.Object({ status: Type.Literal('ok') })

/**
 * Adds both.
 * @param pingDatabase rejects while the database does not answer
 */
export function addHealth(app: App, pingDatabase: () => Promise<unknown>): void {
  let hasListened = false
  app.addHook('onListen', async () => {
    hasListened = true
  })
  const options = { config: { access: 'public' }, schema: { hide: true, response: { 200: Answer } } } as const

  app.get('/healthz', options, async () => ({ status: 'ok' as const }))
  app.get('/readyz', options, async (request) => {
    // Closing begins with the port (http/server/drain.ts).
    if (hasListened && !app.server.listening) throw notReady('This process is shutting down.')
    try {
      await pingDatabase()
    } catch (err) {
      // Whatever the cause: a balancer asks whether to send calls here, and a 500 would not say so.
      request.log.error({ requestId: request.id, err }, 'database not ready')
      throw notReady()
    }
    return { status: 'ok' as const }
  })
}

function notReady(message?: string): ApiError {
  return new ApiError('UNAVAILABLE', { ...(message && { message }), headers: { 'retry-after': '1' } })
}
