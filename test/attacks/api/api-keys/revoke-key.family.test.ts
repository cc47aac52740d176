import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { runInLockstep } from '../../../support/wire/lockstep.ts'
import {
  createKey,
  exchangesOf,
  keepKey,
  listed,
  rotateKey,
  statesOf,
  tokenOf,
} from '../../../support/accounts/keys.ts'
import type { NewKey } from '../../../support/accounts/keys.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { assertNothingHappens, databaseContent } from '../../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const revoke = ({ apiKey }: NewKey, token: string, query = '?withDescendants=true') =>
  service.call(`POST /auth/api-keys/${apiKey.id}/revoke${query}`, { token })

const revocationsOf = async ({ apiKey }: NewKey) =>
  (await databaseContent(service.db)).events.filter(
    (event) => event.type === 'key_revoked' && event.api_key_id === apiKey.id,
  )

/** A key, its child and grandchild, and an unrelated sibling, with a token of each. */
async function family(email: string) {
  const token = await service.signIn(email)
  const root = await createKey(service, token)
  const rootToken = await tokenOf(service, root)
  const child = await createKey(service, rootToken)
  const childToken = await tokenOf(service, child)
  const grandchild = await createKey(service, childToken)
  const sibling = await createKey(service, token)
  const tokens = [rootToken, childToken, await tokenOf(service, grandchild), await tokenOf(service, sibling)]
  return { token, root, child, grandchild, sibling, keys: [root, child, grandchild, sibling], tokens }
}

const dead = (count: number) => Array<string>(count).fill('UNAUTHORIZED')
const refused = (count: number) => Array<string>(count).fill('INVALID_CREDENTIALS')

test('revoking a key with its descendants revokes all their keys and tokens at once and spares its siblings', async () => {
  const { token, root, child, keys, tokens } = await family('ana@example.com')
  service.clock.advance(1000)
  const answer = await revoke(root, token)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { apiKey: await listed(service, token, root.apiKey.id) })
  assert.equal(answer.body.apiKey.status, 'REVOKED')
  assert.deepEqual(await statesOf(service, tokens), [...dead(3), 'ana@example.com'])
  assert.deepEqual(await exchangesOf(service, keys), [...refused(3), 'works'])
  const revokedAt = (await listed(service, token, child.apiKey.id)).revokedAt
  assert.equal(revokedAt, answer.body.apiKey.revokedAt)
})

test('revoking a key in the middle of the chain spares its parent', async () => {
  const { token, child, keys, tokens } = await family('bob@example.com')
  await revoke(child, token)
  assert.deepEqual(await statesOf(service, tokens), ['bob@example.com', ...dead(2), 'bob@example.com'])
  assert.deepEqual(await exchangesOf(service, keys), ['works', ...refused(2), 'works'])
})

test('each revoked key has one event that names the revoking key; a repeated call adds none', async () => {
  const { token, root, child, grandchild, sibling, tokens } = await family('cia@example.com')
  await revoke(child, token, '')
  await revoke(root, tokens[0] ?? '')
  for (const [key, by] of [
    [root, root.apiKey.id],
    [child, null],
    [grandchild, root.apiKey.id],
  ] as const) {
    assert.deepEqual(
      (await revocationsOf(key)).map((event) => event.by_api_key_id),
      [by],
    )
  }
  assert.deepEqual(await revocationsOf(sibling), [])
  const again = await assertNothingHappens(service, () => revoke(root, token))
  assert.equal(again.status, 200)
})

test('revoking an already revoked key with its descendants revokes them and keeps the first revocation time', async () => {
  const { token, root, keys } = await family('dan@example.com')
  const first = await revoke(root, token, '')
  assert.deepEqual(await exchangesOf(service, keys), [...refused(1), 'works', 'works', 'works'])
  service.clock.advance(60_000)
  const second = await revoke(root, token)
  assert.equal(second.body.apiKey.revokedAt, first.body.apiKey.revokedAt)
  assert.deepEqual(await exchangesOf(service, keys), [...refused(3), 'works'])
})

test('descendants stay active without withDescendants, with false, and with any invalid value', async () => {
  const { token, root, keys } = await family('eva@example.com')
  for (const query of ['1', 'TRUE', '', 'yes', 'true&withDescendants=true']) {
    const answer = await assertNothingHappens(service, () => revoke(root, token, `?withDescendants=${query}`))
    assertError(answer, 'VALIDATION_FAILED')
  }
  assert.equal((await revoke(root, token, '?withDescendants=false')).status, 200)
  assert.deepEqual(await exchangesOf(service, keys), ['INVALID_CREDENTIALS', 'works', 'works', 'works'])
})

test('a key’s own token can revoke its whole family, itself included', async () => {
  const { root, tokens } = await family('fay@example.com')
  assert.equal((await revoke(root, tokens[0] ?? '')).status, 200)
  assert.deepEqual(await statesOf(service, tokens), [...dead(3), 'fay@example.com'])
})

test('a key’s token can revoke itself and its descendants; any other key of the account requires a signed-in person', async () => {
  const { root, child, grandchild, sibling, keys, tokens } = await family('kim@example.com')
  const [, ofChild = '', ofGrandchild = '', ofSibling = ''] = tokens
  const foreign = [
    [root, ofChild],
    [sibling, ofChild],
    [child, ofGrandchild],
    [root, ofSibling],
    [grandchild, ofSibling],
  ] as const
  await assertNothingHappens(service, async () => {
    for (const [key, token] of foreign) {
      for (const query of ['', '?withDescendants=true'])
        assertError(await revoke(key, token, query), 'SIGN_IN_REQUIRED')
    }
  })
  assert.deepEqual(await exchangesOf(service, keys), Array(4).fill('works'))
  assert.equal((await revoke(grandchild, ofChild, '')).status, 200)
  assert.equal((await revoke(child, tokens[0] ?? '')).status, 200)
  assert.deepEqual(await exchangesOf(service, keys), ['works', ...refused(2), 'works'])
})

test('a key that rotated its parent before the account was claimed cannot revoke that parent afterwards', async () => {
  const email = 'lea@example.com'
  const maker = await service.signUp(email)
  const made = await createKey(service, maker.token)
  const rotated = { ...(await rotateKey(service, await tokenOf(service, made), maker)) }
  const owner = await service.signIn(email)
  for (const key of [rotated, made]) await keepKey(service, owner, key)
  const grandchild = await createKey(service, await tokenOf(service, made))
  const token = await tokenOf(service, made)

  assertError(await assertNothingHappens(service, () => revoke(rotated, token)), 'SIGN_IN_REQUIRED')
  // The parent counts as a descendant of `made` since the rotation. Only the owner's revocation reaches it.
  assert.equal((await revoke(made, token)).status, 200)
  assert.deepEqual(await exchangesOf(service, [rotated, made, grandchild]), ['works', ...refused(2)])
})

test('while the account is unclaimed, a key’s token can rotate and revoke every key', async () => {
  const first = await service.signUp('mia@example.com')
  const made = await createKey(service, first.token)
  const token = await tokenOf(service, made)
  const again = await rotateKey(service, token, first)
  assert.deepEqual(await exchangesOf(service, [again, made]), ['works', 'works'])
  assert.equal((await revoke(again, token, '')).status, 200)
  assert.deepEqual(await exchangesOf(service, [again, made]), ['INVALID_CREDENTIALS', 'works'])
})

test('while the account is unclaimed, the token of a key with an expiry rotates and revokes no key that could outlive it', async () => {
  const first = await service.signUp('nia@example.com')
  const expiring = await createKey(service, first.token, { expiresInDays: 1 })
  const token = await tokenOf(service, expiring)
  const rotate = () => service.call(`POST /auth/api-keys/${first.apiKey.id}/rotate`, { token })
  await assertNothingHappens(service, async () => {
    for (const act of [rotate, () => revoke(first, token, '')]) assertError(await act(), 'SIGN_IN_REQUIRED')
  })
  const own = await rotateKey(service, token, expiring)
  assert.deepEqual(await exchangesOf(service, [first, expiring, own]), ['works', 'INVALID_CREDENTIALS', 'works'])
})

test('descendants that await the owner are revoked too and cannot be kept afterwards', async () => {
  const first = await service.signUp('gil@example.com')
  const second = await createKey(service, first.token)
  const token = await service.signIn('gil@example.com')
  await revoke(first, token)
  const kept = await service.call(`POST /auth/api-keys/${second.apiKey.id}/keep`, { token })
  assert.equal(kept.body.apiKey.status, 'REVOKED')
  assert.deepEqual(await exchangesOf(service, [first, second]), refused(2))
})

test('a key that its parent creates during the parent’s revocation is revoked or never created', async () => {
  const { token, root, tokens } = await family('hal@example.com')
  const answers = await runInLockstep(service, 6, (index) =>
    index === 3 ? revoke(root, token) : service.call('POST /auth/api-keys', { token: tokens[0] ?? '' }),
  )
  const made = answers.flatMap(({ status, body }) => (status === 201 ? [body] : []))
  assert.deepEqual(await exchangesOf(service, made), refused(made.length))
  const { body } = await service.call('GET /auth/api-keys', { token })
  const alive = body.apiKeys.filter(({ status }: { status: string }) => status === 'ACTIVE')
  assert.equal(alive.length, 1, 'only the sibling is active')
})

test('another user’s key gets 404, with and without descendants', async () => {
  const { root, keys } = await family('ida@example.com')
  const stranger = await service.signIn('jim@example.com')
  assertError(await assertNothingHappens(service, () => revoke(root, stranger)), 'NOT_FOUND')
  assert.deepEqual(await exchangesOf(service, keys), Array(4).fill('works'))
})
