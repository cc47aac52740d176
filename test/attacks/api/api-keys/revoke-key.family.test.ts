/** `POST /auth/api-keys/:id/revoke?withDescendants=true` kills a key and every key that came from it, together. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { atOnce } from '../../../support/http/at-once.ts'
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
import { assertNothingHappens, contentOf } from '../../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const revoke = ({ apiKey }: NewKey, token: string, query = '?withDescendants=true') =>
  service.call(`POST /auth/api-keys/${apiKey.id}/revoke${query}`, { token })

const revocationsOf = async ({ apiKey }: NewKey) =>
  (await contentOf(service.db)).events.filter((event) => event.type === 'key_revoked' && event.api_key_id === apiKey.id)

/** A key, its child, the child's child, and a key beside them; with a token of each. */
async function family(email: string) {
  const token = await service.signIn(email)
  const root = await createKey(service, token)
  const rootToken = await tokenOf(service, root)
  const child = await createKey(service, rootToken)
  const childToken = await tokenOf(service, child)
  const grandchild = await createKey(service, childToken)
  const beside = await createKey(service, token)
  const tokens = [rootToken, childToken, await tokenOf(service, grandchild), await tokenOf(service, beside)]
  return { token, root, child, grandchild, beside, keys: [root, child, grandchild, beside], tokens }
}

const dead = (count: number) => Array<string>(count).fill('UNAUTHORIZED')
const refused = (count: number) => Array<string>(count).fill('INVALID_CREDENTIALS')

test('the key, its descendants and all their tokens are dead at once; what is beside them lives', async () => {
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

test('from the middle, the key above stays', async () => {
  const { token, child, keys, tokens } = await family('bob@example.com')
  await revoke(child, token)
  assert.deepEqual(await statesOf(service, tokens), ['bob@example.com', ...dead(2), 'bob@example.com'])
  assert.deepEqual(await exchangesOf(service, keys), ['works', ...refused(2), 'works'])
})

test('each killed key has one event of its own, by whom it was; a second time adds none', async () => {
  const { token, root, child, grandchild, beside, tokens } = await family('cia@example.com')
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
  assert.deepEqual(await revocationsOf(beside), [])
  const again = await assertNothingHappens(service, () => revoke(root, token))
  assert.equal(again.status, 200)
})

test('an already revoked key still takes its descendants with it; the time of its own end stays', async () => {
  const { token, root, keys } = await family('dan@example.com')
  const first = await revoke(root, token, '')
  assert.deepEqual(await exchangesOf(service, keys), [...refused(1), 'works', 'works', 'works'])
  service.clock.advance(60_000)
  const second = await revoke(root, token)
  assert.equal(second.body.apiKey.revokedAt, first.body.apiKey.revokedAt)
  assert.deepEqual(await exchangesOf(service, keys), [...refused(3), 'works'])
})

test('without it, with false, or asked for in any other words, the descendants live', async () => {
  const { token, root, keys } = await family('eva@example.com')
  for (const query of ['1', 'TRUE', '', 'yes', 'true&withDescendants=true']) {
    const answer = await assertNothingHappens(service, () => revoke(root, token, `?withDescendants=${query}`))
    assertError(answer, 'VALIDATION_FAILED')
  }
  assert.equal((await revoke(root, token, '?withDescendants=false')).status, 200)
  assert.deepEqual(await exchangesOf(service, keys), ['INVALID_CREDENTIALS', 'works', 'works', 'works'])
})

test('a key’s own token kills its whole family, and itself with it', async () => {
  const { root, tokens } = await family('fay@example.com')
  assert.equal((await revoke(root, tokens[0] ?? '')).status, 200)
  assert.deepEqual(await statesOf(service, tokens), [...dead(3), 'fay@example.com'])
})

test('a key’s token revokes itself and what came from it; every other key of the account takes a person', async () => {
  const { root, child, grandchild, beside, keys, tokens } = await family('kim@example.com')
  const [, ofChild = '', ofGrandchild = '', ofBeside = ''] = tokens
  const foreign = [
    [root, ofChild],
    [beside, ofChild],
    [child, ofGrandchild],
    [root, ofBeside],
    [grandchild, ofBeside],
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

test('a key that rotated its maker while nobody had claimed the account has no power over it afterwards', async () => {
  const email = 'lea@example.com'
  const maker = await service.signUp(email)
  const made = await createKey(service, maker.token)
  const rotated = { ...(await rotateKey(service, await tokenOf(service, made), maker)) }
  const owner = await service.signIn(email)
  for (const key of [rotated, made]) await keepKey(service, owner, key)
  const grandchild = await createKey(service, await tokenOf(service, made))
  const token = await tokenOf(service, made)

  assertError(await assertNothingHappens(service, () => revoke(rotated, token)), 'SIGN_IN_REQUIRED')
  // The maker stands below it too, and is spared: it goes where its owner revokes it, not here.
  assert.equal((await revoke(made, token)).status, 200)
  assert.deepEqual(await exchangesOf(service, [rotated, made, grandchild]), ['works', ...refused(2)])
})

test('while nobody has claimed the account, a key’s token acts on all of its keys', async () => {
  const first = await service.signUp('mia@example.com')
  const made = await createKey(service, first.token)
  const token = await tokenOf(service, made)
  const again = await rotateKey(service, token, first)
  assert.deepEqual(await exchangesOf(service, [again, made]), ['works', 'works'])
  assert.equal((await revoke(again, token, '')).status, 200)
  assert.deepEqual(await exchangesOf(service, [again, made]), ['INVALID_CREDENTIALS', 'works'])
})

test('waiting descendants die too, and cannot be kept afterwards', async () => {
  const first = await service.signUp('gil@example.com')
  const second = await createKey(service, first.token)
  const token = await service.signIn('gil@example.com')
  await revoke(first, token)
  const kept = await service.call(`POST /auth/api-keys/${second.apiKey.id}/keep`, { token })
  assert.equal(kept.body.apiKey.status, 'REVOKED')
  assert.deepEqual(await exchangesOf(service, [first, second]), refused(2))
})

test('a key made by the dying key at the same moment is dead, or was never made', async () => {
  const { token, root, tokens } = await family('hal@example.com')
  const answers = await atOnce(service, 6, (index) =>
    index === 3 ? revoke(root, token) : service.call('POST /auth/api-keys', { token: tokens[0] ?? '' }),
  )
  const made = answers.flatMap(({ status, body }) => (status === 201 ? [body] : []))
  assert.deepEqual(await exchangesOf(service, made), refused(made.length))
  const { body } = await service.call('GET /auth/api-keys', { token })
  const alive = body.apiKeys.filter(({ status }: { status: string }) => status === 'ACTIVE')
  assert.equal(alive.length, 1, 'the key beside')
})

test('somebody else’s key is not found, with its descendants or without', async () => {
  const { root, keys } = await family('ida@example.com')
  const stranger = await service.signIn('jim@example.com')
  assertError(await assertNothingHappens(service, () => revoke(root, stranger)), 'NOT_FOUND')
  assert.deepEqual(await exchangesOf(service, keys), Array(4).fill('works'))
})
