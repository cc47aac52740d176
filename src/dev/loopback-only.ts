/** Keeps development pages to who is on this machine. */
import { ApiError } from '../errors.ts'
import { isLoopback } from '../lib/network.ts'

/**
 * Refuses a page elsewhere that makes its own host name resolve to loopback and reads what is here (DNS rebinding).
 * @throws {ApiError} `NOT_FOUND`
 */
export function refuseForeignHost(host: string | undefined): void {
  const name = host === undefined ? '' : host.replace(/:\d+$/, '')
  if (!isLoopback(name)) throw new ApiError('NOT_FOUND')
}
