import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deleteExpiredLinks } from '../../../src/domain/sign-in/magic-link-store.ts'
import { openNewDatabase } from '../../support/database/database.ts'
import type { OpenedDatabase } from '../../support/database/database.ts'

let database: OpenedDatabase

before(async () => {
  database = await openNewDatabase()
})
after(() => database.close())

const link = (name: string, expiresAtMs: number) => ({
  token_hash: name,
  email: 'ana@example.com',
  redirect_to: null,
  expires_at_ms: expiresAtMs,
})

test('a sweep deletes expired links in batches, and no live one', async () => {
  const { db } = database
  const nowMs = Date.UTC(2026, 0, 5)
  const expired = Array.from({ length: 120 }, (_, n) => link(`expired ${n}`, nowMs - n))
  await db.query.insertInto('magic_links').values(expired).execute()
  await db.query
    .insertInto('magic_links')
    .values(link('live', nowMs + 1))
    .execute()

  const remaining = async () => {
    const rows = await db.query.selectFrom('magic_links').select('token_hash').execute()
    return rows.map((row) => row.token_hash)
  }
  assert.equal(await deleteExpiredLinks(db, nowMs, 100), 100)
  assert.equal((await remaining()).length, 21)
  assert.equal(await deleteExpiredLinks(db, nowMs, 100), 20)
  assert.deepEqual(await remaining(), ['live'])
})
