/** The magic_links table lets go of expired links as new ones come, a bounded number at a time. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction } from '../../../src/db/db.ts'
import { insertLink } from '../../../src/features/magic-link/link-store.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

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

test('each new link takes up to 100 expired ones out, and no live one', async () => {
  const { db } = service
  const nowMs = service.clock.now()
  const expired = Array.from({ length: 120 }, (_, n) => link(`expired ${n}`, nowMs - n))
  await db.insertInto('magic_links').values(expired).execute()
  await db.insertInto('magic_links').values(link('live', nowMs + 1)).execute()

  const remaining = async () => {
    const rows = await db.selectFrom('magic_links').select('token_hash').execute()
    return rows.map((row) => row.token_hash)
  }
  await inTransaction(db, (trx) => insertLink(trx, link('first', nowMs + 1), nowMs))
  assert.equal((await remaining()).length, 22)
  await inTransaction(db, (trx) => insertLink(trx, link('second', nowMs + 1), nowMs))
  assert.deepEqual((await remaining()).sort(), ['first', 'live', 'second'])
})
