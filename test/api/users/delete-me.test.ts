import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { sql } from 'kysely'
import { findAccountsToErase } from '../../../src/database/erase-rows.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { runInLockstep } from '../../support/wire/lockstep.ts'
import { countMailsTo, pauseMail, press, signInMail } from '../../support/mail/buttons.ts'
import { createKey, exchangesOf, rotateKey, statesOf, tokenOf } from '../../support/accounts/keys.ts'
import { createLink } from '../../support/accounts/payment-links.ts'
import { until } from '../../support/mail/mailing.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent, userOf } from '../../support/database/state.ts'

const ROUTE = 'DELETE /users/me'
let service: Service

before(async () => {
  service = await startService({ LOG_LEVEL: 'info' })
})
after(() => service.close())

/** Every row of every table that contains one of these texts, as `table: row`. */
async function rowsHolding(...texts: string[]): Promise<string[]> {
  const found: string[] = []
  for (const { name } of await service.db.kysely.introspection.getTables()) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(service.db.query)
    for (const row of rows.map((one) => `${name}: ${JSON.stringify(one)}`)) {
      if (texts.some((text) => row.includes(text))) found.push(row)
    }
  }
  return found
}

/** What is left of a deleted account: its row, and the change for services behind. */
const TOMBSTONE = ['account_changes', 'users']
const tablesOf = (rows: readonly string[]) => rows.map((row) => row.slice(0, row.indexOf(':'))).toSorted()

/** Waits until the rows of deleted accounts are erased. */
const untilErased = () =>
  until(async () => (await findAccountsToErase(service.db, 1)).length === 0, 'the rows are erased')
// What one test still erases must not change the state that the next one compares.
afterEach(untilErased)

const tombstonesOf = async (id: string) =>
  service.db.query.selectFrom('users').selectAll().where('id', '=', id).execute()

test('deleting an account with data in every table leaves only an anonymous tombstone', async () => {
  const email = 'ana@example.com'
  const { notMe } = await signInMail(service, email)
  const first = await service.signIn(email)
  await service.call('PATCH /users/me', { token: first, body: { name: 'Ana Pop' } })
  const key = await createKey(service, first, { name: 'Of Ana', expiresInDays: 30 })
  await createKey(service, await tokenOf(service, key))
  await rotateKey(service, first, key, 3600)
  await service.call('POST /auth/api-keys/leaked', { body: { secrets: [{ keySecret: key.keySecret }] } })
  await service.call('POST /auth/api/token', { body: { keyId: key.apiKey.keyId, keySecret: 'x' } })
  await pauseMail(service, email)
  const headers = { 'idempotency-key': 'order-1' }
  const { id: link } = await createLink(service, first, { title: 'Of Ana' }, headers)
  service.clock.advance(86_400_000)
  const token = await service.signIn(email)
  await service.deps.keyUse.flush()
  await service.deps.failureLog.flush()
  const { id, created_at_ms } = await userOf(service.db, email)
  await sql`insert into identities values ('https://issuer.example', 'ana', ${id}, 'ana@gmail.com', 1, 'a-google-sign-in')`.execute(
    service.db.query,
  )
  const earlier = await rowsHolding(email, id)
  const tables = [
    'users',
    'api_keys',
    'identities',
    'security_events',
    'sign_ins',
    'mail_buttons',
    'mail_pauses',
    'payment_links',
    'idempotency_keys',
  ]
  for (const table of tables)
    assert.ok(
      earlier.some((row) => row.startsWith(`${table}:`)),
      table,
    )

  const answer = await service.call(ROUTE, { token })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.text, '{"ok":true}')
  assertUncacheable(answer)
  await untilErased()
  const tombstone = {
    id,
    email: id,
    role: 'USER',
    name: null,
    locale: null,
    created_at_ms,
    claimed_at_ms: null,
    disabled_at_ms: null,
    payment_link_count: null,
  }
  const [left] = await tombstonesOf(id)
  assert.deepEqual({ ...left }, { ...tombstone, token_version: 1, deleted_at_ms: service.clock.now() })
  const rows = await rowsHolding(email, id, 'Ana', key.apiKey.id, key.apiKey.keyId, link)
  assert.deepEqual(tablesOf(rows), TOMBSTONE)
  const change = rows.find((row) => row.startsWith('account_changes: '))
  assert.match(change ?? '', new RegExp(`"user_id":"${id}","kind":"deleted","at_ms":\\d+,"position":\\d+}$`))
  assertError(await service.call(`GET /payment-links/${link}/public`), 'NOT_FOUND')
  assertError(await press(service, 'not-me', notMe), 'LINK_INVALID')
})

test('other users’ data is unchanged', async () => {
  const other = await service.signIn('bob@example.com')
  await createKey(service, other)
  await countMailsTo(service, 'bob@example.com')
  const token = await service.signIn('cia@example.com')
  const { id } = await userOf(service.db, 'cia@example.com')
  const notOfCia = async () =>
    Object.values(await databaseContent(service.db)).map((rows) =>
      rows.filter((row: object) => !/cia@|deleted/.test(JSON.stringify(row)) && !JSON.stringify(row).includes(id)),
    )
  const earlier = await notOfCia()
  await service.call(ROUTE, { token })
  await untilErased()
  assert.deepEqual(await notOfCia(), earlier)
  assert.deepEqual(await statesOf(service, [other]), ['bob@example.com'])
})

test('every token and key stays invalid, and the address gets a new account by sign-in or signup [GHSA-2vg6-77g8-24mp]', async () => {
  for (const [email, return_] of [
    ['dan@example.com', (address: string) => service.signIn(address)],
    ['eva@example.com', async (address: string) => (await service.signUp(address)).token as string],
  ] as const) {
    const token = await service.signIn(email)
    const older = await service.signIn(email)
    const key = await createKey(service, token)
    const dead = [token, older, await tokenOf(service, key)]
    const { id } = await userOf(service.db, email)
    await service.call(ROUTE, { token })
    assert.deepEqual(await statesOf(service, dead), Array(3).fill('UNAUTHORIZED'))
    const anew = await return_(email)
    assert.deepEqual(await statesOf(service, [...dead, anew]), [...Array<string>(3).fill('UNAUTHORIZED'), email])
    assert.deepEqual(await exchangesOf(service, [key]), ['INVALID_CREDENTIALS'])
    const { body } = await service.call('GET /users/me', { token: anew })
    assert.notEqual(body.user.id, id)
    assert.equal(body.user.name, null)
    const events = (await service.call('GET /auth/events', { token: anew })).body.events
    assert.ok(events.every(({ type }: { type: string }) => ['account_created', 'signed_in'].includes(type)))
    assert.equal((await tombstonesOf(id)).length, 1)
  }
})

test('a sign-in less than ten minutes old is accepted to the last millisecond, and one of ten minutes is refused', async () => {
  const token = await service.signIn('fay@example.com')
  service.clock.advance(600_000)
  const refused = await assertNothingHappens(service, () => service.call(ROUTE, { token }))
  assertError(
    refused,
    'SIGN_IN_REQUIRED',
    'This endpoint requires a token from a magic-link or Google sign-in in the last ten minutes. Sign in again.',
  )
  const fresh = await service.signIn('fay@example.com')
  service.clock.advance(600_000 - 1)
  assert.equal((await service.call(ROUTE, { token: fresh })).status, 200)
  await untilErased()
})

test('a token of a key is refused, however new, also that of a signup’s first key', async () => {
  const token = await service.signIn('gil@example.com')
  const ofKey = await tokenOf(service, await createKey(service, token))
  const { token: ofSignup } = await service.signUp('hal@example.com')
  for (const each of [ofKey, ofSignup]) {
    const answer = await assertNothingHappens(service, () => service.call(ROUTE, { token: each }))
    assertError(answer, 'SIGN_IN_REQUIRED')
  }
  assertError(await service.call(ROUTE), 'UNAUTHORIZED')
})

test('of concurrent deletions one succeeds, and keys, sign-ins and links created meanwhile leave no row', async () => {
  const email = 'ida@example.com'
  const token = await service.signIn(email)
  const { id } = await userOf(service.db, email)
  const routes = [ROUTE, 'POST /auth/api-keys', ROUTE, 'POST /auth/tokens/revoke', ROUTE, 'POST /auth/api-keys']
  const answers = await runInLockstep(service, routes.length, (index) => service.call(routes[index] ?? '', { token }))
  const deletions = answers.filter((_, index) => routes[index] === ROUTE).map(({ status }) => status)
  // A sign-out that came first refuses every deletion.
  assert.ok(deletions.filter((status) => status === 200).length <= 1, deletions.join())
  if (!deletions.includes(200)) await service.call(ROUTE, { token: await service.signIn(email) })
  await until(async () => (await rowsHolding(email, id)).length === TOMBSTONE.length, 'only the tombstone')
})

test('failures noted before the deletion and written after it are dropped', async () => {
  const email = 'jim@example.com'
  const token = await service.signIn(email)
  const { apiKey } = await createKey(service, token)
  const { link } = await signInMail(service, email)
  for (let n = 0; n < 2; n += 1) await service.call(`GET /auth/verify?token=${link}`)
  await service.call('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret: 'x' } })
  const { id } = await userOf(service.db, email)
  await service.call(ROUTE, { token })
  await service.deps.failureLog.flush()
  await service.deps.keyUse.flush()
  await untilErased()
  assert.deepEqual(tablesOf(await rowsHolding(email, id)), TOMBSTONE)
})
