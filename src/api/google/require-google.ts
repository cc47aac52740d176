/** The client of Google, where there is one. */
import type { Deps } from '../../http/deps.ts'
import { ApiError } from '../../errors.ts'
import type { GoogleClient } from '../../domain/google/google-client.ts'

/** When to ask again whether it is configured, in seconds: somebody has to do it. */
const RECONFIGURED_AFTER_SECONDS = 3600

/** @throws {ApiError} `GOOGLE_NOT_CONFIGURED` */
export function requireGoogle({ google }: Pick<Deps, 'google'>): GoogleClient {
  if (google === null)
    throw new ApiError('GOOGLE_NOT_CONFIGURED', { headers: { 'retry-after': String(RECONFIGURED_AFTER_SECONDS) } })
  return google
}
