import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  deleteIdentitiesOf,
  deleteIdentity,
  findIdentitiesOf,
  findIdentity,
  findIdentityOf,
  insertIdentity,
  setIdentityEmail,
} from '../../../src/domain/google/identity-store.ts'
import type { Identity } from '../../../src/domain/google/identity-store.ts'
import { openNewDatabase } from '../../support/database/database.ts'
import type { OpenedDatabase } from '../../support/database/database.ts'

let database: OpenedDatabase
before(async () => {
  database = await openNewDatabase()
})
after(() => database.close())

async function newUserId(email: string): Promise<string> {
  const user = { id: email, email, role: 'USER', name: null, token_version: 0, claimed_at_ms: 1, created_at_ms: 1 }
  await database.db.query.insertInto('users').values(user).execute()
  return user.id
}

const identity = (user_id: string, issuer: string, subject: string, connected_at_ms = 1): Identity => ({
  issuer,
  subject,
  user_id,
  email: `${subject}@gmail.com`,
  connected_at_ms,
  sign_in_id: 'a-sign-in',
})

const insert = (row: Identity) => database.db.transaction((trx) => insertIdentity(trx, row))
const plain = (rows: readonly (Identity | undefined)[]) => rows.map((row) => (row ? { ...row } : row))

test('an identity is found by its exact issuer and subject', async () => {
  const ana = await newUserId('ana@example.com')
  const row = identity(ana, 'https://a.example', 'x')
  assert.equal(await insert(row), true)
  assert.deepEqual(plain([await findIdentity(database.db, 'https://a.example', 'x')]), [row])
  for (const [issuer, subject] of [
    ['https://b.example', 'x'],
    ['https://a.example', 'X'],
    ['x', 'https://a.example'],
  ]) {
    assert.equal(await findIdentity(database.db, issuer ?? '', subject ?? ''), undefined)
  }
})

test('an identity has one account, and an account has one identity per issuer', async () => {
  const [bob, bea] = [await newUserId('bob@example.com'), await newUserId('bea@example.com')]
  const first = identity(bob, 'https://a.example', 'bob')
  assert.equal(await insert(first), true)
  assert.equal(await insert(first), false)
  assert.equal(await insert({ ...first, user_id: bea }), false)
  assert.equal(await insert(identity(bob, 'https://a.example', 'bob2')), false)
  assert.deepEqual(plain([await findIdentityOf(database.db, bob, 'https://a.example')]), [first])
  assert.equal(await findIdentityOf(database.db, bea, 'https://a.example'), undefined)
  const other = identity(bob, 'https://b.example', 'bob')
  assert.equal(await insert(other), true)
  assert.deepEqual(plain(await findIdentitiesOf(database.db, bob)), [first, other])
})

test('setIdentityEmail changes one identity', async () => {
  const [cia, cora] = [await newUserId('cia@example.com'), await newUserId('cora@example.com')]
  const rows = [
    identity(cia, 'https://a.example', 'cia'),
    identity(cia, 'https://b.example', 'cia'),
    identity(cora, 'https://a.example', 'cora'),
  ] as const
  for (const row of rows) await insert(row)
  const changed = { ...rows[0], email: 'new@gmail.com' }
  await database.db.transaction((trx) => setIdentityEmail(trx, changed))
  assert.deepEqual(plain(await findIdentitiesOf(database.db, cia)), [changed, rows[1]])
  assert.deepEqual(plain(await findIdentitiesOf(database.db, cora)), [rows[2]])
})

test('deleting removes one identity, or all of a user, and no other user’s', async () => {
  const [dan, dora] = [await newUserId('dan@example.com'), await newUserId('dora@example.com')]
  const early = identity(dan, 'https://a.example', 'dan', 99)
  const late = identity(dan, 'https://b.example', 'dan', 100)
  const others = identity(dora, 'https://a.example', 'dora', 200)
  for (const row of [early, late, others]) await insert(row)
  await database.db.transaction((trx) => deleteIdentity(trx, early))
  assert.deepEqual(plain(await findIdentitiesOf(database.db, dan)), [late])
  await insert(early)
  await database.db.transaction((trx) => deleteIdentitiesOf(trx, dan))
  assert.deepEqual(await findIdentitiesOf(database.db, dan), [])
  assert.deepEqual(plain(await findIdentitiesOf(database.db, dora)), [others])
})
