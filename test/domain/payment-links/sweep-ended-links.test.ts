/** Payment links that ended long ago are deleted, and give their room back. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { upkeep } from '../../../src/domain/upkeep.ts'
import { createLink, makeLinks, publicStatusOf } from '../../support/accounts/payment-links.ts'
import { assertError } from '../../support/http/answers.ts'
import { userOf } from '../../support/database/state.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const DAY_MS = 24 * 3600 * 1000
let service: Service
before(async () => {
  service = await startService({ PAYMENT_LINK_RETENTION_DAYS: '100', PAYMENT_LINK_LIMIT: '150' })
})
after(() => service.close())

const deactivate = (token: string, id: string) => service.call(`POST /payment-links/${id}/deactivate`, { token })
const isThere = async (id: string) => (await service.call(`GET /payment-links/${id}/public`)).status === 200
async function later(days: number): Promise<void> {
  service.clock.advance(days * DAY_MS)
  await upkeep(service.deps)
}

test('a deactivated and an expired link are deleted after the documented time, their public page is then 404; an active one stays', async () => {
  const token = await service.signIn('ana@example.com')
  const expiresAt = new Date(service.clock.now() + DAY_MS).toISOString()
  const [active, deactivated, expired] = [
    await createLink(service, token),
    await createLink(service, token),
    await createLink(service, token, { expiresAt }),
  ]
  service.clock.advance(DAY_MS)
  await deactivate(token, deactivated.id)
  await later(100)
  assert.deepEqual(await Promise.all([deactivated, expired].map(({ id }) => isThere(id))), [true, true])
  await later(1)
  assert.equal(await publicStatusOf(service, active.id), 'ACTIVE')
  for (const { id } of [deactivated, expired]) {
    assertError(await service.call(`GET /payment-links/${id}/public`), 'NOT_FOUND')
    assertError(
      await service.call(`GET /payment-links/${id}`, { token: await service.signIn('ana@example.com') }),
      'NOT_FOUND',
    )
  }
})

test('while the clock cannot be trusted nothing is deleted for its age', async () => {
  const token = await service.signIn('clock@example.com')
  const link = await createLink(service, token)
  await deactivate(token, link.id)
  service.clock.advance(800 * DAY_MS)
  await upkeep(service.deps, new AbortController().signal, false)
  assert.equal(await isThere(link.id), true)
  service.clock.advance(-800 * DAY_MS)
  await upkeep(service.deps)
  assert.equal(await isThere(link.id), true)
})

test('deleted links give their room back to an account at its limit, batch after batch', async () => {
  const email = 'bob@example.com'
  const token = await service.signIn(email)
  const ids = await makeLinks(service, token, 150)
  assertError(
    await service.call('POST /payment-links', { token, body: { amount: 1, title: 'x' } }),
    'PAYMENT_LINK_LIMIT_REACHED',
  )
  for (const id of ids.slice(0, 90)) assert.equal((await deactivate(token, id)).status, 200)
  await later(101)
  assert.equal((await userOf(service.db, email)).payment_link_count, 60)
  assert.deepEqual([await isThere(ids[0] ?? ''), await isThere(ids[149] ?? '')], [false, true])
  assert.equal((await createLink(service, await service.signIn(email))).status, 'ACTIVE')
})

test('links from before the claim do not count, so deleting them gives the owner no room twice', async () => {
  const email = 'cia@example.com'
  const squatter = await service.signUp(email)
  const theirs = await createLink(service, squatter.token)
  const token = await service.signIn(email)
  await createLink(service, token)
  await deactivate(token, theirs.id)
  await later(101)
  assert.equal(await isThere(theirs.id), false)
  assert.equal((await userOf(service.db, email)).payment_link_count, 1)
})
