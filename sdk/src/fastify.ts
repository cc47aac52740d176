/** Plugin for Fastify: only authenticated callers reach the routes of its scope and of nested scopes. */
import type { FastifyPluginAsync } from 'fastify'
import { createCheck } from './check.ts'
import type { Caller, CheckOptions } from './check.ts'

export type { Caller, CheckOptions } from './check.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set in scopes that register `paylinkAuth`, and in nested ones. */
    auth: Caller
  }
}

const plugin: FastifyPluginAsync<CheckOptions> = async (app, options) => {
  const logged = (error: Error): void =>
    app.log.error({ err: error }, 'cannot check callers with paylink-auth; they get 503')
  const check = createCheck({ onUnavailable: logged, ...options })
  // Fastify wants the property declared before it is set. A nested scope has it already.
  if (!app.hasRequestDecorator('auth')) app.decorateRequest('auth', null as unknown as Caller)
  // Before the body is read: a refused caller uploads nothing.
  app.addHook('onRequest', async (request, reply) => {
    const { authorization, 'x-currency': currency, 'x-request-id': requestId } = request.headers
    const { caller, refusal } = await check({
      authorization,
      currency: currency?.toString(),
      requestId: requestId?.toString(),
      // It honours the application's `trustProxy`.
      address: request.ip,
    })
    if (caller === undefined) return reply.code(refusal.status).headers(refusal.headers).send(refusal.body)
    request.auth = caller
    return undefined
  })
}

/**
 * Sets `request.auth`, or answers itself: the service's 401, 403 or 400 unchanged, 403 with `requireClaimed`, or 503 with
 * `Retry-After` if the check failed. It applies to the scope that registers it, like a plugin made with fastify-plugin,
 * and to nested scopes. It does not guard the server's `upgrade` event.
 */
export const paylinkAuth: FastifyPluginAsync<CheckOptions> = Object.assign(plugin, {
  [Symbol.for('skip-override')]: true,
})
