/** What a page of the web app may load: its own script and style, and where Google's button is, Google's. */

/**
 * The Content-Security-Policy of a page (CSP 3, Trusted Types).
 * @param googleIssuer present where Google's script runs: it gets the addresses that Google asks for
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
    // Google's script makes policies of its own, and does not document their names.
    ...(googleIssuer === undefined ? ["trusted-types 'none'"] : []),
  ].join('; ')
}
