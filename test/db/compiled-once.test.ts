/** A query that is compiled once never remembers its values, and never sees what another's transaction has not committed. */
import '../support/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { compiledOnce } from '../../src/db/compiled-once.ts'
import { inTransaction } from '../../src/db/db.ts'
import type { Db, UsersTable } from '../../src/db/db.ts'
import { openNewDatabase } from '../support/database.ts'
import type { OpenedDatabase } from '../support/database.ts'

let databases: OpenedDatabase[]
let db: Db
let other: Db
before(async () => {
  databases = await Promise.all([openNewDatabase(), openNewDatabase()])
  ;[db, other] = databases.map((database) => database.db) as [Db, Db]
})
after(async () => {
  for (const database of databases) await database.close()
})

const user = (email: string, name: string | null = null): UsersTable => ({
  id: `id of ${email}`,
  email,
  role: 'USER',
  name,
  token_version: 0,
  claimed_at_ms: null,
  created_at_ms: 1,
  locale: null,
  deleted_at_ms: null,
  disabled_at_ms: null,
  payment_link_count: null,
})
const insertUser = compiledOnce((to: Db, row: UsersTable) => to.insertInto('users').values(row).returning(['email', 'name']))
const addUser = (to: Db, email: string) => insertUser(to, user(email))

let built = 0
const findUser = compiledOnce((of: Db, email: string, role: string) => {
  built += 1
  return of.selectFrom('users').select(['email']).where('email', '=', email).where('role', '=', role)
})

const found = async (of: Db, email: string, role = 'USER') =>
  (await findUser(of, email, role)).map((row) => row.email)

test('each call has its own parameters, in their order', async () => {
  await addUser(db, 'first@example.com')
  await addUser(db, 'second@example.com')
  for (const email of ['first@example.com', 'second@example.com', 'first@example.com']) {
    assert.deepEqual(await found(db, email), [email])
    assert.deepEqual(await found(db, email, 'ADMIN'), [])
    assert.deepEqual(await found(db, 'USER', email), [])
  }
  assert.deepEqual(await found(db, `' or 1=1 --`), [])
  assert.equal(built, 1)
})

test('calls at once do not get each other’s rows', async () => {
  const asked = Array.from({ length: 50 }, (_, n) => (n % 2 ? 'first@example.com' : 'second@example.com'))
  const answers = await Promise.all(asked.map((email) => found(db, email)))
  assert.deepEqual(answers.flat(), asked)
})

test('each database is asked for itself', async () => {
  assert.deepEqual(await found(other, 'first@example.com'), [])
  assert.equal(built, 2)
})

test('inside a transaction it sees what the transaction wrote, also after it ran outside', async () => {
  await inTransaction(db, async (trx) => {
    await addUser(trx, 'inside@example.com')
    assert.deepEqual(await found(trx, 'inside@example.com'), ['inside@example.com'])
  })
})

test('a row is taken field by field, and a value may stand in more than one place', async () => {
  assert.equal((await insertUser(db, user('row@example.com', 'Ana')))[0]?.name, 'Ana')
  assert.equal((await insertUser(db, user('null@example.com')))[0]?.name, null)
  const eitherIs = compiledOnce((of: Db, text: string, role: string) =>
    of
      .selectFrom('users')
      .select('email')
      .where('role', '=', role)
      .where((row) => row.or([row('email', '=', text), row('name', '=', text)])),
  )
  for (const [text, role, email] of [
    ['Ana', 'USER', 'row@example.com'],
    ['null@example.com', 'USER', 'null@example.com'],
    ['USER', 'Ana', undefined],
  ] as const) {
    assert.deepEqual((await eitherIs(db, text, role)).map((row) => row.email), [email].filter(Boolean))
  }
})

test('outside a transaction it does not see what that has not committed', async () => {
  let read: Promise<string[]> | undefined
  const undone = inTransaction(db, async (trx) => {
    await addUser(trx, 'undone@example.com')
    read = found(db, 'undone@example.com')
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.deepEqual(await read, [])
})
