import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { runInLockstep } from '../../../support/wire/lockstep.ts'
import { createKey, keepKey, tokenOf } from '../../../support/accounts/keys.ts'
import { addLinks } from '../../../support/database/account-rows.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { userOf } from '../../../support/database/state.ts'

const ROUTE = 'POST /payment-links'
const LIMIT = 7
let service: Service

before(async () => {
  service = await startService({ PAYMENT_LINK_LIMIT: String(LIMIT) })
})
after(() => service.close())

const body = { amount: 1050, title: 'Lunch' }
const make = (token: string, key?: string, more = {}) =>
  service.call(ROUTE, { token, body: { ...body, ...more }, ...(key && { headers: { 'idempotency-key': key } }) })
const storedOf = async (email: string) => {
  const { id, payment_link_count: count } = await userOf(service.db, email)
  const links = await service.db.query.selectFrom('payment_links').select('id').where('user_id', '=', id).execute()
  return { links: links.length, count }
}
/** Creates links until one is refused; returns how many were created. */
async function fill(token: string): Promise<number> {
  for (let made = 0; ; made += 1) {
    const answer = await make(token)
    if (answer.status === 201) continue
    assertError(answer, 'PAYMENT_LINK_LIMIT_REACHED')
    return made
  }
}

test('concurrent calls create exactly as many links as there is room; the others get the limit and what to do, and store nothing', async () => {
  const email = 'ana@example.com'
  const token = await service.signIn(email)
  await make(token)
  const answers = await runInLockstep(service, 30, (n) => make(token, n % 2 ? `key-${n}` : undefined))
  assert.equal(answers.filter(({ status }) => status === 201).length, LIMIT - 1)
  const refused = answers.filter(({ status }) => status !== 201)
  for (const each of refused)
    assertError(each, 'PAYMENT_LINK_LIMIT_REACHED', /limit of 7 payment links\. Ask the operator/)
  assert.deepEqual(await storedOf(email), { links: LIMIT, count: LIMIT })
  const { id } = await userOf(service.db, email)
  const kept = await service.db.query
    .selectFrom('idempotency_keys')
    .select('key_hash')
    .where('user_id', '=', id)
    .execute()
  assert.ok(kept.length < LIMIT, 'a refusal stores no answer')
  await service.deps.failureLog.flush()
  const { body: history } = await service.call('GET /auth/events', { token })
  const hits = history.events.filter(({ type }: { type: string }) => type === 'limit_hit')
  assert.deepEqual(
    hits.map(({ detail, times }: any) => [detail, times]),
    [['payment-link-limit', refused.length]],
  )
})

test('a repeat counts once and is answered even at the limit; a failed call does not count; deactivating frees nothing', async () => {
  const email = 'bob@example.com'
  const token = await service.signIn(email)
  const first = await make(token, 'order-1')
  for (let n = 0; n < 3; n += 1) assert.equal((await make(token, 'order-1')).text, first.text)
  assertError(await make(token, undefined, { expiresAt: '2020-01-01T00:00:00Z' }), 'VALIDATION_FAILED')
  assertError(await make(token, 'order-1', { amount: 1 }), 'IDEMPOTENCY_CONFLICT')
  assert.deepEqual(await storedOf(email), { links: 1, count: 1 })
  assert.equal(await fill(token), LIMIT - 1)
  assert.equal((await make(token, 'order-1')).text, first.text)
  await service.call(`POST /payment-links/${first.body.paymentLink.id}/deactivate`, { token })
  assertError(await make(token), 'PAYMENT_LINK_LIMIT_REACHED')
  assert.deepEqual(await storedOf(email), { links: LIMIT, count: LIMIT })
})

test('an account without a stored count is counted once, even if it exceeds the limit', async () => {
  for (const [email, had] of [
    ['cia@example.com', 4],
    ['dan@example.com', LIMIT],
    ['eva@example.com', LIMIT * 3],
  ] as const) {
    const token = await service.signIn(email)
    const { id } = await userOf(service.db, email)
    // Its claim is older than its links.
    await service.db.query
      .updateTable('users')
      .set({ payment_link_count: null, claimed_at_ms: 1 })
      .where('id', '=', id)
      .execute()
    await addLinks(service.db, id, had)
    assert.equal(await fill(token), Math.max(0, LIMIT - had))
    assert.deepEqual(await storedOf(email), { links: Math.max(LIMIT, had), count: LIMIT })
  }
})

test('a squatter’s links do not count against the owner, even if their key is kept; the total is at most twice the limit', async () => {
  const email = 'fay@example.com'
  const squatted = await service.signUp(email)
  assert.equal(await fill(squatted.token), LIMIT)
  const owner = await service.signIn(email)
  assert.equal((await storedOf(email)).count, 0)
  await keepKey(service, owner, squatted)
  assert.equal((await make(await tokenOf(service, squatted))).status, 201)
  assert.equal(await fill(owner), LIMIT - 1)
  assertError(await make(await tokenOf(service, await createKey(service, owner))), 'PAYMENT_LINK_LIMIT_REACHED')
  assert.deepEqual(await storedOf(email), { links: 2 * LIMIT, count: LIMIT })
  // A database of the previous version has no count. Links from before the claim stay uncounted.
  const { id } = await userOf(service.db, email)
  await service.db.query.updateTable('users').set({ payment_link_count: null }).where('id', '=', id).execute()
  await service.db.query
    .updateTable('payment_links')
    .set({ created_at_ms: 1 })
    .where('user_id', '=', id)
    .where('claimed_at_ms', 'is', null)
    .execute()
  assert.equal(await fill(owner), 0)
  assert.equal((await storedOf(email)).count, LIMIT)
})

test('a new account with a deleted one’s address has the full limit', async () => {
  const email = 'gil@example.com'
  const token = await service.signIn(email)
  assert.equal(await fill(token), LIMIT)
  assert.equal((await service.call('DELETE /users/me', { token })).status, 200)
  assert.equal(await fill(await service.signIn(email)), LIMIT)
})

test('revoking the stolen key that used up the limit restores all of it, once; a key or a squatter cannot restore it', async () => {
  const email = 'hal@example.com'
  const squatter = await service.signUp(email)
  const own = await createKey(service, squatter.token)
  assert.equal(await fill(squatter.token), LIMIT)
  assert.equal(
    (await service.call(`POST /auth/api-keys/${own.apiKey.id}/revoke`, { token: squatter.token })).status,
    200,
  )
  assertError(await make(squatter.token), 'PAYMENT_LINK_LIMIT_REACHED')

  const owner = await service.signIn(email)
  const stolen = await createKey(service, owner)
  const thief = await tokenOf(service, stolen)
  const child = await createKey(service, thief)
  assert.equal(await fill(thief), LIMIT)
  assert.equal((await service.call(`POST /auth/api-keys/${child.apiKey.id}/revoke`, { token: thief })).status, 200)
  for (const token of [thief, owner])
    assertError(await make(token), 'PAYMENT_LINK_LIMIT_REACHED', /revoke that key: this resets the count\.$/)
  assert.equal((await service.call(`POST /auth/api-keys/${stolen.apiKey.id}/revoke`, { token: owner })).status, 200)
  assert.equal((await make(thief)).status, 401)
  assert.equal(await fill(owner), LIMIT)
  await service.call(`POST /auth/api-keys/${stolen.apiKey.id}/revoke`, { token: owner })
  assertError(await make(owner), 'PAYMENT_LINK_LIMIT_REACHED')
})
