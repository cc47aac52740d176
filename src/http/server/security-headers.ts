/** The header fields of every answer that protect it, whoever gives it: one table, since nothing in them depends on the request. */

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
