/** Client ids that are the URL of a metadata document (draft-ietf-oauth-client-id-metadata-document, section 3). */
import { isIP } from 'node:net'
import { isLoopback } from '../../lib/network.ts'

const MAX_LENGTH = 512

/**
 * @param allowsLoopback in development, a client may be a program on this machine, also without TLS
 * @returns the URL, or what is wrong with it
 */
export function parseClientIdUrl(text: string, allowsLoopback: boolean): URL | string {
  const url = URL.parse(text)
  if (url === null || text.length > MAX_LENGTH) return '`client_id` must be the URL of a client metadata document.'
  // Also refuses dot segments, a default port, and every other second spelling of a URL.
  if (url.href !== text) return '`client_id` must be a URL in its canonical form.'
  if (url.username !== '' || url.password !== '' || text.includes('#')) {
    return '`client_id` must have neither a user name nor a fragment.'
  }
  if (url.pathname === '/') return '`client_id` must have a path.'
  if (allowsLoopback && isLoopback(url.hostname) && /^https?:$/.test(url.protocol)) return url
  if (url.protocol !== 'https:') return '`client_id` must be an https URL.'
  // Other ports would let a client probe any server on the internet from here.
  if (url.port !== '') return '`client_id` must not have a port.'
  const isName = url.hostname.includes('.') && isIP(url.hostname) === 0 && !url.hostname.endsWith('.')
  return isName ? url : '`client_id` must have a public domain name.'
}

/** Names a client to people: the only part of it that it cannot choose freely. */
export const domainOf = (clientId: string): string => new URL(clientId).host
