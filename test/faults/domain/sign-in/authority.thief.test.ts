import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey, exchangesOf, tokenOf } from '../../../support/accounts/keys.ts'
import type { NewKey } from '../../../support/accounts/keys.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { until } from '../../../support/until.ts'

const CONCURRENT_WRITES = 40
const FAMILY = 20

let service: Service
before(async () => {
  service = await startService({ DATABASE_POOL_SIZE: '4' })
})
after(() => service.close())

test('while a stolen key and its 20 descendants write and sign out without pause, the owner’s first call revokes them all, and another ends all sessions', async () => {
  const owner = await service.signIn('ana@example.com')
  const stolen = await createKey(service, owner)
  const keys: NewKey[] = [stolen]
  const tokens = [await tokenOf(service, stolen)]
  for (let n = 0; n < FAMILY; n += 1) {
    const key = await createKey(service, tokens.at(-1) ?? '')
    keys.push(key)
    tokens.push(await tokenOf(service, key))
  }
  const statuses: number[] = []
  const finished = new AbortController()
  const work = async (n: number) => {
    const token = tokens[n % tokens.length] ?? ''
    const routes = ['PATCH /users/me', 'POST /auth/tokens/revoke', `POST /auth/api-keys/${keys[0]?.apiKey.id}/revoke`]
    const route =
      routes[n % routes.length] === routes[2] && n % tokens.length === 0 ? routes[0] : routes[n % routes.length]
    while (!finished.signal.aborted) {
      const body = route === routes[0] ? { name: `Thief ${statuses.length}` } : undefined
      const { status } = await service.call(route ?? '', { token, ...(body && { body }) })
      statuses.push(status)
    }
  }
  const thief = Promise.all(Array.from({ length: CONCURRENT_WRITES }, (_, n) => work(n)))
  await until(() => statuses.length > CONCURRENT_WRITES)

  const revoked = await service.call(`POST /auth/api-keys/${stolen.apiKey.id}/revoke?withDescendants=true`, {
    token: owner,
  })
  assert.equal(revoked.status, 200, revoked.text)
  assert.deepEqual(new Set(await exchangesOf(service, keys)), new Set(['INVALID_CREDENTIALS']))
  const renamed = await service.call('PATCH /users/me', { token: owner, body: { name: 'Ana' } })
  assert.equal(renamed.status, 200)
  assert.equal(
    (await service.call('GET /users/me', { token: owner })).body.user.name,
    'Ana',
    'the thief cannot rename the account',
  )
  assert.equal((await service.call('POST /auth/tokens/revoke', { token: owner })).status, 200)
  finished.abort()
  await thief
  assert.ok(statuses.includes(403) && statuses.includes(200))
})
