import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deleteAnswersBefore, findAnswer, upsertAnswer } from '../../../src/domain/idempotency/idempotency-store.ts'
import type { Transaction } from '../../../src/database/database.ts'
import { insertUser } from '../../../src/domain/users/user-store.ts'
import { userRow } from '../../support/accounts/rows.ts'
import { openNewDatabase } from '../../support/database/database.ts'
import type { OpenedDatabase } from '../../support/database/database.ts'
import { databaseContent } from '../../support/database/state.ts'

let database: OpenedDatabase
before(async () => {
  database = await openNewDatabase()
  await database.db.transaction(async (trx) => {
    for (const id of ['u', 'v']) await insertUser(trx, userRow(id, { claimed_at_ms: null }))
  })
})
after(() => database.close())

const inTransaction = <T>(work: (trx: Transaction) => Promise<T>) => database.db.transaction(work)
const keep = (user_id: string, key_hash: string, created_at_ms: number, answer = '{}') =>
  inTransaction((trx) => upsertAnswer(trx, { user_id, key_hash, request_hash: 'r', answer, created_at_ms }))
const find = (id: string, key: string, sinceMs: number, claimed_at_ms: number | null = null) =>
  inTransaction((trx) =>
    findAnswer(trx, { id, claimed_at_ms }, { keyHash: key, unscopedHash: `unscoped ${key}` }, sinceMs),
  )
const keys = async () =>
  (await databaseContent(database.db)).keptAnswers.map(({ user_id, key_hash }) => `${user_id} ${key_hash}`)

test('an answer is found by its user and key if it was stored after the given time', async () => {
  await keep('u', 'k', 1000)
  assert.equal((await find('u', 'k', 999))?.created_at_ms, 1000)
  assert.deepEqual(
    [await find('u', 'k', 1000), await find('v', 'k', 0), await find('u', 'K', 0)],
    [undefined, undefined, undefined],
  )
})

test('an answer of a version without scopes is found too; on a claimed account only since the claim', async () => {
  const claimedAtMs = 500
  await keep('v', 'unscoped k', 499)
  assert.equal((await find('v', 'k', 0))?.created_at_ms, 499)
  assert.equal(await find('v', 'k', 0, claimedAtMs), undefined)
  await keep('v', 'k', 499)
  assert.equal((await find('v', 'k', 0, claimedAtMs))?.key_hash, 'k')
  await database.db.query
    .deleteFrom('idempotency_keys')
    .where('key_hash', 'in', ['k', 'unscoped k'])
    .where('user_id', '=', 'v')
    .execute()
})

test('another answer under the same key replaces the first', async () => {
  await keep('u', 'k', 2000, '{"a":1}')
  const { keptAnswers } = await databaseContent(database.db)
  assert.deepEqual(
    keptAnswers.map(({ answer, created_at_ms }) => [answer, created_at_ms]),
    [['{"a":1}', 2000]],
  )
})

test('a sweep deletes the oldest answers first, in batches, up to the given time', async () => {
  for (const [user, key, atMs] of [
    ['u', 'a', 10],
    ['v', 'a', 11],
    ['u', 'b', 12],
    ['v', 'b', 13],
  ] as const)
    await keep(user, key, atMs)
  assert.equal(await deleteAnswersBefore(database.db, 12, 2), 2)
  assert.deepEqual(await keys(), ['u b', 'u k', 'v b'])
  assert.equal(await deleteAnswersBefore(database.db, 12, 2), 1)
  assert.equal(await deleteAnswersBefore(database.db, 12, 2), 0)
})
