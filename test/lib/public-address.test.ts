/** Only addresses of the public internet are public, whatever their spelling. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from '../../src/lib/public-address.ts'

/** The first, some inner and the last address of each special-purpose range (IANA, RFC 6890 and its updates). */
const special = `
  0.0.0.0 0.1.2.3 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.0.0.1
  127.255.255.255 169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0
  192.0.0.8 192.0.0.170 192.0.0.255 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.0
  192.168.255.255 192.175.48.1 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
  239.255.255.255 240.0.0.0 255.255.255.254 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8
  ::ffff:0:8.8.8.8 ::127.0.0.1 ::8.8.8.8 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 100::1
  100:0:0:1::1 2001::1 2001:1::1 2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1 2001:30::1
  2001:db8::1 2001:1ff:ffff::1 2002:7f00:1::1 2002:808:808::1 2620:4f:8000::1 3fff::1 3fff:fff::1
  5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 ff02::1 4000::1 8000::1
  e000::1 1fff::1`
  .trim()
  .split(/\s+/)

test('no address of a special-purpose range is public [A54]', () => {
  assert.deepEqual(special.filter(isPublicAddress), [])
})

test('addresses next to these ranges are public', () => {
  const usual = `
    1.0.0.0 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
    169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255
    198.20.0.0 223.255.255.255 2001:200::1 2001:4860:4860::8888 2003::1 2606:4700::1111 2a00:1450::1
    3ffe::1`
    .trim()
    .split(/\s+/)
  assert.deepEqual(
    usual.filter((ip) => !isPublicAddress(ip)),
    [],
  )
})

test('what is not an address is not public, nor are its other spellings', () => {
  const others = ['', 'localhost', '127.1', '0x7f.1', '017700000001', '2130706433', '8.8.8.8.', '[::1]', '8.8.8.8:80']
  assert.deepEqual([...others, '008.8.8.8', '1.2.3', ' 8.8.8.8'].filter(isPublicAddress), [])
})
