import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUser } from '../../../src/domain/users/claim.ts'
import { insertUser } from '../../../src/domain/users/user-store.ts'
import { assertNothingHappens } from '../../support/database/state.ts'
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
  assert.equal(inserted, undefined)
})
