import Negotiator from 'negotiator'
import type { FastifyRequest } from 'fastify'

/**
 * Whether a GET comes from a browser rather than a program. An `Accept` of wildcards alone is a program. Subresource
 * loads (images, frames) and prefetches count as a browser, because they must never consume a link or a code.
 */
export function isNavigation(request: FastifyRequest): boolean {
  const { 'sec-fetch-dest': destination, 'sec-purpose': secPurpose, purpose } = request.headers
  return (
    new Negotiator(request.raw).mediaTypes().some((type) => type.toLowerCase() === 'text/html') ||
    (destination !== undefined && destination !== 'empty') ||
    `${String(secPurpose)} ${String(purpose)}`.includes('prefetch')
  )
}
