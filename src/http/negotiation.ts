/** Whether a request comes from a person's browser that shows a page, or from a program. */
import Negotiator from 'negotiator'
import type { FastifyRequest } from 'fastify'

/**
 * Whether a GET comes from a person's browser that shows what it gets, or from a program.
 * An `Accept` of only wildcards is a program. What a browser loads for a page (an image, a frame) or
 * ahead of time is no program either: such a request must never use anything up.
 */
export function isNavigation(request: FastifyRequest): boolean {
  const { 'sec-fetch-dest': destination, 'sec-purpose': secPurpose, purpose } = request.headers
  return (
    new Negotiator(request.raw).mediaTypes().some((type) => type.toLowerCase() === 'text/html') ||
    (destination !== undefined && destination !== 'empty') ||
    `${String(secPurpose)} ${String(purpose)}`.includes('prefetch')
  )
}
