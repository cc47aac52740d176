/** The address of the service: credentials leave over TLS, or not at all. */

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * The base URL without a slash at its end.
 * @throws {TypeError} when it is no absolute URL, carries a user, a query or a fragment, or is `http:` to anywhere but loopback
 */
export function checkedBaseUrl(baseUrl: string): string {
  // The value is left out of messages: it may hold a password.
  if (!URL.canParse(baseUrl))
    throw new TypeError('baseUrl must be an absolute URL, for example https://auth.example.com/api/v1')
  const { protocol, hostname, username, password, search, hash, href } = new URL(baseUrl)
  if (username + password + search + hash !== '') throw new TypeError('baseUrl must have no user, query or fragment')
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname))) {
    throw new TypeError('baseUrl must begin with https://; http:// is for loopback only (localhost, 127.0.0.1, [::1])')
  }
  return href.replace(/\/+$/, '')
}
