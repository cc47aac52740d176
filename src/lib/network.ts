/** IP addresses: which ones are this machine, and which ones count as one client. */
import { isIP, isIPv4 } from 'node:net'

/** Whether a host name or address (IPv6 with or without brackets) can only be this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (name === 'localhost' || name === '::1') return true
  return isIPv4(name) && name.startsWith('127.')
}

/**
 * The network that rate limits count as one client: an IPv4 address, or an IPv6 /64, because one
 * subscriber has at least a whole /64 to choose addresses from. Every spelling of an address gives
 * the same text, an IPv4-mapped address counts as the IPv4 address it is, and whatever a proxy wrote
 * that is no address counts as one client.
 */
export function clientNetwork(ip: string): string {
  const address = withoutPort(ip).replace(/%.*$/, '')
  if (isIP(address) === 0) return 'unknown'
  if (isIPv4(address)) return address
  const groups = expandIPv6(address)
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') {
    return groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join('.')
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

// Some proxies write `address:port` into X-Forwarded-For: a new port must not be a new client.
function withoutPort(ip: string): string {
  return ip.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
}

// The URL parser writes every spelling in one way; only its `::` is left to fill in.
function expandIPv6(address: string): string[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const start = head === '' ? [] : head.split(':')
  if (tail === undefined) return start
  const end = tail === '' ? [] : tail.split(':')
  return [...start, ...Array<string>(8 - start.length - end.length).fill('0'), ...end]
}
