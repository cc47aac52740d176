import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { KyselyPlugin } from 'kysely'
import { eraseDeleted } from '../../../../src/domain/users/account-erasure.ts'
import type { Database } from '../../../../src/database/database.ts'
import { findAccountsToErase } from '../../../../src/database/erase-rows.ts'
import { lockUser } from '../../../../src/domain/users/user-store.ts'
import { eraseAccount } from '../../../../src/domain/users/erase-account.ts'
import { upkeep } from '../../../../src/domain/upkeep.ts'
import { assertError } from '../../../support/http/answers.ts'
import { clusterUrl, openAt } from '../../../support/database/database.ts'
import { oneTap, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { createKey, exchangesOf, statesOf, tokenOf } from '../../../support/accounts/keys.ts'
import { addLinks, addOtherRows } from '../../../support/database/account-rows.ts'
import { createLink } from '../../../support/accounts/payment-links.ts'
import { recipientsOf, userOf } from '../../../support/database/state.ts'
import { upkeepAtOnce } from '../../../support/process/upkeep-process.ts'
import { withPlugin } from '../../../support/database/with-plugin.ts'

const ROUTE = 'DELETE /users/me'
const FULL = 10_000
const BATCH_SIZE = 50
const owned = ['payment_links', 'idempotency_keys', 'sign_ins', 'security_events', 'key_makers', 'api_keys'] as const

let service: GoogleService
before(async () => {
  service = await startGoogleService()
  // Rows stay until a test erases them.
  await service.deps.erasure.close()
})
after(() => service.close())

const rowsOf = async (userId: string): Promise<number[]> =>
  Promise.all(
    owned.map(async (table) => {
      const { rows } = await sql<{
        count: number
      }>`select count(*) as count from ${sql.table(table)} where user_id = ${userId}`.execute(service.db.query)
      return Number(rows[0]?.count)
    }),
  )
const noRows = owned.map(() => 0)
const eraseAll = (db: Database = service.db) => eraseDeleted(db, new AbortController().signal)

type Change = Readonly<{ rows: number; turn: number }>

/** The database with each change recorded: its number of rows and its turn of the event loop. */
function withRecordedChanges(db: Database): Readonly<{ db: Database; changes: Change[]; stop(): void }> {
  const changes: Change[] = []
  let turn = 0
  let isWatching = true
  const count = () => {
    turn += 1
    if (isWatching) setImmediate(count)
  }
  count()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const rows = Number(result.numAffectedRows ?? 0n)
      if (rows > 0) changes.push({ rows, turn })
      return result
    },
  }
  return { db: withPlugin(db, plugin), changes, stop: () => void (isWatching = false) }
}

test('after the answer nothing of a deleted account works or is shown, while all of its rows are still stored', async () => {
  const email = 'ana@gmail.com'
  const google = { sub: 'ana', email }
  const token = await service.signIn(email)
  assert.equal((await oneTap(service, google)).status, 200)
  const key = await createKey(service, token)
  const ofKey = await tokenOf(service, key)
  const { id: link } = await createLink(service, token, {}, { 'idempotency-key': 'order-1' })
  const { id } = await userOf(service.db, email)
  await addLinks(service.db, id, 200)
  const had = await rowsOf(id)
  const fresh = await service.signIn(email)
  const { body } = await service.call(ROUTE, { token: fresh })
  assert.deepEqual(body, { ok: true })
  assert.ok(
    (await rowsOf(id)).every((rows, n) => rows >= (had[n] ?? 0)),
    'the rows are still stored',
  )

  assert.deepEqual(await statesOf(service, [token, ofKey, fresh]), Array(3).fill('UNAUTHORIZED'))
  assert.deepEqual(await exchangesOf(service, [key]), ['INVALID_CREDENTIALS'])
  assertError(await service.call(`GET /payment-links/${link}/public`), 'NOT_FOUND')
  for (const route of ['GET /payment-links', 'GET /users/me/export', 'POST /payment-links']) {
    assertError(
      await service.call(route, { token: ofKey, ...(route.startsWith('POST') && { body: { amount: 1, title: 'x' } }) }),
      'UNAUTHORIZED',
    )
  }
  const mailed = (await recipientsOf(service)).length
  const stored = await rowsOf(id)
  assert.equal(
    (await service.call('POST /auth/api-keys/leaked', { body: { secrets: [{ keySecret: key.keySecret }] } })).status,
    200,
  )
  await service.deps.failureLog.flush()
  await upkeepWithoutErasing()
  assert.deepEqual(await rowsOf(id), stored, 'nothing is written to it')
  assert.equal((await recipientsOf(service)).length, mailed, 'no mail is sent')

  // Address and Google account are free for a new account, which sees nothing of the first.
  const again = await oneTap(service, google)
  assert.equal(again.status, 200, again.text)
  const newToken = again.body.token as string
  assert.notEqual((await userOf(service.db, email)).id, id)
  assert.deepEqual((await service.call('GET /payment-links', { token: newToken })).body, {
    paymentLinks: [],
    nextCursor: null,
  })
  assertError(await service.call(`GET /payment-links/${link}`, { token: newToken }), 'NOT_FOUND')
  assert.deepEqual((await service.call('GET /auth/api-keys', { token: newToken })).body.apiKeys, [])
  const exported = await service.call('GET /users/me/export', { token: newToken })
  for (const old of [id, link, key.apiKey.id]) assert.ok(!exported.text.includes(old))
  const made = await createLink(service, newToken, {}, { 'idempotency-key': 'order-1' })
  assert.notEqual(made.id, link)

  await eraseAll()
  assert.deepEqual(await rowsOf(id), noRows)
  assert.deepEqual(await statesOf(service, [token, ofKey, fresh, newToken]), [
    ...Array<string>(3).fill('UNAUTHORIZED'),
    email,
  ])
  assert.deepEqual(await exchangesOf(service, [key]), ['INVALID_CREDENTIALS'])
})

/** Runs the upkeep without its last task, the erasure: its signal is aborted from the start. */
async function upkeepWithoutErasing(): Promise<void> {
  const stopping = new AbortController()
  stopping.abort()
  await upkeep(service.deps, stopping.signal)
}

test('an account with 10,000 payment links is deleted by a few changes and erased in batches, each in its own turn of the event loop', async () => {
  const email = 'bob@example.com'
  await service.signIn(email)
  const other = await service.signIn('other@example.com')
  const { id } = await userOf(service.db, email)
  await addLinks(service.db, id, FULL)
  await addOtherRows(service.db, id, 300)
  const deletion = withRecordedChanges(service.db)
  await deletion.db.transaction(async (trx) => {
    const user = await lockUser(trx, 'id', id)
    assert.ok(user)
    await eraseAccount(trx, user, service.clock.now())
  })
  deletion.stop()
  assert.ok(deletion.changes.length < 15, 'few statements')
  assert.ok(
    deletion.changes.every(({ rows }) => rows <= 5),
    'of few rows',
  )

  // The first batches, while other calls are served.
  const erasing = withRecordedChanges(service.db)
  const stopping = new AbortController()
  const erased = eraseDeleted(erasing.db, stopping.signal)
  for (let calls = 0; calls < 20 || erasing.changes.length < 20; calls += 1) {
    assert.equal((await service.call('GET /users/me', { token: other })).status, 200)
    await wait(5)
  }
  stopping.abort()
  await erased
  erasing.stop()
  assert.ok(erasing.changes.every(({ rows }) => rows === BATCH_SIZE))
  assert.equal(new Set(erasing.changes.map(({ turn }) => turn)).size, erasing.changes.length)
  // Shortens the test: the remaining batches would take half a minute on a busy machine.
  await sql`delete from payment_links where user_id = ${id} and created_at_ms > 1700000000300`.execute(service.db.query)
  const left = await rowsOf(id)
  const rest = withRecordedChanges(service.db)
  await eraseAll(rest.db)
  rest.stop()
  assert.deepEqual(await rowsOf(id), noRows)
  const sum = (rows: readonly number[]) => rows.reduce((all, some) => all + some, 0)
  assert.equal(sum(rest.changes.map(({ rows }) => rows)), sum(left) + 1, 'each row, and finally the tombstone')
  assert.equal(new Set(rest.changes.map(({ turn }) => turn)).size, rest.changes.length)
})

async function deletedAccount(name: string, count: number): Promise<string> {
  const email = `${name}@example.com`
  const token = await service.signIn(email)
  const { id } = await userOf(service.db, email)
  await addLinks(service.db, id, count)
  await addOtherRows(service.db, id, count)
  assert.equal((await service.call(ROUTE, { token })).status, 200)
  return id
}

test('rows left by a process that stopped half way are erased by the upkeep of any other, alternating between accounts', async () => {
  const ids = [await deletedAccount('cia', 400), await deletedAccount('dan', 200)]
  const [had, fewHad] = await Promise.all(ids.map(rowsOf))
  const stopping = new AbortController()
  const first = withRecordedChanges(service.db)
  const poll = setInterval(() => first.changes.length > 12 && stopping.abort(), 1)
  await eraseDeleted(first.db, stopping.signal)
  clearInterval(poll)
  first.stop()
  const [left, fewLeft] = await Promise.all(ids.map(rowsOf))
  assert.ok(left?.some((rows) => rows > 0))
  assert.notDeepEqual(left, had)
  assert.notDeepEqual(fewLeft, fewHad, 'the small account did not wait for the large one')
  assert.deepEqual((await findAccountsToErase(service.db, 10)).toSorted(), ids.toSorted())
  await upkeepAtOnce(service.databaseUrl, service.clock.now(), 2)
  for (const id of ids) assert.deepEqual(await rowsOf(id), noRows)
  assert.deepEqual(await findAccountsToErase(service.db, 10), [])
})

test('rows locked by another transaction are waited for, not skipped', async (t) => {
  if (clusterUrl === undefined) return t.skip('SQLite has one writer at a time')
  const id = await deletedAccount('eva', 50)
  const other = openAt(service.databaseUrl)
  let erasing: Promise<void> | undefined
  await other.transaction(async (trx) => {
    await trx.query.updateTable('api_keys').set({ last_used_at_ms: 1 }).where('user_id', '=', id).execute()
    erasing = eraseAll()
    for (;;) {
      const [links, , , , keys] = await rowsOf(id)
      if (links === 0) {
        assert.equal(keys, 50)
        break
      }
    }
    assert.deepEqual(await findAccountsToErase(service.db, 10), [id])
  })
  await erasing
  await other.close()
  assert.deepEqual(await rowsOf(id), noRows)
})
