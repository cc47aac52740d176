/** A key with networks works from there only; from elsewhere nothing reveals that the credentials are right. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createKey, updateKey } from '../../../support/accounts/keys.ts'
import type { NewKey } from '../../../support/accounts/keys.ts'
import { assertNothingHappens } from '../../../support/database/state.ts'
import { assertError } from '../../../support/http/answers.ts'
import { startService } from '../../../support/service.ts'
import type { Answer, Service } from '../../../support/service.ts'

const INSIDE = '192.0.2.7'
const NETWORKS = ['192.0.2.0/24', '2001:db8:1::/48']
let service: Service
let owner: string
let key: NewKey
let token: string

before(async () => {
  service = await startService({ TRUST_PROXY: '127.0.0.1' })
  owner = await service.signIn('ana@example.com')
  key = await createKey(service, owner, { restrictions: { networks: NETWORKS } })
  token = (await exchangeFrom(INSIDE)).body.token
})
after(() => service.close())

const from = (address: string) => ({ 'x-forwarded-for': address, 'x-request-id': 'same' })
const exchangeFrom = (address: string, { apiKey, keySecret } = key) =>
  service.call('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret }, headers: from(address) })
const callFrom = (address: string, with_ = token, route = 'GET /auth/api-keys') =>
  service.call(route, { token: with_, headers: from(address) })

/** All bytes of an answer but those that name its time. */
const bytesOf = ({ status, headers, text }: Answer) =>
  JSON.stringify([status, [...headers].filter(([name]) => name !== 'date'), text])

test('a call from other networks gets the same 401 as a forged token, byte for byte', async () => {
  assert.equal((await callFrom(INSIDE)).status, 200)
  const routes = [
    'GET /auth/api-keys',
    'POST /payment-links',
    'GET /auth/check',
    'GET /auth/check?scope=keys:read',
    'DELETE /users/me',
  ]
  await assertNothingHappens(service, async () => {
    for (const address of ['192.0.3.7', '10.0.0.1', '2001:db8:2::1', '::1']) {
      for (const route of routes) {
        const [outside, forged] = [await callFrom(address, token, route), await callFrom(address, 'forged', route)]
        assertError(outside, 'UNAUTHORIZED')
        assert.equal(bytesOf(outside), bytesOf(forged), `${address} ${route}`)
      }
    }
  })
})

test('an exchange from other networks gets the response to a wrong secret, byte for byte, and the key counts as unused', async () => {
  const unused = await createKey(service, owner, { restrictions: { networks: NETWORKS } })
  const outside = await exchangeFrom('192.0.3.7', unused)
  assertError(outside, 'INVALID_CREDENTIALS')
  const wrong = await exchangeFrom('192.0.3.7', { ...unused, keySecret: key.keySecret })
  assert.equal(bytesOf(outside), bytesOf(wrong))
  await service.deps.keyUse.flush()
  const { body } = await service.call('GET /auth/api-keys', { token: owner })
  const { lastUsedAt } = body.apiKeys.find(({ id }: { id: string }) => id === unused.apiKey.id)
  assert.equal(lastUsedAt, null)
  await service.deps.failureLog.flush()
  const { events } = (await service.call('GET /auth/events?kind=alert', { token: owner })).body
  const refused = events.filter(({ apiKeyId }: { apiKeyId: string }) => apiKeyId === unused.apiKey.id)
  assert.deepEqual(
    refused.map(({ detail }: { detail: string }) => detail).toSorted(),
    ['OUTSIDE_NETWORKS', 'WRONG_SECRET'],
    'the owner learns that the secret was right',
  )
  assert.equal((await exchangeFrom(INSIDE, unused)).status, 200)
})

test('a waiting key does not reveal itself to other networks', async () => {
  const email = 'bob@example.com'
  const stranger = await service.signUp(email)
  const waiting = await createKey(service, stranger.token, { restrictions: { networks: NETWORKS } })
  await service.signIn(email)
  assertError(await exchangeFrom(INSIDE, waiting), 'KEY_AWAITS_OWNER')
  assertError(await exchangeFrom('192.0.3.7', waiting), 'INVALID_CREDENTIALS')
})

test('an IPv4 address is the same in its IPv6 form, and no other form passes', async () => {
  for (const address of [INSIDE, '::ffff:192.0.2.7', '::FFFF:c000:0207', '2001:db8:1:ffff::1', '2001:0DB8:0001::1'])
    assert.equal((await callFrom(address)).status, 200, address)
  for (const address of [
    '::192.0.2.7',
    '64:ff9b::192.0.2.7',
    '2002:c000:207::1',
    '::ffff:0:192.0.2.7',
    '192.0.2.256',
    '192.0.2',
    '0300.0.2.7',
    'fe80::1%eth0',
    'fe80::1%eth0.100',
    'fe80::1%br-4f2a',
  ])
    assertError(await callFrom(address), 'UNAUTHORIZED')
})

test('a network of IPv4-mapped addresses is the IPv4 network, and a wider one around them is refused', async () => {
  const restrictions = { networks: ['::ffff:192.0.2.0/120'] }
  assert.deepEqual((await updateKey(service, owner, key, { restrictions })).restrictions, {
    networks: ['192.0.2.0/24'],
  })
  for (const address of [INSIDE, `::ffff:${INSIDE}`]) assert.equal((await callFrom(address)).status, 200, address)
  assertError(await callFrom('192.0.3.7'), 'UNAUTHORIZED')
  await updateKey(service, owner, key, { restrictions: { networks: NETWORKS } })
  await assertNothingHappens(service, async () => {
    const body = { restrictions: { networks: ['::ffff:192.0.2.0/95'] } }
    for (const route of ['POST /auth/api-keys', `PATCH /auth/api-keys/${key.apiKey.id}`])
      assertError(
        await service.call(route, { token: owner, body }),
        'VALIDATION_FAILED',
        /`restrictions.networks\[0\]`/,
      )
  })
})

test('a network of IPv6 that contains the IPv4 addresses does not match them, and 0.0.0.0/0 matches no IPv6', async () => {
  await updateKey(service, owner, key, { restrictions: { networks: ['::/0'] } })
  assertError(await callFrom(INSIDE), 'UNAUTHORIZED')
  assert.equal((await callFrom('2001:db8:9::1')).status, 200)
  await updateKey(service, owner, key, { restrictions: { networks: ['0.0.0.0/0'] } })
  assert.equal((await callFrom('203.0.113.1')).status, 200)
  assertError(await callFrom('2001:db8:9::1'), 'UNAUTHORIZED')
  await updateKey(service, owner, key, { restrictions: { networks: NETWORKS } })
})

test('a key created by it works in its networks only, wherever it was created', async () => {
  const made = await service.call('POST /auth/api-keys', {
    token,
    headers: from(INSIDE),
    body: { restrictions: { networks: ['0.0.0.0/0', '192.0.2.128/25'] } },
  })
  assert.deepEqual(made.body.apiKey.effectiveRestrictions, { networks: ['192.0.2.0/24'] })
  assertError(await exchangeFrom('203.0.113.1', made.body), 'INVALID_CREDENTIALS')
  assert.equal((await exchangeFrom(INSIDE, made.body)).status, 200)
})

describe('without a trusted proxy', () => {
  let alone: Service
  before(async () => {
    alone = await startService()
  })
  after(() => alone.close())

  test('X-Forwarded-For and its relatives do not move a caller into a network', async () => {
    const person = await alone.signIn('cia@example.com')
    const { apiKey, keySecret } = await createKey(alone, person)
    const body = { keyId: apiKey.keyId, keySecret }
    const issued = (await alone.call('POST /auth/api/token', { body })).body.token
    await updateKey(alone, person, { apiKey, keySecret }, { restrictions: { networks: NETWORKS } })
    const forged = ['x-forwarded-for', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip']
    const fields = [{}, { forwarded: `for=${INSIDE}` }, ...forged.map((name) => ({ [name]: INSIDE }))]
    for (const headers of fields) {
      assertError(await alone.call('GET /auth/api-keys', { token: issued, headers }), 'UNAUTHORIZED')
      assertError(await alone.call('POST /auth/api/token', { body, headers }), 'INVALID_CREDENTIALS')
    }
    await updateKey(alone, person, { apiKey, keySecret }, { restrictions: { networks: ['127.0.0.1/32'] } })
    assert.equal((await alone.call('GET /auth/api-keys', { token: issued })).status, 200)
  })
})
