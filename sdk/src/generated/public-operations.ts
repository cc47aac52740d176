/** The operations that take no access token. Made by `npm run generate` from openapi.json (ab430e1c1c563d47). */

/** `METHOD /path` of each, the path as in openapi.json. */
export const publicOperations: ReadonlySet<string> = new Set([
  'POST /auth/request',
  'GET /auth/verify',
  'POST /auth/links/inspect',
  'POST /auth/links/not-me/inspect',
  'POST /auth/links/not-me',
  'POST /auth/mail/resume',
  'POST /auth/email/undo',
  'GET /auth/google/start',
  'GET /auth/google/callback',
  'POST /auth/google/onetap',
  'POST /auth/api/signup',
  'POST /auth/api/token',
  'POST /auth/api-keys/leaked',
  'GET /oauth/authorize',
  'GET /payment-links/{id}/public',
  'GET /auth/config',
  'GET /',
  'POST /oauth/token',
  'POST /oauth/introspect',
  'POST /oauth/revoke',
])
