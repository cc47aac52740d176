/** Middleware for Hono: only callers that the service vouches for pass. */
import type { MiddlewareHandler } from 'hono'
import { createCheck } from './check.ts'
import type { Caller, CheckOptions } from './check.ts'

export type { Caller, CheckOptions } from './check.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** Who calls; there behind `paylinkAuth`. */
    auth: Caller
  }
}

/**
 * Makes the middleware. It sets `c.var.auth`, or answers itself: the service's 401 or 400 as it came, 503 with
 * `Retry-After` when the service cannot be asked. Listeners to the server's `upgrade` event are not behind it.
 * @throws {TypeError} when `baseUrl` is not what it must be
 */
export function paylinkAuth(options: CheckOptions): MiddlewareHandler {
  const check = createCheck(options)
  return async (c, next) => {
    const { caller, refusal } = await check(c.req.header('authorization'), c.req.header('x-currency'))
    if (caller === undefined) return new Response(refusal.body, { status: refusal.status, headers: refusal.headers })
    c.set('auth', caller)
    return next()
  }
}
