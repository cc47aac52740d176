/** Keeps development pages to who is on this machine. */
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../errors.ts'
import { isLoopback } from '../lib/network.ts'

/**
 * Refuses a page elsewhere that makes its own host name resolve to loopback and reads what is here (DNS
 * rebinding), and whatever a proxy passes on: behind one, everybody comes from loopback.
 * @throws {ApiError} `NOT_FOUND`
 */
export function refuseOthers({ host = '', ...headers }: IncomingHttpHeaders): void {
  const isPassedOn = Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'))
  if (isPassedOn || !isLoopback(host.replace(/:\d+$/, ''))) throw new ApiError('NOT_FOUND')
}
