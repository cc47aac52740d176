/** The users table: one account per address, and a token's state that never mixes two users or two keys. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findTokenState, insertUser } from '../../src/accounts/user-store.ts'
import { newUser } from '../../src/accounts/claim.ts'
import { inTransaction } from '../../src/db/db.ts'
import { createKey } from '../support/keys.ts'
import type { NewKey } from '../support/keys.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { assertNothingHappens, userOf } from '../support/state.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('a second account for an address is not made, and the first is left as it is', async () => {
  await service.signIn('ana@example.com')
  const second = newUser(service.deps, { email: 'ana@example.com', locale: 'en', name: 'Eve', claimedAtMs: null })
  const inserted = await assertNothingHappens(service, () =>
    inTransaction(service.db, (trx) => insertUser(trx, second)),
  )
  assert.equal(inserted, undefined)
})

test('a token’s state names a key only where the key is the user’s own', async () => {
  const bob = await service.signUp('bob@example.com')
  const cia = await service.signUp('cia@example.com')
  const own = await findTokenState(service.db, bob.user.id, bob.apiKey.id)
  assert.equal(own?.key, bob.apiKey.id)
  for (const id of [cia.apiKey.id, 'unknown', '', null]) {
    const state = await findTokenState(service.db, bob.user.id, id)
    assert.equal(state?.key, null, String(id))
    assert.equal(state?.token_version, 0)
  }
  assert.equal(await findTokenState(service.db, 'unknown', bob.apiKey.id), undefined)
})

test('many reads of one compiled query at once never mix their users', async () => {
  const token = await service.signIn('dan@example.com')
  const keys: NewKey[] = []
  for (let n = 0; n < 3; n++) keys.push(await createKey(service, token))
  const { id: dan } = await userOf(service.db, 'dan@example.com')
  const eva = await service.signUp('eva@example.com')
  await service.db.updateTable('users').set({ token_version: 7 }).where('id', '=', dan).execute()

  const asked = Array.from({ length: 300 }, (_, n) => (n % 4 === 3 ? eva : keys[n % 4]))
  const userIdOf = (key: NewKey | undefined) => (key === eva ? eva.user.id : dan)
  const states = await Promise.all(
    asked.map((key) => findTokenState(service.db, userIdOf(key), key?.apiKey.id ?? null)),
  )
  for (const [n, state] of states.entries()) {
    assert.equal(state?.key, asked[n]?.apiKey.id)
    assert.equal(state?.token_version, asked[n] === eva ? 0 : 7)
  }
})
