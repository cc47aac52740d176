/** Keys that ended long ago leave the record; what they made, and that they were revoked, stays known. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { upkeep } from '../../../src/domain/upkeep.ts'
import { assertError } from '../../support/http/answers.ts'
import { createKey, exchange, keepKey, listKeys, rotateKey, tokenOf } from '../../support/accounts/keys.ts'
import type { NewKey } from '../../support/accounts/keys.ts'
import { createLink, publicStatusOf } from '../../support/accounts/payment-links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { userOf } from '../../support/database/state.ts'

const DAY_MS = 24 * 3600 * 1000
/** Above the least time that ended keys are kept. */
const KEPT_DAYS = 31
const DAYS_BETWEEN = 3
let service: Service
before(async () => {
  service = await startService({ EVENTS_KEEP_DAYS: String(KEPT_DAYS) })
})
after(() => service.close())

const idOf = ({ apiKey }: NewKey) => apiKey.id
const revoke = (token: string, key: NewKey, query = '') =>
  service.call(`POST /auth/api-keys/${idOf(key)}/revoke${query}`, { token })
const rowsOf = async (table: 'api_keys' | 'key_makers', email: string) =>
  service.db.query
    .selectFrom(table)
    .selectAll()
    .where('user_id', '=', (await userOf(service.db, email)).id)
    .execute()
const keyIdsOf = async (email: string) => new Set((await rowsOf('api_keys', email)).map(({ id }) => id))
const tombstones = async () =>
  new Map((await service.db.query.selectFrom('revoked_keys').selectAll().execute()).map((row) => [row.id, row]))
async function later(days: number): Promise<void> {
  service.clock.advance(days * DAY_MS)
  await upkeep(service.deps)
}

test('a revoked and an expired key leave the record when their events do, and not before; live keys stay', async () => {
  const email = 'ana@example.com'
  const token = await service.signIn(email)
  const [live, revoked] = [await createKey(service, token), await createKey(service, token)]
  const expired = await createKey(service, token, { expiresInDays: 1 })
  const unused = await createKey(service, token, { expiresInDays: 90 })
  service.clock.advance(DAY_MS)
  const revokedAtMs = service.clock.now()
  await revoke(token, revoked)
  await later(KEPT_DAYS - 1)
  assert.equal((await keyIdsOf(email)).size, 4)
  await later(1)
  await later(1)
  assert.deepEqual(await keyIdsOf(email), new Set([live, unused].map(idOf)))
  const left = await tombstones()
  assert.deepEqual(left.get(idOf(revoked)), { id: idOf(revoked), revoked_at_ms: revokedAtMs })
  assert.deepEqual([left.has(idOf(expired)), left.has(idOf(live))], [false, false])
  const now = await service.signIn(email)
  assert.deepEqual(new Set((await listKeys(service, now)).map(({ id }) => id)), new Set([live, unused].map(idOf)))
  assertError(await exchange(service, revoked), 'INVALID_CREDENTIALS')
  assertError(await revoke(now, revoked), 'NOT_FOUND')
  assert.equal((await exchange(service, live)).status, 200)
})

test('rows of ended keys are bounded: a program that replaces its key every few days leaves no more rows than keys', async () => {
  const email = 'bob@example.com'
  let key = await createKey(service, await service.signIn(email))
  for (let day = 0; day < 2 * KEPT_DAYS + 6; day += DAYS_BETWEEN) {
    const next = await createKey(service, await tokenOf(service, key))
    await revoke(await tokenOf(service, next), key)
    await revoke(await service.signIn(email), key)
    key = next
    await later(DAYS_BETWEEN)
  }
  const { length: keys } = await rowsOf('api_keys', email)
  const kept = KEPT_DAYS / DAYS_BETWEEN
  assert.ok(keys >= kept && keys <= kept + 3, `${keys}`)
  const makers = (await rowsOf('key_makers', email)) as { key_id: string }[]
  assert.ok(makers.length <= keys, `${makers.length} rows`)
  const { id } = await userOf(service.db, email)
  assert.ok(!makers.some((row) => row.key_id === id), 'no row stands for deleted keys')
})

test('descent through deleted keys stays exact: what a key made is revoked with it, and nothing else', async () => {
  const email = 'cia@example.com'
  const token = await service.signIn(email)
  const [first, other] = [await createKey(service, token), await createKey(service, token)]
  const middle = await createKey(service, await tokenOf(service, first))
  const rotated = await createKey(service, token)
  const last = await createKey(service, await tokenOf(service, middle))
  await rotateKey(service, await tokenOf(service, middle), last)
  const [early, of] = [await createKey(service, token), await tokenOf(service, other)]
  const byOther = await createKey(service, of)
  const byEarly = await createKey(service, await tokenOf(service, early))
  for (const key of [middle, early, byOther]) assert.equal((await revoke(token, key)).status, 200)
  await later(KEPT_DAYS + 1)
  const ids = await keyIdsOf(email)
  assert.deepEqual(
    [middle, early, byOther].map((key) => ids.has(idOf(key))),
    [false, false, false],
  )
  // The key that made the deleted one has authority over what that one created.
  assert.equal((await rotateKey(service, await tokenOf(service, first), last)).apiKey.id, idOf(last))
  const now = await service.signIn(email)
  assert.equal((await revoke(now, first, '?withDescendants=true')).status, 200)
  assertError(await exchange(service, last), 'INVALID_CREDENTIALS')
  for (const key of [other, rotated, byEarly]) assert.equal((await exchange(service, key)).status, 200)
})

test('a key has no authority over what a deleted key that it rotated created', async () => {
  const email = 'dan@example.com'
  const token = await service.signIn(email)
  const [rotating, middle] = [await createKey(service, token), await createKey(service, token)]
  const own = await createKey(service, await tokenOf(service, middle))
  await service.db.query
    .insertInto('key_makers')
    .values({
      id: `${idOf(middle)} rotated ${idOf(rotating)}`,
      user_id: (await userOf(service.db, email)).id,
      key_id: idOf(middle),
      how: 'rotated',
      maker_key_id: idOf(rotating),
      sign_in_id: null,
      at_ms: service.clock.now(),
      last_at_ms: null,
    })
    .execute()
  await revoke(token, middle)
  await later(KEPT_DAYS + 1)
  assertError(await revoke(await tokenOf(service, rotating), own), 'SIGN_IN_REQUIRED')
  const now = await service.signIn(email)
  assert.equal((await revoke(now, rotating, '?withDescendants=true')).status, 200)
  assertError(await exchange(service, own), 'INVALID_CREDENTIALS')
})

test('payment links of deleted keys: those of a key that awaited the owner stay held, those that a kept key made stay payable', async () => {
  const email = 'eva@example.com'
  const squatter = await service.signUp(email)
  const kept = await createKey(service, squatter.token)
  const byKept = await createLink(service, await tokenOf(service, kept))
  const bySquatter = await createLink(service, squatter.token)
  const token = await service.signIn(email)
  await keepKey(service, token, kept)
  const byKeptLater = await createLink(service, await tokenOf(service, kept))
  await revoke(token, kept)
  await revoke(token, squatter)
  await later(KEPT_DAYS + 1)
  assert.equal((await keyIdsOf(email)).size, 0)
  const states = () => Promise.all([byKept, bySquatter, byKeptLater].map(({ id }) => publicStatusOf(service, id)))
  assert.deepEqual(await states(), ['ACTIVE', 'INACTIVE', 'ACTIVE'])
  const kinds = async () => (await rowsOf('key_makers', email)).map((row) => (row as { how: string }).how)
  assert.deepEqual(await kinds(), ['kept'], 'its links need it')

  const now = await service.signIn(email)
  for (const { id } of [byKept, byKeptLater]) await service.call(`POST /payment-links/${id}/deactivate`, { token: now })
  await later(401)
  assert.deepEqual(await kinds(), [])
})

test('an account with hundreds of ended keys is swept in short transactions, and a stop ends the sweep', async () => {
  const email = 'fay@example.com'
  await service.signIn(email)
  const { id: userId } = await userOf(service.db, email)
  const some = await service.db.query.selectFrom('api_keys').selectAll().limit(1).executeTakeFirstOrThrow()
  const rows = Array.from({ length: 300 }, (_, n) => {
    const id = `${userId}-${n}`
    return { ...some, id, user_id: userId, key_id: id, secret_hash: id, revoked_at_ms: service.clock.now() - n }
  })
  for (let n = 0; n < 300; n += 100)
    await service.db.query
      .insertInto('api_keys')
      .values(rows.slice(n, n + 100))
      .execute()
  service.clock.advance((KEPT_DAYS + 1) * DAY_MS)
  await upkeep(service.deps, AbortSignal.abort())
  assert.equal((await keyIdsOf(email)).size, 300)
  await upkeep(service.deps)
  assert.equal((await keyIdsOf(email)).size, 0)
  const left = await tombstones()
  assert.ok(rows.every(({ id }) => left.has(id)))
})
