/**
 * The Content-Security-Policy of a page (CSP 3, Trusted Types).
 * @param googleIssuer set for pages with Google's button; adds the sources that Google requires
 *   (developers.google.com/identity/gsi/web/guides/get-google-api-clientid, "Content Security Policy")
 */
export function contentSecurityPolicy(googleIssuer?: string): string {
  const from = (path: string): string => (googleIssuer === undefined ? '' : ` ${googleIssuer}/gsi/${path}`)
  return [
    "default-src 'none'",
    `script-src 'self'${from('client')}`,
    `style-src 'self'${from('style')}`,
    "img-src 'self'",
    `connect-src 'self'${from('')}`,
    ...(googleIssuer === undefined ? [] : [`frame-src${from('')}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // Google's script creates Trusted Types policies with undocumented names.
    ...(googleIssuer === undefined ? ["trusted-types 'none'"] : []),
  ].join('; ')
}
