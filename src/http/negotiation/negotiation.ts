import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import type { FastifyRequest } from 'fastify'

/** Browsers send less. Parsing a longer one would cost processor time. */
const MAX_FIELD_LENGTH = 1000

/** Reads the `Accept…` fields of a request. An overlong one counts as absent. */
export function negotiatorOf({ headers }: Readonly<{ headers: IncomingHttpHeaders }>): Negotiator {
  const fields = ['accept', 'accept-language', 'accept-encoding'] as const
  const parsed = fields.filter((name) => (headers[name]?.length ?? 0) <= MAX_FIELD_LENGTH)
  return new Negotiator({ headers: Object.fromEntries(parsed.map((name) => [name, headers[name]])) })
}

export type Encoding = 'br' | 'gzip' | 'identity'

/** The smallest encoding that the request accepts. Responses that depend on it have `Vary: Accept-Encoding`. */
export function encodingOf(request: FastifyRequest): Encoding {
  const accepted = negotiatorOf(request).encodings(['br', 'gzip'])
  return (['br', 'gzip'] as const).find((one) => accepted.includes(one)) ?? 'identity'
}

/**
 * Whether a GET prefers a page to JSON, by the quality of its `Accept` (RFC 9110, section 12.5.1). Wildcards alone are a
 * program.
 */
export function isNavigation(request: FastifyRequest): boolean {
  const preferred = negotiatorOf(request).mediaType(['application/json', 'text/html'])
  return (preferred === 'text/html' && namesHtml(request)) || isBrowserLoad(request)
}

/** The same for a link in a mail, which no scanner may consume: any acceptable `text/html` counts, of any quality. */
export function mayShowPage(request: FastifyRequest): boolean {
  return namesHtml(request) || isBrowserLoad(request)
}

function namesHtml(request: FastifyRequest): boolean {
  return negotiatorOf(request)
    .mediaTypes()
    .some((type) => type.toLowerCase() === 'text/html')
}

// Subresource loads (images, frames) and prefetches too: they must never consume a link or a code.
function isBrowserLoad(request: FastifyRequest): boolean {
  const { 'sec-fetch-dest': destination, 'sec-purpose': secPurpose, purpose } = request.headers
  return (
    (destination !== undefined && destination !== 'empty') ||
    `${String(secPurpose)} ${String(purpose)}`.includes('prefetch')
  )
}
