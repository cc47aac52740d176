import { isIP, isIPv4 } from 'node:net'

/** Whether a host name or address always means this machine. IPv6 with or without brackets. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (name === 'localhost' || name === '::1') return true
  return isIPv4(name) && name.startsWith('127.')
}

/**
 * The network that rate limits count as one client: an IPv4 address, or an IPv6 /64, because one subscriber controls at
 * least a /64. All spellings of an address give the same text; an IPv4-mapped address counts as IPv4. Everything that
 * is not an address counts as one client.
 */
export function clientNetwork(ip: string): string {
  if (isIPv4(ip)) return ip
  const parsed = parseAddress(ip)
  if (parsed === undefined) return 'unknown'
  return 'ipv4' in parsed ? parsed.ipv4.join('.') : `${parsed.ipv6.slice(0, 4).join(':')}::/64`
}

/** The networks that contain a client, from its own to the widest. */
export type ClientNetworks = Readonly<{
  /** See `clientNetwork`. */
  client: string
  /** IPv6 /56, typical for a home; IPv4 /24. */
  site: string
  /** IPv6 /48, typical for a company or a rented server; IPv4: the /24 again. */
  wide: string
  /** IPv6 /32, an internet provider's allocation; IPv4 /16. An attacker can hardly have many of these. */
  provider: string
}>

export function clientNetworks(ip: string): ClientNetworks {
  const client = clientNetwork(ip)
  const parsed = parseAddress(ip)
  if (parsed === undefined) return { client, site: client, wide: client, provider: client }
  if ('ipv4' in parsed) {
    const [a, b, c] = parsed.ipv4
    const site = `${a}.${b}.${c}.0/24`
    return { client, site, wide: site, provider: `${a}.${b}.0.0/16` }
  }
  const [a = '0', b = '0', c = '0', d = '0'] = parsed.ipv6
  const upperHalf = (Number.parseInt(d, 16) & 0xff00).toString(16)
  return {
    client,
    site: `${a}:${b}:${c}:${upperHalf}::/56`,
    wide: `${a}:${b}:${c}::/48`,
    provider: `${a}:${b}::/32`,
  }
}

/**
 * The /24 or /48 of a client as people are shown it: enough to recognise one's own, and screens and mailboxes are seen
 * by others.
 * @param client of `clientNetwork`, or null
 * @returns null if it is unknown
 */
export function networkOf(client: string | null): string | null {
  const { wide } = clientNetworks(client?.replace(/\/64$/, '') ?? '')
  return wide === 'unknown' ? null : wide
}

function parseAddress(ip: string): { ipv4: number[] } | { ipv6: string[] } | undefined {
  const address = plainAddress(ip)
  if (isIP(address) === 0) return undefined
  if (isIPv4(address)) return { ipv4: address.split('.').map(Number) }
  const groups = expandIPv6(address)
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return { ipv6: groups }
  return {
    ipv4: groups.slice(6).flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
  }
}

/**
 * Without port and zone. Some proxies write `address:port` into X-Forwarded-For, and a new port must not be a new
 * client; the zone is the interface of a link-local address (RFC 4007).
 */
export function plainAddress(ip: string): string {
  return ip
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '')
}

// The URL parser normalises every spelling, except for expanding `::`.
function expandIPv6(address: string): string[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const start = head === '' ? [] : head.split(':')
  if (tail === undefined) return start
  const end = tail === '' ? [] : tail.split(':')
  return [...start, ...Array<string>(8 - start.length - end.length).fill('0'), ...end]
}
