/** Plugin for Fastify: only callers that the service vouches for reach the routes beside it and below. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { createCheck } from './check.ts'
import type { Caller, CheckOptions } from './check.ts'

export type { Caller, CheckOptions } from './check.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls. It throws on a route that `paylinkAuth` does not stand before. */
    readonly auth: Caller
  }
}

const callers = new WeakMap<FastifyRequest, Caller>()

const plugin: FastifyPluginAsync<CheckOptions> = async (app, options) => {
  const { onUnavailable } = options
  if (!app.hasRequestDecorator('auth')) {
    app.decorateRequest('auth', {
      getter() {
        const caller = callers.get(this)
        if (caller === undefined) throw new Error('This route is not behind paylinkAuth: it has no caller')
        return caller
      },
    })
  }
  const check = createCheck({
    ...options,
    onUnavailable: onUnavailable ?? ((error) => app.log.error({ err: error }, 'callers cannot be checked')),
  })
  // Before the body is read: whoever may not call sends nothing in.
  app.addHook('onRequest', async (request, reply) => {
    const { authorization, 'x-currency': currency } = request.headers
    const { caller, refusal } = await check(authorization, currency === undefined ? undefined : String(currency))
    if (caller === undefined) return reply.code(refusal.status).headers(refusal.headers).send(refusal.body)
    callers.set(request, caller)
  })
}

/**
 * The plugin. It sets `request.auth`, or answers itself: the service's 401 or 400 as it came, 503 with
 * `Retry-After` when the service cannot be asked. It applies to the scope that it is registered in.
 */
// As fastify-plugin does it: the hook is that of the scope, not of a scope of the plugin's own.
export const paylinkAuth: FastifyPluginAsync<CheckOptions> = Object.assign(plugin, { [Symbol.for('skip-override')]: true })
