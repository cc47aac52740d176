/** Middleware for Hono: only authenticated callers pass. */
import type { MiddlewareHandler } from 'hono'
import { createCheck } from './check.ts'
import type { Caller, CheckOptions } from './check.ts'

export type { Caller, CheckOptions } from './check.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** Set by `paylinkAuth`. */
    auth: Caller
  }
}

/**
 * Sets `c.var.auth`, or answers itself: the service's 401 or 400 unchanged, 403 with `requireClaimed`, or 503 with
 * `Retry-After` if the check failed. It does not guard the server's `upgrade` event.
 * @throws {TypeError} if `baseUrl` is not valid
 */
export function paylinkAuth(options: CheckOptions): MiddlewareHandler {
  const check = createCheck(options)
  return async (c, next) => {
    const { caller, refusal } = await check(
      c.req.header('authorization'),
      c.req.header('x-currency'),
      c.req.header('x-request-id'),
    )
    if (caller === undefined) return new Response(refusal.body, { status: refusal.status, headers: refusal.headers })
    c.set('auth', caller)
    return next()
  }
}
