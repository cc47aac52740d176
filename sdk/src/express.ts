/** Middleware for Express and every framework with `(request, response, next)`: only authenticated callers pass. */
import { createCheck } from './check.ts'
import type { Caller, CheckOptions } from './check.ts'

export type { Caller, CheckOptions } from './check.ts'

declare global {
  namespace Express {
    interface Request {
      /** Set by `paylinkAuth`. */
      auth?: Caller
    }
  }
}

type Incoming = {
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Express's; it honours the application's `trust proxy`. */
  ip?: string | undefined
  socket?: { remoteAddress?: string | undefined }
  auth?: Caller
}
type Outgoing = { writeHead(status: number, headers: Record<string, string>): { end(body: string): unknown } }

/**
 * Sets `request.auth`, or answers itself: the service's 401, 403 or 400 unchanged, 403 with `requireClaimed`, or 503 with
 * `Retry-After` if the check failed. It does not guard the server's `upgrade` event.
 * @throws {TypeError} if `baseUrl` is not valid
 */
export function paylinkAuth(
  options: CheckOptions,
): (request: Incoming, response: Outgoing, next: () => void) => Promise<void> {
  const check = createCheck(options)
  return async (request, response, next) => {
    const { caller, refusal } = await check({
      authorization: joined(request.headers['authorization']),
      currency: joined(request.headers['x-currency']),
      requestId: joined(request.headers['x-request-id']),
      address: request.ip ?? request.socket?.remoteAddress,
    })
    if (caller === undefined) {
      response.writeHead(refusal.status, refusal.headers).end(refusal.body)
      return
    }
    request.auth = caller
    next()
  }
}

// Node gives one string for these fields. A list is joined, and the service refuses it.
function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}
