import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { findKeyForExchange } from '../../../src/domain/keys/key-exchange-store.ts'
import { insertKey } from '../../../src/domain/keys/key-store.ts'
import { findTokenState as readTokenState } from '../../../src/domain/users/user-token-state-store.ts'
import { insertUser } from '../../../src/domain/users/user-store.ts'
import { newUser } from '../../../src/domain/users/claim.ts'
import type { Database } from '../../../src/database/database.ts'
import { openDatabase, unavailableReasonOf } from '../../../src/database/open.ts'
import { newKey } from '../../../src/domain/keys/new-key.ts'
import { createLog } from '../../../src/lib/log.ts'
import { database as locationOf } from '../../../src/config/parsers.ts'
import { clusterUrl, openNewDatabase } from '../../support/database/database.ts'
import { createKey } from '../../support/accounts/keys.ts'
import type { NewKey } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { userOf } from '../../support/database/state.ts'

let service: Service

const findTokenState = (db: Database, userId: string, apiKeyId: string | null) =>
  readTokenState(db, { userId, apiKeyId, signInId: null, nowMs: 0 })

before(async () => {
  service = await startService()
})
after(() => service.close())

test('a token’s state names a key only if the key is the user’s own', async () => {
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

test('many concurrent reads of one compiled query never mix their users', async () => {
  const token = await service.signIn('dan@example.com')
  const keys: NewKey[] = []
  for (let n = 0; n < 3; n++) keys.push(await createKey(service, token))
  const { id: dan } = await userOf(service.db, 'dan@example.com')
  const eva = await service.signUp('eva@example.com')
  await service.db.query.updateTable('users').set({ token_version: 7 }).where('id', '=', dan).execute()

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

test('within one turn, identical reads share their answer, and reads that differ in user, key or time never do', async () => {
  const { db } = service
  const [ann, ben] = [await service.signUp('ann@example.com'), await service.signUp('ben@example.com')]
  const later = ann.apiKey.id
  const states = await Promise.all([
    readTokenState(db, { userId: ann.user.id, apiKeyId: null, signInId: null, nowMs: 1 }),
    readTokenState(db, { userId: ann.user.id, apiKeyId: null, signInId: null, nowMs: 1 }),
    readTokenState(db, { userId: ben.user.id, apiKeyId: null, signInId: null, nowMs: 1 }),
    readTokenState(db, { userId: ann.user.id, apiKeyId: null, signInId: null, nowMs: 1 }),
    readTokenState(db, { userId: ann.user.id, apiKeyId: later, signInId: null, nowMs: 1 }),
    readTokenState(db, { userId: ann.user.id, apiKeyId: later, signInId: null, nowMs: 2 }),
  ])
  assert.deepEqual(
    states.map((state) => state?.email[0]),
    ['a', 'a', 'b', 'a', 'a', 'a'],
  )
  assert.deepEqual(
    states.map((state) => state?.key ?? null),
    [null, null, null, null, later, later],
  )
  const isShared = (index: number) => states[index] === states[index - 1]
  assert.deepEqual([1, 2, 3, 4, 5].map(isShared), [true, false, false, false, false])
})

test('within one turn, each exchange is a read of its own, whether or not its key exists [K4]', async () => {
  const { apiKey } = await service.signUp('cat@example.com')
  const [one, other] = await Promise.all([
    findKeyForExchange(service.db, apiKey.keyId),
    findKeyForExchange(service.db, apiKey.keyId),
  ])
  assert.ok(one !== undefined && one.user_id === other?.user_id)
  assert.notEqual(one, other, 'each read returns a row of its own')
})

test(
  'a connection whose server has become a standby answers no read of the guard or the exchange',
  {
    skip: clusterUrl === undefined && 'the embedded database has no standby',
  },
  async () => {
    const { db: writer, url, close } = await openNewDatabase()
    // One connection, as a pooler keeps it while the server behind it changes.
    const db = openDatabase({ database: locationOf(url), databasePoolSize: 1 }, createLog('silent'))
    try {
      const account = { email: 'dan@example.com', locale: 'en', name: null, claimedAtMs: 1 }
      const user = newUser(service.deps, account)
      const key = newKey(service.deps, { userId: user.id, name: undefined }).row
      await writer.transaction(async (trx) => {
        await insertUser(trx, user)
        await insertKey(trx, key)
      })
      assert.equal((await findTokenState(db, user.id, null))?.token_version, 0)
      assert.equal((await findKeyForExchange(db, key.key_id))?.user_id, user.id)
      await sql`set session characteristics as transaction read only`.execute(db.query)
      for (const read of [() => findTokenState(db, user.id, null), () => findKeyForExchange(db, key.key_id)]) {
        await assert.rejects(read(), (error) => unavailableReasonOf(error) === 'unreachable')
      }
    } finally {
      await db.close()
      await close()
    }
  },
)
