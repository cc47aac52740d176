import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database, Queries, QueryBuilder } from '../../src/database/database.ts'
import { prepared } from '../../src/database/prepared.ts'
import type { Parameter, RowParameters } from '../../src/database/prepared.ts'
import type { UsersTable } from '../../src/database/tables/tables.ts'
import { openNewDatabase } from '../support/database/database.ts'
import { userRow } from '../support/accounts/rows.ts'
import type { OpenedDatabase } from '../support/database/database.ts'

let databases: OpenedDatabase[]
let db: Database
let other: Database
before(async () => {
  databases = await Promise.all([openNewDatabase(), openNewDatabase()])
  ;[db, other] = databases.map((database) => database.db) as [Database, Database]
})
after(async () => {
  for (const database of databases) await database.close()
})

const user = (email: string, name: string | null = null) => userRow(`id of ${email}`, { email, name })
const insertUser = prepared((query: QueryBuilder, row: RowParameters<UsersTable>) =>
  query.insertInto('users').values(row).returning(['email', 'name']),
)
const addUser = (to: Queries, email: string) => insertUser(to, user(email))

let built = 0
const findUser = prepared((query: QueryBuilder, email: Parameter<string>, role: Parameter<string>) => {
  built += 1
  return query.selectFrom('users').select(['email']).where('email', '=', email).where('role', '=', role)
})

const found = async (of: Queries, email: string, role = 'USER') =>
  (await findUser(of, email, role)).map((row) => row.email)

test('each call passes its own parameters, in order', async () => {
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

test('concurrent calls do not receive each other’s rows', async () => {
  const asked = Array.from({ length: 50 }, (_, n) => (n % 2 ? 'first@example.com' : 'second@example.com'))
  const answers = await Promise.all(asked.map((email) => found(db, email)))
  assert.deepEqual(answers.flat(), asked)
})

test('each database is queried separately', async () => {
  assert.deepEqual(await found(other, 'first@example.com'), [])
  assert.equal(built, 1)
})

test('inside a transaction it sees the transaction’s writes, also after it ran outside', async () => {
  await db.transaction(async (trx) => {
    await addUser(trx, 'inside@example.com')
    assert.deepEqual(await found(trx, 'inside@example.com'), ['inside@example.com'])
  })
})

test('a row is bound field by field, and a value may occur in several places', async () => {
  assert.equal((await insertUser(db, user('row@example.com', 'Ana')))[0]?.name, 'Ana')
  assert.equal((await insertUser(db, user('null@example.com')))[0]?.name, null)
  const eitherIs = prepared((query: QueryBuilder, text: Parameter<string>, role: Parameter<string>) =>
    query
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
    assert.deepEqual(
      (await eitherIs(db, text, role)).map((row) => row.email),
      [email].filter(Boolean),
    )
  }
})

test('an object with other fields than the first one throws: no default applies silently, and no field is dropped', async () => {
  const { name, ...withoutName } = user('fields@example.com', 'Ana')
  await assert.rejects(insertUser(db, withoutName as UsersTable), TypeError)
  await assert.rejects(insertUser(db, { ...withoutName, name: undefined } as unknown as UsersTable), TypeError)
  await assert.rejects(insertUser(db, { ...withoutName, name, more: 1 } as UsersTable), TypeError)
  assert.deepEqual(await found(db, 'fields@example.com'), [])
})

test('the types prevent a value from deciding how its statement is built', () => {
  prepared((query: QueryBuilder, email: Parameter<string>) => {
    // @ts-expect-error a parameter is not a string
    const column = email.length > 3 ? 'email' : 'name'
    return query.selectFrom('users').where(column, '=', email)
  })
})

test('outside a transaction it does not see uncommitted writes', async () => {
  let read: Promise<string[]> | undefined
  const undone = db.transaction(async (trx) => {
    await addUser(trx, 'undone@example.com')
    read = found(db, 'undone@example.com')
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.deepEqual(await read, [])
})
