import type { Deps } from '../../http/deps.ts'
import { ApiError } from '../../errors.ts'
import type { GoogleClient } from '../../domain/google/google-client.ts'

/** Long, because only the operator can configure it. */
const RETRY_AFTER_SECONDS = 3600

/** @throws {ApiError} `GOOGLE_NOT_CONFIGURED` */
export function requireGoogle({ google }: Pick<Deps, 'google'>): GoogleClient {
  if (google === null)
    throw new ApiError('GOOGLE_NOT_CONFIGURED', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } })
  return google
}
