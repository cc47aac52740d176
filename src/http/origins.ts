import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/settings.ts'
import { ApiError } from '../errors.ts'

/**
 * Refuses a browser's call from a page that is neither this service's nor the frontend's. Otherwise any page could make
 * its visitors' browsers request sign-in mails or create accounts, each from another client address; no cookie is
 * needed for that. Programs send neither header and are allowed.
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
