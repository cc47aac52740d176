/** `/healthz`: the process runs. `/readyz`: it can serve, so the database answers and shutdown has not begun. */
import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import type { App } from '../endpoint.ts'

const Answer = Type.Object({ status: Type.Literal('ok') })

/** @param pingDatabase rejects while the database does not answer */
export function addHealth(app: App, pingDatabase: () => Promise<unknown>): void {
  let hasListened = false
  app.addHook('onListen', async () => {
    hasListened = true
  })
  const options = { config: { access: 'public' }, schema: { hide: true, response: { 200: Answer } } } as const

  app.get('/healthz', options, async () => ({ status: 'ok' as const }))
  app.get('/readyz', options, async (request) => {
    // Shutdown begins by closing the port (http/server/drain.ts).
    if (hasListened && !app.server.listening) throw notReady('This process is shutting down.')
    try {
      await pingDatabase()
    } catch (err) {
      // 503 for any cause: load balancers stop sending calls on a 503, but may not on a 500.
      request.log.error({ err }, 'not ready: the database does not answer')
      throw notReady()
    }
    return { status: 'ok' as const }
  })
}

function notReady(message?: string): ApiError {
  return new ApiError('UNAVAILABLE', { ...(message && { message }), headers: { 'retry-after': '1' } })
}
