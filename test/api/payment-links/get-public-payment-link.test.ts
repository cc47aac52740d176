import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable, fingerprintOf } from '../../support/http/answers.ts'
import { disable, enable } from '../../support/accounts/disabled.ts'
import { assertDocumented } from '../../support/documented.ts'
import { createLink, dayBefore, holdRates, publicStatusOf } from '../../support/accounts/payment-links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, userOf } from '../../support/database/state.ts'

let service: Service
let token: string

before(async () => {
  service = await startService()
  token = await service.signIn('ana@example.com')
})
after(() => service.close())

const show = (id: string, call = {}) => service.call(`GET /payment-links/${id}/public`, call)

test('the public link has exactly title, amount and status, for everyone, is not cached, and does not identify the owner', async () => {
  const { token: ofKey, apiKey } = await service.signUp('bob@example.com')
  const { id } = await createLink(
    service,
    ofKey,
    { title: 'Lunch', reference: 'SECRET-REFERENCE', amount: 7 },
    { 'x-currency': 'GBP' },
  )
  const answer = await assertNothingHappens(service, () => show(id))
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['paymentLink'])
  assert.deepEqual(Object.keys(answer.body.paymentLink), ['title', 'amount', 'status'])
  assert.deepEqual(answer.body.paymentLink, { title: 'Lunch', amount: { value: 7, currency: 'GBP' }, status: 'ACTIVE' })
  assertDocumented(`GET /payment-links/${id}/public`, answer)
  assertUncacheable(answer)
  const user = await userOf(service.db, 'bob@example.com')
  const said = answer.text + JSON.stringify([...answer.headers])
  for (const owners of [user.id, user.email, apiKey.id, apiKey.keyId, 'SECRET-REFERENCE'])
    assert.ok(!said.includes(owners), owners)
})

test('the amount is in the link’s own currency, whatever X-Currency and token are sent', async () => {
  await holdRates(service.db, dayBefore(service.clock, 3), { EUR: '4.9770', GBP: '5.8321' })
  const { id } = await createLink(service, token, {}, { 'x-currency': 'EUR' })
  const { text } = await show(id)
  for (const headers of [
    { 'x-currency': 'RON' },
    { 'x-currency': 'USD' },
    { authorization: `Bearer ${token}` },
    { authorization: 'Bearer forged' },
  ]) {
    const answer = await show(id, { headers })
    assert.deepEqual([answer.status, answer.text], [200, text])
  }
})

test('the status follows expiry and deactivation', async () => {
  const expiresAt = new Date(service.clock.now() + 1000).toISOString()
  const [one, other] = [
    await createLink(service, token, { expiresAt }),
    await createLink(service, token, { expiresAt }),
  ]
  await service.call(`POST /payment-links/${other.id}/deactivate`, { token })
  assert.deepEqual(
    [await publicStatusOf(service, one.id), await publicStatusOf(service, other.id)],
    ['ACTIVE', 'INACTIVE'],
  )
  service.clock.advance(1000)
  assert.deepEqual(
    [await publicStatusOf(service, one.id), await publicStatusOf(service, other.id)],
    ['EXPIRED', 'INACTIVE'],
  )
})

test('a link of a disabled account or of a quarantined key is shown without title and amount', async () => {
  const isShown = { title: 'Call +40 700 000 000', amount: { value: 31_337, currency: 'RON' }, status: 'ACTIVE' }
  const made = { title: isShown.title, amount: 31_337, reference: 'REF-7' }
  const squatted = await service.signUp('dan@example.com')
  const links = [
    await createLink(service, await service.signIn('cia@example.com'), made),
    await createLink(service, squatted.token, made),
  ]
  for (const { id } of links) assert.deepEqual((await show(id)).body.paymentLink, isShown)

  await disable(service, 'cia@example.com')
  const owner = await service.signIn('dan@example.com')
  for (const { id } of links) {
    const answer = await show(id)
    assert.deepEqual(answer.body, { paymentLink: { title: null, amount: null, status: 'INACTIVE' } })
    assert.doesNotMatch(answer.text, /Call|31337|REF-7/)
    assertDocumented(`GET /payment-links/${id}/public`, answer)
  }

  await enable(service, 'cia@example.com')
  const kept = await service.call(`POST /auth/api-keys/${squatted.apiKey.id}/keep`, { token: owner })
  assert.equal(kept.status, 200, kept.text)
  for (const { id } of links) assert.deepEqual((await show(id)).body.paymentLink, isShown)
})

test('an unknown or malformed id is a 404', async () => {
  const { id } = await createLink(service, token)
  const unknown = await show('0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11')
  assertError(unknown, 'NOT_FOUND')
  for (const wrong of [
    `${id}%00`,
    '%00',
    id.toUpperCase(),
    id.slice(0, -1),
    "'%20OR%20'1'='1",
    '%25',
    '%F0%9F%94%91',
    'a'.repeat(8000),
  ]) {
    const answer = await show(wrong)
    assertError(answer, 'NOT_FOUND')
    assert.equal(fingerprintOf(answer), fingerprintOf(unknown), wrong)
  }
})
