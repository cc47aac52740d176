/** Header fields that make a service behind a gateway see another path or method than the gateway saw. */

/** Some frameworks trust these more than the request line, and more than the peer's address. */
export const MISLEADING_FIELDS = [
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
