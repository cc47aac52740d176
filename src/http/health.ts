/** `/healthz` (the process runs) and `/readyz` (it can serve: the database answers and it is not closing). */
import { Type } from 'typebox'
import { ApiError } from '../errors.ts'
import type { App } from './endpoint.ts'

const Answer = Type.Object({ status: Type.Literal('ok') })

/**
 * Adds both.
 * @param pingDatabase rejects while the database does not answer
 */
export function addHealth(app: App, pingDatabase: () => Promise<unknown>): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  const options = { config: { access: 'public' }, schema: { hide: true, response: { 200: Answer } } } as const

  app.get('/healthz', options, async () => ({ status: 'ok' as const }))
  app.get('/readyz', options, async () => {
    if (isClosing) {
      throw new ApiError('UNAVAILABLE', {
        message: 'This process is shutting down.',
        headers: { 'retry-after': '1' },
      })
    }
    await pingDatabase()
    return { status: 'ok' as const }
  })
}
