import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  deleteExpiredCredentials,
  spendCredential,
  spendAllIssuedUntil,
} from '../../../src/domain/sign-in/spent-credential-store.ts'
import { openAt, openNewDatabase } from '../../support/database/database.ts'
import type { OpenedDatabase } from '../../support/database/database.ts'

let database: OpenedDatabase
before(async () => {
  database = await openNewDatabase()
})
after(() => database.close())

test('one of twenty concurrent callers spends a credential, over two database connections', async () => {
  const other = openAt(database.url)
  try {
    const attempts = Array.from({ length: 20 }, (_, n) =>
      spendCredential(n % 2 === 0 ? database.db : other, 'once', 5, 1),
    )
    assert.equal((await Promise.all(attempts)).filter(Boolean).length, 1)
    assert.equal(await spendCredential(other, 'once', 500, 1), false)
    assert.equal(await spendCredential(database.db, 'Once', 5, 1), true)
  } finally {
    await other.close()
  }
})

test('a rolled back transaction does not spend a credential', async () => {
  const undone = database.db.transaction(async (trx) => {
    assert.equal(await spendCredential(trx, 'undone', 5, 1), true)
    throw new Error('no')
  })
  await assert.rejects(undone, /no/)
  assert.equal(await spendCredential(database.db, 'undone', 5, 1), true)
})

test('after a restore credentials issued before it count as spent, and later ones do not', async () => {
  const other = await openNewDatabase()
  try {
    await other.db.transaction((trx) => spendAllIssuedUntil(trx, 1000))
    for (const issuedAtMs of [1, 1000])
      assert.equal(await spendCredential(other.db, `at ${issuedAtMs}`, 5000, issuedAtMs), false)
    assert.equal(await spendCredential(other.db, 'later', 5000, 1001), true)
  } finally {
    await other.close()
  }
})

test('a sweep deletes only expired credentials, to the millisecond, in batches', async () => {
  for (const [hash, expiresAtMs] of [
    ['a', 999],
    ['b', 999],
    ['c', 999],
    ['d', 1000],
    ['e', 1001],
  ] as const) {
    await spendCredential(database.db, hash, expiresAtMs, 1)
  }
  await deleteExpiredCredentials(database.db, 999, 100)
  assert.equal(await deleteExpiredCredentials(database.db, 1000, 2), 2)
  assert.equal(await deleteExpiredCredentials(database.db, 1000, 2), 1)
  assert.equal(await deleteExpiredCredentials(database.db, 1000, 2), 0)
  for (const hash of ['d', 'e']) assert.equal(await spendCredential(database.db, hash, 5, 1), false)
  for (const hash of ['a', 'b', 'c']) assert.equal(await spendCredential(database.db, hash, 5, 1), true)
})
