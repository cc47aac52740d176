/** Networks in CIDR notation (RFC 4632, RFC 4291). */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { plainAddress } from './network.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
/** Addresses as numbers: those of IPv4 follow those of IPv6. */
type Range = Readonly<{ text: string; first: bigint; last: bigint }>

const FIRST_IPV4 = 1n << 128n

// The library reads this deprecated form (RFC 4291, section 2.5.5.1) as an IPv4-mapped address.
const IPV4_COMPATIBLE = /^::\d+\./

/** The length of the prefix of IPv4-mapped addresses, `::ffff:0:0/96` (RFC 4291, section 2.5.5.2). */
const MAPPED_LENGTH = 96

// The networks of keys are compared with every caller, and with those of the keys above.
const known = new LRUCache<string, Range>({ max: 5000 })

function parseRange(text: string): Range | undefined {
  const parsed = known.get(text) ?? toRange(parseNetwork(text))
  if (parsed !== undefined) known.set(text, parsed)
  return parsed
}

function toRange(network: readonly [Address, number] | undefined): Range | undefined {
  if (network === undefined) return undefined
  const [address, prefix] = network
  const first = numberOf(address)
  const hostBits = BigInt(address.toByteArray().length * 8 - prefix)
  return { text: `${address.toString()}/${prefix}`, first, last: first + (1n << hostBits) - 1n }
}

const numberOf = (address: Address): bigint =>
  address.toByteArray().reduce((number, byte) => (number << 8n) | BigInt(byte), 0n) +
  (address.kind() === 'ipv4' ? FIRST_IPV4 : 0n)

/**
 * @returns `undefined` unless the text is `address/length`, with an IPv4 or IPv6 address. A network of IPv4-mapped
 * addresses is the IPv4 network, as callers with such an address are in it; a wider one around a mapped address would
 * contain no caller, so it is not a network
 */
function parseNetwork(text: string): readonly [Address, number] | undefined {
  // The library also accepts octal, short and zoned forms.
  if (IPV4_COMPATIBLE.test(text)) return undefined
  if (!/^[\d.]+\/\d{1,2}$/.test(text) && !/^[\da-f:.]+\/\d{1,3}$/i.test(text)) return undefined
  if (!ipaddr.IPv6.isValidCIDR(text) && !ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) return undefined
  const [address, prefix] = ipaddr.parseCIDR(text)
  const network =
    address.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(text) : ipaddr.IPv6.networkAddressFromCIDR(text)
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
    if (prefix < MAPPED_LENGTH) return undefined
    return [(network as ipaddr.IPv6).toIPv4Address(), prefix - MAPPED_LENGTH]
  }
  return [network, prefix]
}

/** The one spelling of a network, without host bits; `undefined` if the text is not one. */
export function canonicalNetwork(text: string): string | undefined {
  return parseRange(text)?.text
}

/** The networks that both lists contain, in one order. An absent list contains every address. */
export function commonNetworks(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): string[] | undefined {
  if (one === undefined && other === undefined) return undefined
  const [first, second] = [one ?? other ?? [], other ?? one ?? []].map((list) =>
    list.flatMap((text) => parseRange(text) ?? []),
  )
  // Two networks are disjoint, or one contains the other.
  const shared = (first ?? []).flatMap((a) =>
    (second ?? []).flatMap((b) => (contains(a, b) ? [b] : contains(b, a) ? [a] : [])),
  )
  const all = [...new Map(shared.map((range) => [range.text, range])).values()]
  return all
    .filter((range) => !all.some((wider) => wider !== range && contains(wider, range)))
    .map(({ text }) => text)
    .toSorted()
}

const contains = (wider: Range, range: Range): boolean => wider.first <= range.first && range.last <= wider.last

/** @param ip an IPv4-mapped address counts as IPv4; anything that is not an address is in no network */
export function isInNetworks(ip: string, networks: readonly string[]): boolean {
  const plain = plainAddress(ip)
  // The library also accepts short forms.
  if (isIP(plain) === 0 || IPV4_COMPATIBLE.test(plain)) return false
  const address = numberOf(ipaddr.process(plain))
  return networks.some((text) => {
    const range = parseRange(text)
    return range !== undefined && range.first <= address && address <= range.last
  })
}
