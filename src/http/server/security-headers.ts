/**
 * Sent with every response (OWASP, REST Security and HTTP Headers cheat sheets). Pages that load resources replace the
 * Content-Security-Policy.
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
  // Responses carry tokens, secrets and account state: never for a cache or a search engine.
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
} as const
