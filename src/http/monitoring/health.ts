/** `/healthz`: the process runs. `/readyz`: it can serve, so the database answers and shutdown has not begun. */
import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import type { App } from '../endpoint.ts'

/** `degraded`: tokens are checked, but no space is left for writes other than revocations. */
const Answer = Type.Object({
  status: Type.Enum(['ok', 'degraded']),
  reason: Type.Optional(Type.Literal('disk_full')),
})

type Ready = Readonly<{ status: 'ok' }> | Readonly<{ status: 'degraded'; reason: 'disk_full' }>

/** @param database `ping` rejects while it does not answer */
export function addHealth(
  app: App,
  database: Readonly<{
    ping(): Promise<void>
    damage(): unknown
    space(): Promise<{ isFull: boolean } | undefined>
  }>,
): void {
  let hasListened = false
  app.addHook('onListen', async () => {
    hasListened = true
  })
  const options = { config: { access: 'public' }, schema: { hide: true, response: { 200: Answer } } } as const

  app.get('/healthz', options, async () => ({ status: 'ok' as const }))
  app.get('/readyz', options, async (request): Promise<Ready> => {
    // Shutdown begins by closing the port (http/server/drain.ts).
    if (hasListened && !app.server.listening) throw notReady('This process is shutting down.')
    const damage = database.damage()
    if (damage !== undefined) {
      request.log.error({ err: damage }, 'not ready: the database is damaged')
      throw notReady('The database is damaged.')
    }
    try {
      await database.ping()
      // Ready all the same: without this process, gateways would refuse every call, and nobody could revoke anything.
      if ((await database.space())?.isFull) return { status: 'degraded', reason: 'disk_full' }
    } catch (err) {
      // 503 for any cause: load balancers stop sending calls on a 503, but may not on a 500.
      request.log.error({ err }, 'not ready: the database does not answer')
      throw notReady()
    }
    return { status: 'ok' }
  })
}

function notReady(message?: string): ApiError {
  return new ApiError('UNAVAILABLE', { ...(message && { message }), headers: { 'retry-after': '1' } })
}
