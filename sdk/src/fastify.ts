/** Plugin for Fastify: only callers that the service vouches for reach the routes beside it and below. */
import type { FastifyPluginAsync } from 'fastify'
import { createCheck } from './check.ts'
import type { Caller, CheckOptions } from './check.ts'

export type { Caller, CheckOptions } from './check.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; there where `paylinkAuth` is registered, and below. */
    auth: Caller
  }
}

const plugin: FastifyPluginAsync<CheckOptions> = async (app, options) => {
  const logged = (error: Error): void => app.log.error({ err: error }, 'callers cannot be checked')
  const check = createCheck({ onUnavailable: logged, ...options })
  // Of one shape before it is known; nothing reads it earlier. A scope within another has it already.
  if (!app.hasRequestDecorator('auth')) app.decorateRequest('auth', null as unknown as Caller)
  // Before the body is read: whoever may not call sends nothing in.
  app.addHook('onRequest', async (request, reply) => {
    const { authorization, 'x-currency': currency } = request.headers
    const { caller, refusal } = await check(authorization, currency?.toString())
    if (caller === undefined) return reply.code(refusal.status).headers(refusal.headers).send(refusal.body)
    request.auth = caller
    return undefined
  })
}

/**
 * The plugin. It sets `request.auth`, or answers itself: the service's 401 or 400 as it came, 503 with
 * `Retry-After` when the service cannot be asked. It applies to the scope that it is registered in, as
 * plugins made with fastify-plugin do, and to those below. Listeners to the server's `upgrade` event are not behind it.
 */
export const paylinkAuth: FastifyPluginAsync<CheckOptions> = Object.assign(plugin, {
  [Symbol.for('skip-override')]: true,
})
