import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { createKey, tokenOf } from '../../support/accounts/keys.ts'
import { productionLimits } from '../../support/http/limits.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service
before(async () => {
  service = await startService({ ...productionLimits, RATE_LIMIT_READS: '5/1m', RATE_LIMIT_REQUEST_REPEAT: '9/30s' })
})
after(() => service.close())

const read = (token: string, route = 'GET /users/me') => service.call(route, { token })

test('a key that reads in a loop is refused; its owner’s sign-in, other keys and gateway checks are not', async () => {
  const owner = await service.signIn('ana@example.com')
  const stolen = await createKey(service, owner)
  const other = await tokenOf(service, await createKey(service, owner))
  const tokens = [await tokenOf(service, stolen), await tokenOf(service, stolen)]
  const routes = ['GET /users/me', 'HEAD /users/me', 'GET /auth/events', 'GET /auth/api-keys', 'GET /payment-links']
  for (const [n, route] of routes.entries()) {
    const { status, headers } = await read(tokens[n % 2] ?? '', route)
    assert.equal(status, 200)
    assert.match(headers.get('ratelimit') ?? '', new RegExp(`^"reads";r=${4 - n};t=`))
  }
  for (const token of tokens) {
    const refused = await read(token)
    assertError(refused, 'RATE_LIMITED', /^Too many requests\. Try again in \d+ seconds\.$/)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal(refused.headers.get('ratelimit-policy'), '"reads";q=5;w=60')
  }
  for (const token of [owner, other]) assert.equal((await read(token)).status, 200)
  for (const route of ['GET /auth/check', 'GET /auth/check/any', 'POST /auth/check']) {
    const { status, headers } = await read(tokens[0] ?? '', route)
    assert.deepEqual([status, headers.get('ratelimit')], [200, null])
  }
  const revoked = await service.call(`POST /auth/api-keys/${stolen.apiKey.id}/revoke`, { token: tokens[0] ?? '' })
  assert.equal(revoked.status, 200, 'only reads are limited')
})

test('the refusal is a security event, and a revoked token is refused as revoked', async () => {
  const email = 'bob@example.com'
  const token = await service.signIn(email)
  for (let n = 0; n < 7; n += 1) await read(token)
  await service.deps.failureLog.flush()
  const again = await service.signIn(email)
  const { body } = await read(again, 'GET /auth/events')
  const hit = body.events.find(({ type }: { type: string }) => type === 'limit_hit')
  assert.deepEqual([hit.detail, hit.times], ['reads', 2])
  await service.call('POST /auth/tokens/revoke', { token: again })
  assertError(await read(token), 'UNAUTHORIZED')
})

test('keys made by a key share its limit of reads, in any chain', async () => {
  const owner = await service.signIn('cia@example.com')
  const stolen = await tokenOf(service, await createKey(service, owner))
  const child = await tokenOf(service, await createKey(service, stolen))
  const family = [stolen, child, await tokenOf(service, await createKey(service, child))]
  for (let n = 0; n < 5; n += 1) assert.equal((await read(family[n % 3] ?? '')).status, 200)
  for (const token of family) assertError(await read(token), 'RATE_LIMITED')
  assert.equal((await read(owner)).status, 200)
})
