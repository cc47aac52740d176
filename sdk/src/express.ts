/** Middleware for Express, and whatever else takes `(request, response, next)`: only callers that the service vouches for pass. */
import { createCheck } from './check.ts'
import type { Caller, CheckOptions } from './check.ts'

export type { Caller, CheckOptions } from './check.ts'

declare global {
  namespace Express {
    interface Request {
      /** Who calls; there behind `paylinkAuth`. */
      auth?: Caller
    }
  }
}

type Incoming = { headers: Readonly<Record<string, string | string[] | undefined>>; auth?: Caller }
type Outgoing = { writeHead(status: number, headers: Record<string, string>): { end(body: string): unknown } }

/**
 * Makes the middleware. It sets `request.auth`, or answers itself: the service's 401 or 400 as it came, 503 with
 * `Retry-After` when the service cannot be asked. Listeners to the server's `upgrade` event are not behind it.
 * @throws {TypeError} when `baseUrl` is not what it must be
 */
export function paylinkAuth(
  options: CheckOptions,
): (request: Incoming, response: Outgoing, next: () => void) => Promise<void> {
  const check = createCheck(options)
  return async (request, response, next) => {
    const { caller, refusal } = await check(only(request.headers['authorization']), only(request.headers['x-currency']))
    if (caller === undefined) {
      response.writeHead(refusal.status, refusal.headers).end(refusal.body)
      return
    }
    request.auth = caller
    next()
  }
}

// Node joins these header fields or keeps the first; a list of several is none that the service would know.
function only(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}
