/** Positions are given in the order of the commits, so a reader that follows its cursor misses nothing. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import type { Transaction } from '../../../src/database/database.ts'
import { findAccountChanges, recordAccountChange } from '../../../src/domain/users/account-change-store.ts'
import { clusterUrl, openNewDatabase } from '../../support/database/database.ts'

const NOW_MS = 1_800_000_000_000

test('a reader sees every change, however transactions overlap and clocks differ', async (t) => {
  const { db, close } = await openNewDatabase()
  t.after(close)
  const ids = Array.from({ length: 30 }, (_, index) => `user-${index}`)
  let isDone = false
  // Each has an earlier time than the one before.
  const writes = ids.map((id, index) =>
    db.transaction((trx) => recordAccountChange(trx, id, 'deleted', NOW_MS - index * 1000)),
  )
  void Promise.all(writes).finally(() => void (isDone = true))
  const seen: string[] = []
  for (let position = 0; ;) {
    const isLast = isDone
    const page = await findAccountChanges(db, position, 3)
    seen.push(...page.map((change) => change.user_id))
    position = page.at(-1)?.position ?? position
    if (isLast && page.length === 0) break
    await setImmediate()
  }
  await Promise.all(writes)
  assert.deepEqual(seen.toSorted(), ids.toSorted())
})

const skip = clusterUrl === undefined && 'the embedded database runs one writing transaction at a time'

test('a later change waits for an earlier one to commit, so none appears behind the cursor', { skip }, async (t) => {
  const { db, close } = await openNewDatabase()
  t.after(close)
  const gate = Promise.withResolvers<void>()
  const recorded = Promise.withResolvers<void>()
  const first = db.transaction(async (trx: Transaction) => {
    await recordAccountChange(trx, 'first', 'disabled', NOW_MS)
    recorded.resolve()
    await gate.promise
  })
  await recorded.promise
  let isSecondDone = false
  const second = db
    .transaction((trx) => recordAccountChange(trx, 'second', 'disabled', NOW_MS))
    .then(() => void (isSecondDone = true))
  assert.deepEqual(await findAccountChanges(db, 0, 10), [])
  assert.equal(isSecondDone, false)
  gate.resolve()
  await Promise.all([first, second])
  const changes = await findAccountChanges(db, 0, 10)
  assert.deepEqual(
    changes.map((change) => change.user_id),
    ['first', 'second'],
  )
})

test('a restored counter gives no position again that a reader may have passed', async (t) => {
  const { db, close } = await openNewDatabase()
  t.after(close)
  const record = (id: string, nowMs: number) => db.transaction((trx) => recordAccountChange(trx, id, 'disabled', nowMs))
  await record('a', NOW_MS)
  await record('b', NOW_MS)
  const [, b] = await findAccountChanges(db, 0, 10)
  // The backup is from before the second change.
  await db.query.deleteFrom('account_changes').where('user_id', '=', 'b').execute()
  await db.query.updateTable('account_change_counter').set({ position: NOW_MS }).execute()
  await record('c', NOW_MS + 1000)
  const after = await findAccountChanges(db, b?.position ?? 0, 10)
  assert.deepEqual(
    after.map((change) => change.user_id),
    ['c'],
  )
})
