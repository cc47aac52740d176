import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { createKey, listed, rotateKey, tokenOf } from '../../support/accounts/keys.ts'
import type { NewKey } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens } from '../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const ask = (id: string, token: string) => service.call(`GET /auth/api-keys/${id}/descendants`, { token })

/** Creates a key with a token of another key. */
async function childOf(parent: NewKey, name = 'Child'): Promise<NewKey> {
  service.clock.advance(1)
  return createKey(service, await tokenOf(service, parent), { name })
}

async function idsBelow({ apiKey }: NewKey, token: string): Promise<string[]> {
  const answer = await ask(apiKey.id, token)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.apiKeys.map(({ id }: { id: string }) => id)
}

const idsOf = (...keys: NewKey[]) => keys.map(({ apiKey }) => apiKey.id)

test('descendants are listed transitively, newest first, as in the list of keys, without secrets', async () => {
  // On an unclaimed account, so that no notice of a key is being sent.
  const { token } = await service.signUp('ana@example.com')
  const root = await createKey(service, token)
  const child = await childOf(root)
  const sibling = await createKey(service, token)
  const grandchild = await childOf(child)
  const second = await childOf(root)

  const answer = await assertNothingHappens(service, () => ask(root.apiKey.id, token))
  assertUncacheable(answer)
  const expected = await Promise.all(idsOf(second, grandchild, child).map((id) => listed(service, token, id)))
  assert.deepEqual(answer.body, { apiKeys: expected })
  assert.ok(!/pls_|hash/i.test(answer.text))
  assert.deepEqual(await idsBelow(child, token), idsOf(grandchild))
  for (const key of [grandchild, sibling]) assert.deepEqual(await idsBelow(key, token), [])
})

test('keys created with a signup’s token are descendants of its first key', async () => {
  const first = await service.signUp('bob@example.com')
  const second = await createKey(service, first.token)
  assert.deepEqual(await idsBelow(first, first.token), idsOf(second))
})

test('revoked keys are listed too, and so are the descendants of a revoked key', async () => {
  const token = await service.signIn('cia@example.com')
  const root = await createKey(service, token)
  const child = await childOf(root)
  const grandchild = await childOf(child)
  for (const { apiKey } of [root, child]) await service.call(`POST /auth/api-keys/${apiKey.id}/revoke`, { token })
  assert.deepEqual(await idsBelow(root, token), idsOf(grandchild, child))
  const { body } = await ask(root.apiKey.id, token)
  assert.deepEqual(
    body.apiKeys.map(({ status }: { status: string }) => status),
    ['ACTIVE', 'REVOKED'],
  )
})

// On a claimed account a key can rotate only keys it created, so the rotations below happen before the claim.
test('a key rotated with another key’s token is a descendant of that key', async () => {
  const { token } = await service.signUp('dan@example.com')
  const thief = await createKey(service, token)
  const taken = await createKey(service, token)
  const child = await childOf(taken)
  assert.deepEqual(await idsBelow(thief, token), [])
  await rotateKey(service, await tokenOf(service, thief), taken)
  assert.deepEqual(await idsBelow(thief, token), idsOf(child, taken))
  // Another rotation by the owner does not undo what was done with the thief's secret.
  await rotateKey(service, token, taken)
  assert.deepEqual(await idsBelow(thief, token), idsOf(child, taken))
})

test('rotating itself or being rotated with a grace period does not move a key', async () => {
  const token = await service.signIn('eva@example.com')
  const root = await createKey(service, token)
  const child = await childOf(root)
  const rotated = await rotateKey(service, await tokenOf(service, child), child)
  assert.deepEqual(await idsBelow(root, token), idsOf(child))
  await rotateKey(service, token, rotated, 60)
  assert.deepEqual(await idsBelow(root, token), idsOf(child))
})

test('a key rotated with another key’s token stays a descendant of both that key and its maker', async () => {
  const { token } = await service.signUp('ida@example.com')
  const root = await createKey(service, token)
  const thief = await createKey(service, token)
  const child = await childOf(root)
  await rotateKey(service, await tokenOf(service, thief), child)
  for (const key of [root, thief]) assert.deepEqual(await idsBelow(key, token), idsOf(child))
  await rotateKey(service, token, child)
  for (const key of [root, thief]) assert.deepEqual(await idsBelow(key, token), idsOf(child))
})

test('a later rotation never removes a key from the descendants of an earlier rotator', async () => {
  const { token } = await service.signUp('kay@example.com')
  const [root, one, other] = [
    await createKey(service, token),
    await createKey(service, token),
    await createKey(service, token),
  ]
  const rotatedOne = await rotateKey(service, await tokenOf(service, root), one)
  const tokenOfOne = await tokenOf(service, rotatedOne)
  const rotatedOther = await rotateKey(service, tokenOfOne, other)
  await rotateKey(service, await tokenOf(service, rotatedOther), one)
  assert.deepEqual(new Set(await idsBelow(root, token)), new Set(idsOf(one, other)))
})

test('keys that rotated each other are descendants of each other, and not of themselves', async () => {
  const { token } = await service.signUp('fay@example.com')
  const one = await createKey(service, token)
  const other = await createKey(service, token)
  const tokenOfOne = await tokenOf(service, one)
  const tokenOfOther = await tokenOf(service, other)
  await rotateKey(service, tokenOfOne, other)
  await rotateKey(service, tokenOfOther, one)
  assert.deepEqual(await idsBelow(one, token), idsOf(other))
  assert.deepEqual(await idsBelow(other, token), idsOf(one))
})

test('another user’s key and an unknown id get the same 404', async () => {
  const owner = await service.signIn('gil@example.com')
  const key = await createKey(service, owner)
  await childOf(key)
  const stranger = await service.signIn('hal@example.com')
  const refused = await ask(key.apiKey.id, stranger)
  assertError(refused, 'NOT_FOUND')
  assert.equal((await ask('0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11', stranger)).text, refused.text)
  assertError(await ask(key.apiKey.id, 'no-token'), 'UNAUTHORIZED')
})
