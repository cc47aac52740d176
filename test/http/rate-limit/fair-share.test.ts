/** The bound of the mail queue: at the bound only networks above their share are refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairShare } from '../../../src/http/rate-limit/fair-share.ts'
import { clientNetworks } from '../../../src/lib/network.ts'
import { manualClock } from '../../support/clock.ts'

const HOUR_MS = 3_600_000

test('at the bound the network with the most requests is refused until the window ends, others are not', () => {
  const clock = manualClock()
  const share = createFairShare({ count: 100, seconds: 3600 }, clock)
  const [loud, quiet, fresh] = ['192.0.2.1', '198.51.100.1', '203.0.113.1'].map(clientNetworks)
  for (let n = 0; n < 99; n += 1) share.count(loud!)
  assert.equal(share.refusedForMs(loud!), 0)
  share.count(quiet!)
  clock.advance(1000)
  assert.equal(share.refusedForMs(loud!), HOUR_MS - 1000)
  assert.equal(share.refusedForMs(clientNetworks('192.0.2.77')), HOUR_MS - 1000, 'its /24 is one')
  assert.equal(share.refusedForMs(quiet!), 0)
  assert.equal(share.refusedForMs(fresh!), 0)
  clock.advance(HOUR_MS - 1000)
  assert.equal(share.refusedForMs(loud!), 0)
})

test('a network without requests is never refused because of others, however many they are', () => {
  const share = createFairShare({ count: 100, seconds: 3600 }, manualClock())
  for (let n = 0; n < 1000; n += 1) {
    const one = clientNetworks(`2001:db8:${n.toString(16)}::1`)
    if (share.refusedForMs(one) === 0) share.count(one)
  }
  assert.ok(share.refusedForMs(clientNetworks('2001:db8:ffff::1')) > 0, 'its provider has twice the bound')
  assert.equal(share.refusedForMs(clientNetworks('2001:db9::1')), 0)
  assert.equal(share.refusedForMs(clientNetworks('192.0.2.1')), 0)
})

for (const order of ['in turn', 'one after the other'] as const) {
  test(`accepted requests and memory are bounded for networks that ask ${order}: four times the bound, plus one per provider`, () => {
    const [most, providers, each] = [500, 40, 300]
    const share = createFairShare({ count: most, seconds: 3600 }, manualClock())
    let taken = 0
    for (let n = 0; n < providers * each; n += 1) {
      const [provider, network] =
        order === 'in turn' ? [n % providers, Math.floor(n / providers)] : [Math.floor(n / each), n % each]
      const one = clientNetworks(`2001:${provider.toString(16)}:${network.toString(16)}::1`)
      if (share.refusedForMs(one) > 0) continue
      share.count(one)
      taken += 1
    }
    assert.ok(taken > most && taken <= 4 * most + providers, `${taken} are taken`)
  })
}

test('an attacker with every /48 of a /32 does not get other networks’ second requests refused', () => {
  const share = createFairShare({ count: 100, seconds: 3600 }, manualClock())
  const [owner, neighbour] = ['192.0.2.1', '2001:db8::1'].map(clientNetworks)
  share.count(owner!)
  share.count(neighbour!)
  for (let n = 1; n < 1000; n += 1) {
    const one = clientNetworks(`2001:db8:${n.toString(16)}::1`)
    if (share.refusedForMs(one) === 0) share.count(one)
  }
  assert.equal(share.refusedForMs(owner!), 0)
  assert.ok(share.refusedForMs(neighbour!) > 0)
  assert.equal(share.refusedForMs(clientNetworks('2001:db9::1')), 0)
})

test('setting the clock back does not extend the window', () => {
  const clock = manualClock()
  const share = createFairShare({ count: 1, seconds: 60 }, clock)
  const one = clientNetworks('192.0.2.1')
  share.count(one)
  assert.equal(share.refusedForMs(one), 60_000)
  clock.advance(-HOUR_MS)
  assert.equal(share.refusedForMs(one), 0)
})

test('a request that is taken back counts for nobody, unless the window has ended meanwhile', () => {
  const clock = manualClock()
  const share = createFairShare({ count: 2, seconds: 3600 }, clock)
  const [ana, bob] = ['192.0.2.1', '198.51.100.1'].map(clientNetworks)
  for (let n = 0; n < 5; n += 1) share.count(ana!)()
  share.count(bob!)
  assert.equal(share.refusedForMs(bob!), 0)
  const takeBack = share.count(bob!)
  assert.ok(share.refusedForMs(bob!) > 0)
  clock.advance(HOUR_MS)
  share.count(bob!)
  takeBack()
  share.count(bob!)
  assert.ok(share.refusedForMs(bob!) > 0)
})
