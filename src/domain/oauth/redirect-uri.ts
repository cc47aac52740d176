import { isLoopback } from '../../lib/network.ts'

/**
 * An absolute URI (RFC 3986) without a fragment. Others, such as `https:host`, can be resolved against the page that
 * redirects, which leads elsewhere than the consent page says.
 */
const ABSOLUTE_URI = /^https?:\/\/[\x21\x24-\x2e\x30-\x5b\x5d-\x7e][\x21\x24-\x5b\x5d-\x7e]*$/i

/**
 * Whether a client may be answered at a redirect URI: exactly one of its document, but a program on the person's machine
 * listens on a free port (RFC 8252, section 7.3). Schemes other than https are for loopback only: any program can claim
 * a scheme of its own.
 */
export function isRedirectAllowed(redirectUri: string, registered: readonly string[]): boolean {
  const url = URL.parse(redirectUri)
  if (url === null || url.username !== '' || url.password !== '' || !ABSOLUTE_URI.test(redirectUri)) return false
  if (registered.includes(redirectUri)) return url.protocol === 'https:' || isLoopbackRedirect(redirectUri)
  return (
    isLoopbackRedirect(redirectUri) &&
    url.href === redirectUri &&
    registered.some((one) => isLoopbackRedirect(one) && withoutPort(one) === withoutPort(redirectUri))
  )
}

/** Any program on the person's machine could be behind it. */
export function isLoopbackRedirect(redirectUri: string): boolean {
  const url = URL.parse(redirectUri)
  return url?.protocol === 'http:' && isLoopback(url.hostname)
}

function withoutPort(redirectUri: string): string {
  const url = new URL(redirectUri)
  url.port = ''
  return url.href
}

/** An authorization response (RFC 6749, section 4.1.2); a query that the redirect URI has is kept. */
export function responseUrl(redirectUri: string, fields: Readonly<Record<string, string | null>>): string {
  const sent = Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(sent).toString()}`
}
