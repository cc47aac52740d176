const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Returns the base URL without a trailing slash. Credentials are sent over TLS, or to loopback.
 * @throws {TypeError} if it is not an absolute URL, has a user, query or fragment, or is `http:` to another host
 */
export function checkedBaseUrl(baseUrl: string): string {
  // Messages leave the value out: it may contain a password.
  if (!URL.canParse(baseUrl))
    throw new TypeError('baseUrl must be an absolute URL, for example https://auth.example.com/api/v1')
  const { protocol, hostname, username, password, search, hash, href } = new URL(baseUrl)
  if (username + password + search + hash !== '') throw new TypeError('baseUrl must have no user, query or fragment')
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname))) {
    throw new TypeError('baseUrl must begin with https://; http:// is for loopback only (localhost, 127.0.0.1, [::1])')
  }
  return href.replace(/\/+$/, '')
}
