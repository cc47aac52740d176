import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { runInLockstep } from '../../../support/wire/lockstep.ts'
import { callAt } from '../../../support/http/call.ts'
import { clusterUrl } from '../../../support/database/database.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { databaseContent, userOf } from '../../../support/database/state.ts'
import { createKey, tokenOf } from '../../../support/accounts/keys.ts'
import { addTriggers } from '../../../support/database/triggers.ts'

const ROUTE = 'POST /payment-links'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const right = { amount: 1050, title: 'Lunch' }
const withKey = (token: string, key: string, body: object = right) => ({
  token,
  body,
  headers: { 'idempotency-key': key },
})

async function storedOf(email: string) {
  const { id } = await userOf(service.db, email)
  const { paymentLinks, keptAnswers } = await databaseContent(service.db)
  return {
    links: paymentLinks.filter((row) => row.user_id === id).map((row): unknown => row.id),
    kept: keptAnswers.filter((row) => row.user_id === id),
  }
}

test('forty concurrent repeats create one link and get one answer', async () => {
  const token = await service.signIn('ana@example.com')
  const answers = await runInLockstep(service, 40, () => service.call(ROUTE, withKey(token, 'k')))
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
  assert.equal(answers[0]?.status, 201, `${answers[0]?.text}`)
  const { links, kept } = await storedOf('ana@example.com')
  assert.deepEqual(links, [answers[0]?.body.paymentLink.id])
  assert.equal(kept.length, 1)
})

test('of two bodies sent concurrently with one key, one succeeds and the other gets conflicts', async () => {
  const token = await service.signIn('bob@example.com')
  const answers = await runInLockstep(service, 20, (n) =>
    service.call(ROUTE, withKey(token, 'k', { ...right, amount: 1 + (n % 2) })),
  )
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.length, 10)
  assert.equal(new Set(made.map(({ text }) => text)).size, 1)
  assert.equal(answers.filter(({ body }) => body.error?.code === 'IDEMPOTENCY_CONFLICT').length, 10)
  assert.deepEqual((await storedOf('bob@example.com')).links, [made[0]?.body.paymentLink.id])
})

test('different keys, different users and requests without a key do not affect each other', async () => {
  const tokens = [await service.signIn('cia@example.com'), await service.signIn('dan@example.com')]
  const answers = await runInLockstep(service, 24, (n) => {
    const token = tokens[n % 2] ?? ''
    return service.call(ROUTE, n < 12 ? withKey(token, `key-${n % 6}`) : { token, body: right })
  })
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  const links = await Promise.all(['cia@example.com', 'dan@example.com'].map(storedOf))
  assert.deepEqual(
    links.map((of) => [of.links.length, of.kept.length]),
    [
      [9, 3],
      [9, 3],
    ],
  )
})

test('repeats on two processes with a shared database create one link and get one answer', async (t) => {
  if (clusterUrl === undefined) return t.skip('SQLite serves one process')
  // Before the second process starts: it would send the mail to its own SMTP server.
  const token = await service.signIn('eva@example.com')
  const other = await startService({ DATABASE_URL: service.databaseUrl, PUBLIC_URL: service.origin })
  try {
    const { port } = other.app.server.address() as AddressInfo
    const bases = [service.baseUrl, `http://127.0.0.1:${port}/api/v1`]
    for (const key of ['a', 'b', 'c', 'd']) {
      const calls = Array.from({ length: 20 }, (_, n) => callAt(bases[n % 2] ?? '', ROUTE, withKey(token, key)))
      const answers = await Promise.all(calls)
      assert.equal(answers[0]?.status, 201, `${answers[0]?.text}`)
      assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
    }
    assert.equal((await storedOf('eva@example.com')).links.length, 4)
  } finally {
    await other.close()
  }
})

test('a token revoked between the guard and the write leaves no link and no stored answer', async () => {
  const { db } = service
  const email = 'fay@example.com'
  const owner = await service.signIn(email)
  const key = await createKey(service, owner)
  await sql`create table history (event text)`.execute(db.query)
  const note = (event: string) => `insert into history values ('${event}')`
  const remove = await addTriggers(
    db,
    { on: 'after insert', table: 'payment_links', run: note('made') },
    { on: 'after insert', table: 'idempotency_keys', run: note('made') },
    { on: 'after update', table: 'users', when: 'new.token_version > old.token_version', run: note('revoked') },
    {
      on: 'after update',
      table: 'api_keys',
      when: 'old.revoked_at_ms is null and new.revoked_at_ms is not null',
      run: note('revoked'),
    },
  )
  const ends = [
    { route: `POST /auth/api-keys/${key.apiKey.id}/revoke`, token: await tokenOf(service, key), by: owner },
    { route: 'POST /auth/tokens/revoke', token: owner, by: owner },
  ]
  for (const { route, token, by } of ends) {
    await sql`delete from history`.execute(db.query)
    const earlier = await storedOf(email)
    const make = (n: number) => service.call(ROUTE, withKey(token, `${route}-${n}`))
    const answers = await runInLockstep(service, 16, (n) => (n === 8 ? service.call(route, { token: by }) : make(n)))
    assert.equal(answers[8]?.status, 200, `${answers[8]?.text}`)
    const { rows } = await sql<{ event: string }>`select event from history`.execute(db.query)
    const events = rows.map(({ event }) => event)
    assert.ok(events.includes('revoked'))
    assert.ok(events.lastIndexOf('made') < events.indexOf('revoked'), events.join(' '))

    const made = answers.filter(({ status }) => status === 201).map(({ body }) => String(body.paymentLink.id))
    assert.equal(answers.filter(({ status }) => status === 401).length, 15 - made.length)
    const { links, kept } = await storedOf(email)
    assert.deepEqual(links.toSorted(), [...earlier.links, ...made].toSorted(), 'no 401 left a link')
    assert.equal(kept.length, earlier.kept.length + made.length)
    assert.equal((await make(8)).status, 401)
    assert.equal((await storedOf(email)).kept.length, kept.length)
  }
  await remove()
})
