/** The magic_links table lets go of expired links, a bounded number at a time. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deleteExpiredLinks } from '../../src/accounts/link-store.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const link = (name: string, expiresAtMs: number) => ({
  token_hash: name,
  email: 'ana@example.com',
  redirect_to: null,
  expires_at_ms: expiresAtMs,
})

test('expired links are taken out so many at a time, and no live one', async () => {
  const { db } = service
  const nowMs = service.clock.now()
  const expired = Array.from({ length: 120 }, (_, n) => link(`expired ${n}`, nowMs - n))
  await db.insertInto('magic_links').values(expired).execute()
  await db.insertInto('magic_links').values(link('live', nowMs + 1)).execute()

  const remaining = async () => {
    const rows = await db.selectFrom('magic_links').select('token_hash').execute()
    return rows.map((row) => row.token_hash)
  }
  assert.equal(await deleteExpiredLinks(db, nowMs, 100), 100)
  assert.equal((await remaining()).length, 21)
  assert.equal(await deleteExpiredLinks(db, nowMs, 100), 20)
  assert.deepEqual(await remaining(), ['live'])
})
