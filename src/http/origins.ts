/** Which browser pages may cause a sign-in mail or an account: ours and the frontend's. */
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/settings.ts'
import { ApiError } from '../errors.ts'

/**
 * Refuses a browser's call from another site: without it any page could make a visitor's browser
 * send sign-in mails or make accounts, spread over its visitors' addresses (no cookie is needed).
 * Programs send neither header and are allowed.
 * @throws {ApiError} `ORIGIN_NOT_ALLOWED`
 */
export function refuseCrossSite(config: Config, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isAllowed =
    origin === undefined
      ? site === undefined || site === 'same-origin' || site === 'none'
      : origin === config.publicUrl || origin === config.appUrl.origin
  if (!isAllowed) throw new ApiError('ORIGIN_NOT_ALLOWED')
}
