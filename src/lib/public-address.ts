import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** IANA assigns global addresses from this network only (RFC 4291, section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address is on the public internet: in no range of the special-purpose registries of IANA (RFC 6890), not
 * translated or tunnelled IPv4 either, whose far end may be this network.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 0) return false
  // Not `process`: an IPv4-mapped address in an answer of the DNS is an attempt to pass this check.
  const address = ipaddr.parse(ip)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_IPV6)
}
