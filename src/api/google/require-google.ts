import type { Deps } from '../../http/deps.ts'
import { ApiError } from '../../errors.ts'
import type { GoogleClient } from '../../domain/google/google-client.ts'

/** @throws {ApiError} `GOOGLE_NOT_CONFIGURED`; without `Retry-After`, because only the operator can change it */
export function requireGoogle({ google }: Pick<Deps, 'google'>): GoogleClient {
  if (google === null) throw new ApiError('GOOGLE_NOT_CONFIGURED')
  return google
}
