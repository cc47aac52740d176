/** `GET /auth/api-keys/:id/descendants` shows the caller every key that came from a key of theirs, and nothing else. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertForNoCache } from '../../support/http/answers.ts'
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

/** A key by a token of another key. */
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

test('shows children and children’s children, newest first, as the list shows them, and never a secret', async () => {
  // Of an account nobody has proven, so that no notice of a key is on its way.
  const { token } = await service.signUp('ana@example.com')
  const root = await createKey(service, token)
  const child = await childOf(root)
  const sibling = await createKey(service, token)
  const grandchild = await childOf(child)
  const second = await childOf(root)

  const answer = await assertNothingHappens(service, () => ask(root.apiKey.id, token))
  assertForNoCache(answer)
  const expected = await Promise.all(idsOf(second, grandchild, child).map((id) => listed(service, token, id)))
  assert.deepEqual(answer.body, { apiKeys: expected })
  assert.ok(!/pls_|hash/i.test(answer.text))
  assert.deepEqual(await idsBelow(child, token), idsOf(grandchild))
  for (const key of [grandchild, sibling]) assert.deepEqual(await idsBelow(key, token), [])
})

test('the keys of a signup’s first token come from its first key', async () => {
  const first = await service.signUp('bob@example.com')
  const second = await createKey(service, first.token)
  assert.deepEqual(await idsBelow(first, first.token), idsOf(second))
})

test('dead keys are shown too, and a dead key’s descendants', async () => {
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

// On a claimed account a key rotates only keys that it made: what is below was done before.
test('a key whose secret another key’s token made goes below that one', async () => {
  const { token } = await service.signUp('dan@example.com')
  const thief = await createKey(service, token)
  const taken = await createKey(service, token)
  const child = await childOf(taken)
  assert.deepEqual(await idsBelow(thief, token), [])
  await rotateKey(service, await tokenOf(service, thief), taken)
  assert.deepEqual(await idsBelow(thief, token), idsOf(child, taken))
  // The owner makes its secret anew: what was done with the thief's is still below the thief's key.
  await rotateKey(service, token, taken)
  assert.deepEqual(await idsBelow(thief, token), idsOf(child, taken))
})

test('a key that rotates itself stays where it was, and so does one whose old secret still works', async () => {
  const token = await service.signIn('eva@example.com')
  const root = await createKey(service, token)
  const child = await childOf(root)
  const rotated = await rotateKey(service, await tokenOf(service, child), child)
  assert.deepEqual(await idsBelow(root, token), idsOf(child))
  await rotateKey(service, token, rotated, 60)
  assert.deepEqual(await idsBelow(root, token), idsOf(child))
})

test('a key that another key’s token rotated is below that one and below its maker, for ever', async () => {
  const { token } = await service.signUp('ida@example.com')
  const root = await createKey(service, token)
  const thief = await createKey(service, token)
  const child = await childOf(root)
  await rotateKey(service, await tokenOf(service, thief), child)
  for (const key of [root, thief]) assert.deepEqual(await idsBelow(key, token), idsOf(child))
  await rotateKey(service, token, child)
  for (const key of [root, thief]) assert.deepEqual(await idsBelow(key, token), idsOf(child))
})

test('no rotation takes a key out of the family of the one that rotated it before', async () => {
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

test('keys that rotated each other are each below the other, and neither below itself', async () => {
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

test('somebody else’s key and one that never was are not found alike', async () => {
  const owner = await service.signIn('gil@example.com')
  const key = await createKey(service, owner)
  await childOf(key)
  const stranger = await service.signIn('hal@example.com')
  const refused = await ask(key.apiKey.id, stranger)
  assertError(refused, 'NOT_FOUND')
  assert.equal((await ask('0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11', stranger)).text, refused.text)
  assertError(await ask(key.apiKey.id, 'no-token'), 'UNAUTHORIZED')
})
