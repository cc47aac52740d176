/** Header fields that lead a service behind a gateway to another path or method than the gateway saw. */

/** What some frameworks believe more than the request line, and more than the address that calls. */
export const MISLEADING = [
  'X-Forwarded-Method',
  'X-Forwarded-Path',
  'X-Forwarded-Prefix',
  'X-Forwarded-Uri',
  'X-HTTP-Method',
  'X-HTTP-Method-Override',
  'X-Method-Override',
  'X-Original-Method',
  'X-Original-URI',
  'X-Original-URL',
  'X-Rewrite-URL',
]
