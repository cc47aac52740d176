/** Middleware for Hono: only authenticated callers pass. */
import type { Context, MiddlewareHandler } from 'hono'
import { createCheck } from './check.ts'
import type { Caller, CheckOptions } from './check.ts'

export type { Caller, CheckOptions } from './check.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** Set by `paylinkAuth`. */
    auth: Caller
  }
}

export type HonoCheckOptions = CheckOptions &
  Readonly<{
    /**
     * Returns the client's IP address, for example `getConnInfo(c).remote.address` with the runtime's `getConnInfo`.
     * Without it, API keys that are restricted to networks are refused, unless this server is in one of them.
     */
    clientAddress?: (c: Context) => string | undefined
  }>

/**
 * Sets `c.var.auth`, or answers itself: the service's 401, 403 or 400 unchanged, 403 with `requireClaimed`, or 503 with
 * `Retry-After` if the check failed. It does not guard the server's `upgrade` event.
 * @throws {TypeError} if `baseUrl` is not valid
 */
export function paylinkAuth({ clientAddress, ...options }: HonoCheckOptions): MiddlewareHandler {
  const check = createCheck(options)
  return async (c, next) => {
    const { caller, refusal } = await check({
      authorization: c.req.header('authorization'),
      currency: c.req.header('x-currency'),
      requestId: c.req.header('x-request-id'),
      address: clientAddress?.(c),
    })
    if (caller === undefined) return new Response(refusal.body, { status: refusal.status, headers: refusal.headers })
    c.set('auth', caller)
    return next()
  }
}
