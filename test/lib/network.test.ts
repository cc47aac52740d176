import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { clientNetwork, clientNetworks, isLoopback, networkOf } from '../../src/lib/network.ts'
import { anyCharacter } from '../support/any-character.ts'

describe('isLoopback', () => {
  const loopback = ['localhost', 'LOCALHOST', '127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', '[::1]']
  for (const host of loopback) {
    test(`${host} is this machine`, () => assert.equal(isLoopback(host), true))
  }

  const elsewhere = [
    '',
    '0.0.0.0',
    '::',
    '[::]',
    '10.0.0.1',
    '128.0.0.1',
    'example.com',
    '::2',
    '::1%eth0',
    // Names that a foreign name server can resolve.
    '127.0.0.1.evil.com',
    'localhost.evil',
    'localhost.',
    '.localhost',
    'evil-localhost',
    'localhost.localdomain',
    '127.evil.com',
    '127.0.0.1@evil.com',
    'evil.com#127.0.0.1',
    'localhost evil',
    'localhost\0.evil',
    // Spellings that programs parse differently.
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '127.0.0.01',
    '127.0.0.256',
    '１２７.0.0.1',
    '127。0。0。1',
    ' 127.0.0.1',
    '127.0.0.1 ',
    '127.0.0.1:80',
    '[127.0.0.1]:80',
    '127.0.0.1/8',
  ]
  for (const host of elsewhere) {
    test(`${JSON.stringify(host)} is not this machine`, () => {
      assert.equal(isLoopback(host), false)
    })
  }
})

const group = fc.integer({ min: 0, max: 0xffff })
const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count })

const textOf = (address: readonly number[]) => address.map((part) => part.toString(16)).join(':')

/** All spellings of an address: zeros, case, `::` at each position, the last part as IPv4. */
function spellings(address: readonly number[]): string[] {
  const plain = address.map((part) => part.toString(16))
  const padded = plain.map((part) => part.padStart(4, '0'))
  const lastAsIPv4 = address
    .slice(6)
    .flatMap((part) => [part >> 8, part & 255])
    .join('.')
  const asIPv4 = `${plain.slice(0, 6).join(':')}:${lastAsIPv4}`
  const compressed = address.flatMap((_, start) => {
    let end = start
    while (end < 8 && address[end] === 0) end += 1
    return end - start < 1 ? [] : [`${plain.slice(0, start).join(':')}::${plain.slice(end).join(':')}`]
  })
  const all = [plain.join(':'), padded.join(':'), asIPv4, ...compressed]
  return [...all, ...all.map((text) => text.toUpperCase()), ...all.map((text) => `${text}%eth0`)]
}

describe('clientNetwork', () => {
  test('treats each IPv4 address as a client', () => {
    assert.equal(clientNetwork('192.0.2.7'), '192.0.2.7')
    assert.notEqual(clientNetwork('192.0.2.8'), clientNetwork('192.0.2.7'))
  })

  test('treats every spelling of every address in one /64 as one client [CVE-2026-45364]', () => {
    fc.assert(
      fc.property(groups(4), groups(4), groups(4), (network, one, other) => {
        // ::ffff:0:0/96 is mapped IPv4.
        fc.pre(network.some((part) => part !== 0))
        const expected = clientNetwork(textOf([...network, ...one]))
        for (const host of [one, other, [0, 0, 0, 0], [0, 0, 0, 1]]) {
          for (const text of spellings([...network, ...host])) {
            assert.equal(clientNetwork(text), expected, text)
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('treats two /64 as two clients, even if they differ in one bit', () => {
    fc.assert(
      fc.property(groups(8), fc.integer({ min: 0, max: 63 }), (address, bit) => {
        const place = bit >> 4
        const neighbour = address.with(place, (address[place] ?? 0) ^ (1 << (bit & 15)))
        const [one, two] = [address, neighbour].map((ip) => clientNetwork(textOf(ip)))
        assert.notEqual(one, two)
      }),
      { numRuns: 1000 },
    )
  })

  test('treats an IPv4-mapped address, in every spelling, as the IPv4 client', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number)
        for (const text of spellings([0, 0, 0, 0, 0, 0xffff, (a << 8) | b, (c << 8) | d])) {
          assert.equal(clientNetwork(text), ip, text)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('gives two IPv4-mapped clients separate limits [CVE-2026-30827]', () => {
    assert.notEqual(clientNetwork('::ffff:192.0.2.7'), clientNetwork('::ffff:192.0.2.8'))
    assert.notEqual(clientNetwork('::ffff:1.2.3.4'), clientNetwork('::ffff:1.2.3.5'))
  })

  test('keeps IPv4 addresses and the lowest IPv6 addresses apart', () => {
    assert.equal(clientNetwork('::1'), '0:0:0:0::/64')
    assert.equal(clientNetwork('::'), '0:0:0:0::/64')
    assert.equal(clientNetwork('::192.0.2.7'), '0:0:0:0::/64')
    assert.equal(clientNetwork('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  })

  test('ignores a port appended by a proxy', () => {
    for (const port of [1, 80, 65_535]) {
      assert.equal(clientNetwork(`192.0.2.7:${port}`), '192.0.2.7')
      assert.equal(clientNetwork(`[2001:db8:1:2::3]:${port}`), '2001:db8:1:2::/64')
      assert.equal(clientNetwork(`[::ffff:192.0.2.7]:${port}`), '192.0.2.7')
    }
    assert.equal(clientNetwork('[2001:db8:1:2::3]'), '2001:db8:1:2::/64')
  })

  test('treats everything that is not an address as one client, so that new texts bring no new limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (suffix) => {
        assert.equal(clientNetwork(`x${suffix}`), 'unknown')
      }),
    )
    for (const text of ['', '192.0.2', '192.0.2.256', '192.0.2.7:x', '2001:db8::g', '[192.0.2.7', ':::']) {
      assert.equal(clientNetwork(text), 'unknown', text)
    }
  })

  test('ignores a zone id', () => {
    assert.equal(clientNetwork('fe80::1%eth0'), clientNetwork('fe80::1%wlan0'))
    assert.equal(clientNetwork('fe80::1%eth0'), clientNetwork('FE80:0:0:0::2'))
  })
})

describe('clientNetworks', () => {
  const expected: Record<string, readonly string[]> = {
    '192.0.2.7': ['192.0.2.7', '192.0.2.0/24', '192.0.2.0/24', '192.0.0.0/16'],
    '::ffff:192.0.2.7': ['192.0.2.7', '192.0.2.0/24', '192.0.2.0/24', '192.0.0.0/16'],
    '2001:db8:1:2a3b::9': ['2001:db8:1:2a3b::/64', '2001:db8:1:2a00::/56', '2001:db8:1::/48', '2001:db8::/32'],
    '2001:db8:1:3b::9': ['2001:db8:1:3b::/64', '2001:db8:1:0::/56', '2001:db8:1::/48', '2001:db8::/32'],
    nonsense: ['unknown', 'unknown', 'unknown', 'unknown'],
  }
  for (const [ip, networks] of Object.entries(expected)) {
    test(`${ip} belongs to ${networks.join(', ')}`, () => {
      const { client, site, wide, provider } = clientNetworks(ip)
      assert.deepEqual([client, site, wide, provider], networks)
      assert.equal(client, clientNetwork(ip))
    })
  }
})

test('a client is shown as its /24 or /48, and an unknown one not at all', () => {
  assert.equal(networkOf('203.0.113.9'), '203.0.113.0/24')
  assert.equal(networkOf('2001:db8:1:2::/64'), '2001:db8:1::/48')
  for (const unknown of [null, 'unknown', '']) assert.equal(networkOf(unknown), null)
})
