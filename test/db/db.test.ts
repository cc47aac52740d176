/** A transaction is whole or nothing. */
import '../support/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inTransaction } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db.ts'
import { openNewDatabase } from '../support/database.ts'
import type { OpenedDatabase } from '../support/database.ts'

let database: OpenedDatabase
let db: Db
before(async () => {
  database = await openNewDatabase()
  db = database.db
})
after(() => database.close())

const user = (email: string) => ({
  id: `id of ${email}`,
  email,
  role: 'USER',
  name: null,
  token_version: 0,
  claimed_at_ms: null,
  created_at_ms: 1,
})
const addUser = (to: Db, email: string) => to.insertInto('users').values(user(email)).execute()

async function emails(of: Db): Promise<string[]> {
  return (await of.selectFrom('users').select('email').execute()).map(({ email }) => email)
}

describe('inTransaction', () => {
  test('a failure anywhere undoes all of it, and is what the caller sees', async () => {
    const failure = new Error('no')
    await assert.rejects(
      inTransaction(db, async (trx) => {
        await addUser(trx, 'undone@example.com')
        throw failure
      }),
      (error: unknown) => error === failure,
    )
    assert.ok(!(await emails(db)).includes('undone@example.com'))
  })

  test('a statement that fails undoes those before it', async () => {
    await assert.rejects(
      inTransaction(db, async (trx) => {
        await addUser(trx, 'twice@example.com')
        await addUser(trx, 'twice@example.com')
      }),
      /unique/i,
    )
    assert.ok(!(await emails(db)).includes('twice@example.com'))
  })

  test('it gives what its work gives, once all of it is there', async () => {
    const given = await inTransaction(db, async (trx) => {
      await addUser(trx, 'kept@example.com')
      return 'done'
    })
    assert.equal(given, 'done')
    assert.ok((await emails(db)).includes('kept@example.com'))
  })

  test('nobody sees half of it, and each sees what it wrote itself', async () => {
    const seen: number[] = []
    const rounds = Array.from({ length: 10 }, (_, round) =>
      inTransaction(db, async (trx) => {
        await addUser(trx, `turn-${round}-a@example.com`)
        await addUser(trx, `turn-${round}-b@example.com`)
        const own = (await emails(trx)).filter((email) => email.startsWith(`turn-${round}-`))
        assert.equal(own.length, 2)
        if (round % 2 === 1) throw new Error('every second one fails')
      }).catch(() => {}),
    )
    const reader = Array.from({ length: 10 }, async () => void seen.push((await emails(db)).length % 2))
    const parity = (await emails(db)).length % 2
    await Promise.all([...rounds, ...reader])
    assert.deepEqual(new Set(seen), new Set([parity]))
    assert.equal((await emails(db)).filter((email) => email.startsWith('turn-')).length, 10)
  })

  test('a failed one leaves the database usable', async () => {
    await inTransaction(db, () => Promise.reject(new Error('no'))).catch(() => {})
    await inTransaction(db, (trx) => addUser(trx, 'next@example.com'))
    assert.ok((await emails(db)).includes('next@example.com'))
  })
})
