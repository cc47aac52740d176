import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUser } from '../../../src/domain/users/claim.ts'
import { insertUser, lockUser } from '../../../src/domain/users/user-store.ts'
import { recordEvent } from '../../../src/domain/events/security-events.ts'
import { clusterUrl, openAt } from '../../support/database/database.ts'
import { assertNothingHappens, userOf } from '../../support/database/state.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('a second account for an address is not created, and the first is unchanged', async () => {
  await service.signIn('ana@example.com')
  const second = newUser(service.deps, { email: 'ana@example.com', locale: 'en', name: 'Eve', claimedAtMs: null })
  const inserted = await assertNothingHappens(service, () => service.db.transaction((trx) => insertUser(trx, second)))
  assert.equal(inserted, false)
})

test('the lock of a user’s row holds back another lock, and not the rows that refer to it', async (t) => {
  if (clusterUrl === undefined) return t.skip('SQLite has one write lock')
  await service.signIn('bob@example.com')
  const { id } = await userOf(service.db, 'bob@example.com')
  const [one, other] = [openAt(service.databaseUrl), openAt(service.databaseUrl)]
  t.after(() => Promise.all([one.close(), other.close()]))
  const ends: string[] = []
  let second: Promise<unknown> | undefined
  await one.transaction(async (trx) => {
    await lockUser(trx, 'id', id)
    second = other.transaction((later) => lockUser(later, 'id', id)).then(() => ends.push('second'))
    const event = { userId: id, type: 'signed_in', detail: 'magic_link' } as const
    await other.transaction((beside) =>
      recordEvent(beside, service.deps, event, { ip: '127.0.0.1', browser: null, caller: null }),
    )
    ends.push('first')
  })
  await second
  assert.deepEqual(ends, ['first', 'second'])
})
