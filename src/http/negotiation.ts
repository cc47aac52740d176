import Negotiator from 'negotiator'
import type { FastifyRequest } from 'fastify'

/**
 * Whether a GET prefers a page to JSON, by the quality of its `Accept` (RFC 9110, section 12.5.1). Wildcards alone are a
 * program.
 */
export function isNavigation(request: FastifyRequest): boolean {
  const preferred = new Negotiator(request.raw).mediaType(['application/json', 'text/html'])
  return (preferred === 'text/html' && namesHtml(request)) || isBrowserLoad(request)
}

/** The same for a link in a mail, which no scanner may consume: any acceptable `text/html` counts, of any quality. */
export function mayShowPage(request: FastifyRequest): boolean {
  return namesHtml(request) || isBrowserLoad(request)
}

function namesHtml({ raw }: FastifyRequest): boolean {
  return new Negotiator(raw).mediaTypes().some((type) => type.toLowerCase() === 'text/html')
}

// Subresource loads (images, frames) and prefetches too: they must never consume a link or a code.
function isBrowserLoad(request: FastifyRequest): boolean {
  const { 'sec-fetch-dest': destination, 'sec-purpose': secPurpose, purpose } = request.headers
  return (
    (destination !== undefined && destination !== 'empty') ||
    `${String(secPurpose)} ${String(purpose)}`.includes('prefetch')
  )
}
