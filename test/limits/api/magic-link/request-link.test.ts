/** `POST /auth/request` with production limits: mail is bounded, and no owner is locked out. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { recipientsOf } from '../../../support/database/state.ts'

const MINUTE_MS = 60_000
const addressLimits = {
  ...productionLimits,
  RATE_LIMIT_REQUEST_REPEAT: '1000/30s',
  RATE_LIMIT_REQUEST_ADDRESS: '1000/25m',
}
/** A tenth of a network's requests: each accepted one sends a mail. */
const networkLimits = { ...productionLimits, RATE_LIMIT_REQUEST_CLIENT: '3/15m' }
let service: Service
let addressLimited: Service
let networkLimited: Service

before(async () => {
  service = await startService(productionLimits)
  addressLimited = await startService(addressLimits)
  networkLimited = await startService(networkLimits)
})
after(async () => {
  await service.close()
  await addressLimited.close()
  await networkLimited.close()
})

const ask = (on: Service, email: string, address: string) =>
  on.call('POST /auth/request', { body: { email }, headers: from(address) })

const mailsTo = async (on: Service, email: string) =>
  (await recipientsOf(on)).filter((recipient) => recipient === email).length

test('a second request for one address from one network within 30 seconds gets 429 and sends nothing', async () => {
  assert.equal((await ask(service, 'ana@example.com', '192.0.2.1')).status, 200)
  const refused = await ask(service, 'Ana@EXAMPLE.com', '192.0.2.1')
  assertError(refused, 'RATE_LIMITED', /^Too many requests\. Try again in ([12]\d|30) seconds\.$/)
  assert.match(refused.headers.get('retry-after') ?? '', /^([12]\d|30)$/)
  assert.match(refused.headers.get('ratelimit') ?? '', /"request-repeat";r=0;t=([12]\d|30)/)
  assert.match(refused.headers.get('ratelimit-policy') ?? '', /"request-repeat";q=1;w=30/)

  assert.equal((await ask(service, 'ana@example.com', '192.0.2.2')).status, 200, 'another network')
  assert.equal((await ask(service, 'bob@example.com', '192.0.2.1')).status, 200, 'another address')
  assert.equal(await mailsTo(service, 'bob@example.com'), 1)
  assert.ok((await mailsTo(service, 'ana@example.com')) <= 2)
})

test('an IPv6 /64 is one network, and an address is the same in every spelling [M12]', async () => {
  assert.equal((await ask(service, 'cia@example.com', '2001:db8:1:2::1')).status, 200)
  for (const neighbour of ['2001:DB8:1:2::2', '2001:db8:1:2:ffff::', '2001:0db8:0001:0002:0:0:0:9']) {
    assertError(await ask(service, 'cia@example.com', neighbour), 'RATE_LIMITED')
  }
  assert.equal((await ask(service, 'cia@example.com', '2001:db8:1:3::1')).status, 200)
})

test('the sixth request for one address from one network in 15 minutes gets 429', async () => {
  for (let n = 1; n <= 5; n++) {
    assert.equal((await ask(addressLimited, 'dan@example.com', '192.0.2.3')).status, 200)
  }
  const refused = await ask(addressLimited, 'dan@example.com', '192.0.2.3')
  assertError(refused, 'RATE_LIMITED')
  assert.match(refused.headers.get('ratelimit') ?? '', /"request-address-client";r=0;t=180$/)
  assert.equal((await ask(addressLimited, 'dan@example.com', '192.0.2.4')).status, 200, 'another network')
})

test('the 31st request from one network in 15 minutes gets 429, whatever the addresses [M12]', async () => {
  const asked = Array.from({ length: 30 }, (_, n) => ask(service, `many${n}@example.com`, '192.0.2.5'))
  for (const answer of await Promise.all(asked)) assert.equal(answer.status, 200)
  assertError(await ask(service, 'many30@example.com', '192.0.2.5'), 'RATE_LIMITED')
  assert.equal(await mailsTo(service, 'many30@example.com'), 0)
})

test('all networks together can send an address 5 mails, then one in 5 minutes [M12]', async () => {
  const email = 'eva@example.com'
  for (let n = 1; n <= 5; n++) {
    assert.equal((await ask(service, email, `198.51.100.${n}`)).status, 200)
    await recipientsOf(service)
  }
  const refused = await ask(service, email, '198.51.100.6')
  assertError(refused, 'RATE_LIMITED')
  assert.equal(refused.headers.get('retry-after'), '300')
  service.clock.advance(5 * MINUTE_MS - 1)
  assertError(await ask(service, email, '198.51.100.7'), 'RATE_LIMITED')
  assert.equal(await mailsTo(service, email), 5)

  service.clock.advance(1)
  assert.equal((await ask(service, email, '198.51.100.8')).status, 200)
  assertError(await ask(service, email, '198.51.100.9'), 'RATE_LIMITED')
  assert.equal(await mailsTo(service, email), 6)
})

test('draining an address’s limit, by a signup too, always leaves its owner a live link or a request for one [CVE-2024-1722, M12]', async () => {
  const email = 'fay@example.com'
  for (let minute = 0; minute < 30; minute++) {
    // Just when the first mail after the burst would be allowed.
    if (minute === 5) {
      const headers = from('203.0.113.250')
      const signedUp = await service.call('POST /auth/api/signup', { body: { email }, headers })
      assert.equal(signedUp.status, 201)
    }
    // Later minutes allow one mail at most.
    const burst = Array.from({ length: minute === 0 ? 6 : 2 }, (_, n) => ask(service, email, `203.0.${minute}.${n}`))
    await Promise.all(burst)
    await recipientsOf(service)
    const live = await service.db.query
      .selectFrom('magic_links')
      .select('token_hash')
      .where('email', '=', email)
      .where('expires_at_ms', '>', service.clock.now())
      .execute()
    const hasLink = live.length > 0 || (await ask(service, email, `198.18.0.${minute}`)).status === 200
    assert.ok(hasLink, `no live link and none available after ${minute} minutes`)
    service.clock.advance(MINUTE_MS)
  }
  assert.ok((await mailsTo(service, email)) <= 5 + 30 / 5, 'the flood stays bounded')
})

test('all +tags of a mailbox share its limit: of 35 concurrent requests from one client one is accepted', async () => {
  const spelled = Array.from({ length: 35 }, (_, n) => ask(service, `gus+${n}@example.com`, '192.0.2.9'))
  const statuses = (await Promise.all(spelled)).map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [200, ...Array<number>(34).fill(429)])
  const toGus = (await recipientsOf(service)).filter((to) => to.startsWith('gus+'))
  assert.equal(toGus.length, 1)
})

test('a /56, a /48 and a /24 have their own limits, larger than a client’s', async () => {
  const within = async (count: number, addressOf: (n: number) => string) => {
    const asked = Array.from({ length: count }, (_, n) =>
      ask(networkLimited, `home${count}-${n}@example.com`, addressOf(n)),
    )
    return (await Promise.all(asked)).filter(({ status }) => status === 200).length
  }
  const hex = (n: number) => n.toString(16)
  // Ten times as many requests as a client in a quarter of an hour per /56, thirty times per /48.
  assert.equal(await within(40, (n) => `2001:db8:5:10${hex(16 + (n % 20))}::1`), 30)
  assert.equal(await within(100, (n) => `2001:db8:6:${hex(0x1000 + (n % 50) * 256)}::1`), 90)
  assert.equal(await within(35, (n) => `198.18.7.${n % 25}`), 30, 'a /24')
  const refused = await ask(networkLimited, 'other@example.com', '2001:db8:6:abcd::1')
  assertError(refused, 'RATE_LIMITED')
  assert.match(refused.headers.get('ratelimit') ?? '', /"request-client-wide";r=0/)
})
