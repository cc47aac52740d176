import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable, fingerprintOf } from '../../support/http/answers.ts'
import { runInLockstep } from '../../support/wire/lockstep.ts'
import { assertDocumented } from '../../support/documented.ts'
import { createKey, tokenOf } from '../../support/accounts/keys.ts'
import { createLink, dayBefore, holdRates, publicStatusOf, readLink } from '../../support/accounts/payment-links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent, recipientsOf } from '../../support/database/state.ts'

let service: Service
let token: string

before(async () => {
  service = await startService()
  token = await service.signIn('ana@example.com')
})
after(() => service.close())

const deactivate = (id: string, by = token, headers = {}) =>
  service.call(`POST /payment-links/${id}/deactivate`, { token: by, headers })

test('deactivating a link returns its current state, is not cached, records an event, and changes that link only', async () => {
  const [link] = [await createLink(service, token), await createLink(service, token)]
  await recipientsOf(service)
  const earlier = await databaseContent(service.db)
  service.clock.advance(1000)
  const answer = await deactivate(link.id)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { paymentLink: { ...link, status: 'INACTIVE' } })
  assertDocumented(`POST /payment-links/${link.id}/deactivate`, answer)
  assertUncacheable(answer)
  assert.deepEqual(await readLink(service, token, link.id), answer.body.paymentLink)
  assert.equal(await publicStatusOf(service, link.id), 'INACTIVE')
  Object.assign(earlier.paymentLinks.find((row) => row.id === link.id) ?? {}, {
    deactivated_at_ms: service.clock.now(),
  })
  const { events, ...others } = await databaseContent(service.db)
  const known = new Set(earlier.events.map(({ id }) => id))
  const added = events.filter(({ id }) => !known.has(id))
  assert.deepEqual({ ...others, events: events.filter(({ id }) => known.has(id)) }, earlier)
  assert.deepEqual(
    added.map(({ type, times, client }) => [type, times, client]),
    [['payment_link_deactivated', 1, '127.0.0.1']],
  )
})

test('many deactivations in an hour are one event per key and network, with their count', async () => {
  const owner = await service.signIn('eva@example.com')
  const key = await createKey(service, owner)
  for (const by of [owner, await tokenOf(service, key)]) {
    const links = [await createLink(service, owner), await createLink(service, owner), await createLink(service, owner)]
    for (const { id } of links) await deactivate(id, by)
  }
  const { body } = await service.call('GET /auth/events', { token: owner })
  const seen = body.events.filter(({ type }: { type: string }) => type === 'payment_link_deactivated')
  const counts = seen.map(({ times, byApiKeyId }: { times: number; byApiKeyId: string | null }) => [times, byApiKeyId])
  assert.deepEqual(
    counts.toSorted(),
    [
      [3, null],
      [3, key.apiKey.id],
    ].toSorted(),
  )
})

test('repeated and concurrent deactivations change nothing more and return the same', async () => {
  const { id } = await createLink(service, token)
  const answers = await runInLockstep(service, 10, () => deactivate(id))
  service.clock.advance(1000)
  await assertNothingHappens(service, async () => answers.push(await deactivate(id)))
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
  assert.equal(answers[0]?.status, 200)
})

test('an expired link becomes INACTIVE', async () => {
  const { id } = await createLink(service, token, { expiresAt: new Date(service.clock.now() + 1000).toISOString() })
  service.clock.advance(1000)
  assert.equal((await readLink(service, token, id)).status, 'EXPIRED')
  assert.equal((await deactivate(id)).body.paymentLink.status, 'INACTIVE')
})

test('a missing rate does not prevent the deactivation: the amount in the response is null', async () => {
  const { id } = await createLink(service, token)
  const headers = { 'x-currency': 'EUR' }
  const answer = await deactivate(id, token, headers)
  assert.equal(answer.status, 200)
  const { amount, original, exchangeRate, status } = answer.body.paymentLink
  assert.deepEqual([amount, original, exchangeRate, status], [null, { value: 1050, currency: 'RON' }, null, 'INACTIVE'])
  assertDocumented(`POST /payment-links/${id}/deactivate`, answer)
  await holdRates(service.db, dayBefore(service.clock, 3), { EUR: '5', GBP: '6' })
  assert.deepEqual((await deactivate(id, token, headers)).body.paymentLink.amount, { value: 210, currency: 'EUR' })
})

test('another user’s link gets the same 404 as an unknown id, and stays ACTIVE', async () => {
  const { id } = await createLink(service, token)
  const stranger = await service.signIn('bob@example.com')
  await assertNothingHappens(service, async () => {
    const foreign = await deactivate(id, stranger)
    assertError(foreign, 'NOT_FOUND')
    assert.equal(
      fingerprintOf(foreign),
      fingerprintOf(await deactivate('0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11', stranger)),
    )
    for (const wrong of [`${id}%00`, '%00', id.toUpperCase(), "'%20OR%20'1'='1", '%25', 'a'.repeat(8000)])
      assertError(await deactivate(wrong), 'NOT_FOUND')
    assertError(await service.call(`POST /payment-links/${id}/deactivate`), 'UNAUTHORIZED')
    assertError(await deactivate(id, 'forged'), 'UNAUTHORIZED')
  })
  assert.equal(await publicStatusOf(service, id), 'ACTIVE')
})
