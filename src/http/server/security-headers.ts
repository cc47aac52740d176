/** The header fields of every answer that protect it, whoever gives it: made once, since nothing in them depends on the request. */
import type { FastifyReply } from 'fastify'
// @ts-expect-error It has no types: these are names that the framework uses within itself.
import symbols from 'fastify/lib/symbols.js'

const { kReplyHeaders } = symbols as Readonly<{ kReplyHeaders: symbol }>

/**
 * What browsers, caches and search engines are told (OWASP, REST Security and HTTP Headers cheat sheets).
 * A page that loads something replaces the first.
 */
export const securityHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  // Tokens, secrets and states of accounts: nothing of the API is for a cache, or for a search engine.
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
} as const

/**
 * Gives an answer, of which nothing has been said yet, the header fields that all have.
 * @param requestId says which request it is the answer to
 */
export function startHeader(reply: FastifyReply, requestId: string): void {
  // In the framework's own place for them, all at once: one by one it would put each name in lower case, look for it
  // and add it, a twentieth of a protected call.
  const answer = reply as unknown as Record<symbol, Record<string, string>>
  answer[kReplyHeaders] = { ...securityHeaders, 'x-request-id': requestId }
}
