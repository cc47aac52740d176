/** A thief whose keys write without end does not keep the owner from ending them. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey, exchangesOf, tokenOf } from '../../../support/accounts/keys.ts'
import type { NewKey } from '../../../support/accounts/keys.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { until } from '../../../support/until.ts'

/** How many writes of the thief are under way at any time. */
const AT_ONCE = 120
const FAMILY = 20

let service: Service
before(async () => {
  service = await startService({ DATABASE_POOL_SIZE: '4' })
})
after(() => service.close())

test('while a stolen key and 20 keys made by it write and sign out without end, the owner’s first call revokes them all, and the next signs out', async () => {
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
  const over = new AbortController()
  const work = async (n: number) => {
    const token = tokens[n % tokens.length] ?? ''
    const routes = ['PATCH /users/me', 'POST /auth/tokens/revoke', `POST /auth/api-keys/${keys[0]?.apiKey.id}/revoke`]
    const route =
      routes[n % routes.length] === routes[2] && n % tokens.length === 0 ? routes[0] : routes[n % routes.length]
    while (!over.signal.aborted) {
      const body = route === routes[0] ? { name: `Thief ${statuses.length}` } : undefined
      const { status } = await service.call(route ?? '', { token, ...(body && { body }) })
      statuses.push(status)
    }
  }
  const thief = Promise.all(Array.from({ length: AT_ONCE }, (_, n) => work(n)))
  await until(() => statuses.length > AT_ONCE)

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
    'and nobody names it otherwise',
  )
  assert.equal((await service.call('POST /auth/tokens/revoke', { token: owner })).status, 200)
  over.abort()
  await thief
  assert.ok(statuses.includes(403) && statuses.includes(200))
})
