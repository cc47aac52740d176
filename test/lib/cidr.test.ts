import assert from 'node:assert/strict'
import { BlockList, isIPv4 } from 'node:net'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { canonicalNetwork, commonNetworks, isInNetworks } from '../../src/lib/cidr.ts'

const octet = fc.constantFrom(0, 1, 10, 127, 128, 192, 255)
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'))
const group = fc.constantFrom('0', '1', 'db8', '2001', 'ffff')
const ipv6 = fc
  .tuple(fc.constantFrom('2001', 'fd00', '1'), group, group, group, group, group, group, group)
  .map((groups) => groups.join(':'))
const address = fc.oneof(ipv4, ipv6)
const network = address.chain((ip) => fc.nat(isIPv4(ip) ? 32 : 128).map((prefix) => `${ip}/${prefix}`))
const networks = fc.array(network, { maxLength: 5 })

/** What Node says. */
function isInBlockList(ip: string, all: readonly string[]): boolean {
  const list = new BlockList()
  for (const one of all) {
    const [base = '', prefix] = one.split('/')
    list.addSubnet(base, Number(prefix), isIPv4(base) ? 'ipv4' : 'ipv6')
  }
  return list.check(ip, isIPv4(ip) ? 'ipv4' : 'ipv6')
}

test('only networks in CIDR notation are networks, and each has one spelling, without host bits', () => {
  const spellings = {
    '203.0.113.9/24': '203.0.113.0/24',
    '10.0.0.0/8': '10.0.0.0/8',
    '0.0.0.0/0': '0.0.0.0/0',
    '203.0.113.9/32': '203.0.113.9/32',
    '2001:DB8:0:0::1/32': '2001:db8::/32',
    '::/0': '::/0',
    '::1/128': '::1/128',
    '::ffff:10.1.2.3/104': '10.0.0.0/8',
    '::FFFF:0A01:0203/128': '10.1.2.3/32',
    '::ffff:0:0/96': '0.0.0.0/0',
    // Another prefix, whose addresses are IPv6.
    '::ffff:0:10.0.0.0/104': '::ffff:0:a00:0/104',
  }
  for (const [text, canonical] of Object.entries(spellings)) assert.equal(canonicalNetwork(text), canonical, text)
  const wrong = [
    '',
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8 ',
    '10.0.0/8',
    '010.0.0.0/8',
    '0x0a.0.0.0/8',
    '10/8',
    '2001:db8::/129',
    'fe80::1%eth0/64',
    'example.com/24',
    '10.0.0.0/08x',
    '/8',
    '::ffff:10.0.0.1/a',
    '::10.0.0.0/104',
    // Around mapped addresses: it would contain no caller.
    '::ffff:10.0.0.0/95',
    '::ffff:0:0/0',
  ]
  for (const text of wrong) assert.equal(canonicalNetwork(text), undefined, text)
})

test('an address is in the networks that Node finds it in', () => {
  fc.assert(
    fc.property(address, networks, (ip, all) => {
      // Node takes every IPv4 address for a part of ::/0.
      const ofFamily = all.filter((one) => one.includes(':') === ip.includes(':'))
      assert.equal(isInNetworks(ip, all), isInBlockList(ip, ofFamily))
    }),
  )
})

test('an IPv4-mapped address counts as IPv4, and what is not an address is in no network', () => {
  assert.equal(isInNetworks('::ffff:203.0.113.9', ['203.0.113.0/24']), true)
  assert.equal(isInNetworks('::ffff:203.0.113.9', ['::/0']), false)
  for (const ip of ['203.0.113.9', '::ffff:203.0.113.9', '::ffff:cb00:7109']) {
    assert.equal(isInNetworks(ip, ['::ffff:203.0.113.0/120']), true, ip)
    assert.equal(isInNetworks(ip, ['::ffff:203.0.112.0/120']), false, ip)
  }
  assert.deepEqual(commonNetworks(['::ffff:10.0.0.0/104'], ['10.1.0.0/16']), ['10.1.0.0/16'])
  for (const text of ['', 'unknown', '203.0.113', '::203.0.113.9', '::1/64', '%eth0']) {
    assert.equal(isInNetworks(text, ['0.0.0.0/0', '::/0']), false, text)
  }
})

test('neither a port nor a zone changes the networks that an address is in', () => {
  for (const ip of ['203.0.113.9:80', '[::ffff:203.0.113.9]', '[::ffff:203.0.113.9]:80'])
    assert.equal(isInNetworks(ip, ['203.0.113.0/24']), true, ip)
  for (const zone of ['eth0', 'eth0.100', 'br-4f2a', 'x:y', '']) {
    assert.equal(isInNetworks(`fe80::1%${zone}`, ['fe80::/10']), true, zone)
    assert.equal(isInNetworks(`fe80::1%${zone}`, ['0.0.0.0/0', '2000::/3']), false, zone)
  }
})

test('an address is in the common networks exactly if it is in both lists', () => {
  fc.assert(
    fc.property(address, networks, networks, (ip, one, other) => {
      const shared = commonNetworks(one, other) ?? []
      assert.equal(isInNetworks(ip, shared), isInNetworks(ip, one) && isInNetworks(ip, other))
      assert.deepEqual(commonNetworks(other, one), shared, 'in any order')
      assert.deepEqual(commonNetworks(shared, shared), shared, 'once and for all')
    }),
  )
  assert.equal(commonNetworks(undefined, undefined), undefined)
  assert.deepEqual(commonNetworks(['10.0.0.0/8', '10.1.0.0/16'], undefined), ['10.0.0.0/8'])
})
