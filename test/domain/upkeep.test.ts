import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { deleteEventsBefore, insertEvent } from '../../src/domain/events/event-store.ts'
import { upsertAnswer } from '../../src/domain/idempotency/idempotency-store.ts'
import type { Tables } from '../../src/database/tables/tables.ts'
import { insertButton } from '../../src/domain/mails/mail-button-store.ts'
import { newMail } from '../../src/domain/mails/new-mail.ts'
import { insertLink } from '../../src/domain/sign-in/magic-link-store.ts'
import { spendCredential } from '../../src/domain/sign-in/spent-credential-store.ts'
import { startUpkeep, upkeep } from '../../src/domain/upkeep.ts'
import { eventsOf } from '../support/mail/buttons.ts'
import { flowingText } from '../support/mail/smtp.ts'
import { createKey, keepKey, rotateKey } from '../support/accounts/keys.ts'
import type { NewKey } from '../support/accounts/keys.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { recipientsOf, userOf } from '../support/database/state.ts'
import { stopwatch } from '../support/process/stopwatch.ts'
import { withPlanted } from '../support/database/triggers.ts'

const DAY_MS = 24 * 3600 * 1000
let service: Service

before(async () => {
  service = await startService({ EVENTS_KEEP_DAYS: '30' })
})
after(() => service.close())

/** The notices mailed to an address so far that this key stops working. */
async function noticesOf(email: string, { apiKey }: NewKey): Promise<string[]> {
  await recipientsOf(service)
  const texts = service.smtp.mails.filter(({ to }) => to.includes(email)).map(flowingText)
  return texts
    .flatMap((text) => text.match(/The API key [^.]*\./g) ?? [])
    .filter((sentence) => sentence.includes(`(${apiKey.keyId}) stops working on`))
}

/** Counts events, not mails: a mail that a newer one replaces is reported again by it. */
async function countNotices({ apiKey }: NewKey): Promise<number> {
  const told = service.db.query.selectFrom('security_events').select('id').where('api_key_id', '=', apiKey.id)
  return (await told.where('type', '=', 'key_expiring').execute()).length
}

const expiringEvents = async (email: string) =>
  (await eventsOf(service, email)).filter(({ type }) => type === 'key_expiring')

/** Advances the clock and runs the upkeep. */
async function later(milliseconds: number): Promise<void> {
  service.clock.advance(milliseconds)
  await upkeep(service.deps)
}

test('the owner is notified seven days and one day before a key expires, to the millisecond, once each', async () => {
  const email = 'ana@example.com'
  const key = await createKey(service, await service.signIn(email), { expiresInDays: 30 })
  const inUtc = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  const end = new Date(service.clock.now() + 30 * DAY_MS).toLocaleString('en-GB', inUtc)
  await later(23 * DAY_MS - 1)
  assert.deepEqual(await noticesOf(email, key), [])
  await later(1)
  const line = `The API key “\u2068API key\u2069” (${key.apiKey.keyId}) stops working on ${end} UTC.`
  const [told = ''] = await noticesOf(email, key)
  assert.ok(told.startsWith(line), told)
  await later(0)
  await later(6 * DAY_MS - 1)
  assert.equal((await noticesOf(email, key)).length, 1)
  await later(1)
  assert.equal((await noticesOf(email, key)).length, 2)
  await later(0)
  await later(DAY_MS)
  await later(DAY_MS)
  assert.equal((await noticesOf(email, key)).length, 2)
  const event = { type: 'key_expiring', detail: null, client: null }
  assert.deepEqual(await expiringEvents(email), [event, event])
})

test('a key that lives no longer than a notice period gets no such notice', async () => {
  const email = 'bob@example.com'
  const token = await service.signIn(email)
  const [day, two, week, eight] = await Promise.all(
    [1, 2, 7, 8].map((expiresInDays) => createKey(service, token, { expiresInDays })),
  )
  const counts = async () => Promise.all([day, two, week, eight].map((key) => countNotices(key as NewKey)))
  await later(0)
  assert.deepEqual(await counts(), [0, 0, 0, 0])
  await later(DAY_MS)
  assert.deepEqual(await counts(), [0, 1, 0, 1])
  await later(5 * DAY_MS)
  assert.deepEqual(await counts(), [0, 1, 1, 1])
  await later(DAY_MS)
  assert.deepEqual(await counts(), [0, 1, 1, 2])
})

test('after a week without upkeep the owner is notified once, not twice; after the expiry, not at all', async () => {
  const email = 'cia@example.com'
  const token = await service.signIn(email)
  const late = await createKey(service, token, { expiresInDays: 30 })
  const over = await createKey(service, token, { expiresInDays: 29 })
  await later(29 * DAY_MS + 1)
  assert.deepEqual([await countNotices(late), await countNotices(over)], [1, 0])
  assert.deepEqual(await noticesOf(email, over), [])
})

test('a key that is revoked, never expires, awaits the owner, or belongs to an unclaimed account gets no notice; a kept key gets one', async () => {
  const token = await service.signIn('dan@example.com')
  const revoked = await createKey(service, token, { expiresInDays: 10 })
  const endless = await createKey(service, token)
  await service.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token })
  const unclaimed = await service.signUp('eva@example.com')
  const waiting = await createKey(service, unclaimed.token, { expiresInDays: 10 })
  await later(4 * DAY_MS)
  assert.deepEqual(await expiringEvents('eva@example.com'), [], 'no notice was sent')
  const owner = await service.signIn('eva@example.com')
  await later(0)
  assert.deepEqual(await noticesOf('eva@example.com', waiting), [])
  await keepKey(service, owner, waiting)
  await later(0)
  assert.equal((await noticesOf('eva@example.com', waiting)).length, 1)
  for (const key of [revoked, endless]) assert.deepEqual(await noticesOf('dan@example.com', key), [])
})

test('a rotation does not move the expiry, and causes no second notice', async () => {
  const email = 'fay@example.com'
  const token = await service.signIn(email)
  const key = await createKey(service, token, { expiresInDays: 9 })
  await later(2 * DAY_MS)
  assert.equal((await noticesOf(email, key)).length, 1)
  service.clock.advance(1000)
  await rotateKey(service, token, key)
  await later(1000)
  assert.equal((await noticesOf(email, key)).length, 1)
})

test('many keys of one owner are in one mail, and keys beyond one batch are all reported', async () => {
  const email = 'gil@example.com'
  const token = await service.signIn(email)
  const keys = await Promise.all(Array.from({ length: 20 }, () => createKey(service, token, { expiresInDays: 9 })))
  const { id } = await userOf(service.db, email)
  // More than the limit of live keys and than a batch, as all keys of a service.
  await sql`
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 1100)
    insert into api_keys (id, user_id, name, key_id, secret_hash, created_at_ms, expires_at_ms)
    select 'bulk-' || i, ${id}, 'Bulk', 'plk_bulk' || i, 'bulk' || i, ${service.clock.now()},
      ${service.clock.now() + 9 * DAY_MS} from n
  `.execute(service.db.query)
  const earlier = (await recipientsOf(service)).length
  await later(2 * DAY_MS)
  assert.equal((await expiringEvents(email)).length, 1120)
  for (const key of keys) assert.ok((await noticesOf(email, key)).length >= 1)
  const sent = (await recipientsOf(service)).length - earlier
  assert.ok(sent <= 3, `at most one mail per batch: ${sent}`)
})

test('a notice that cannot be queued marks nothing: the next upkeep sends it', async () => {
  const email = 'kim@example.com'
  const key = await createKey(service, await service.signIn(email), { expiresInDays: 9 })
  await recipientsOf(service)
  const full = { on: 'before insert', table: 'queued_mails', fail: 'full' } as const
  await withPlanted(service.db, [full], () => later(2 * DAY_MS))
  assert.deepEqual(await expiringEvents(email), [])
  await later(0)
  assert.equal((await noticesOf(email, key)).length, 1)
})

const countOf = async (table: keyof Tables) =>
  Number(
    (
      await service.db.query
        .selectFrom(table)
        .select((row) => row.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

test('events, links, buttons, stored answers and spent credentials are swept when they expire (credentials a day later), to the millisecond, in batches', async () => {
  const email = 'lea@example.com'
  await service.signIn(email)
  const { id: userId } = await userOf(service.db, email)
  await later(31 * DAY_MS)
  for (const table of ['security_events', 'magic_links', 'mail_buttons'] as const) {
    assert.equal(await countOf(table), 0, table)
  }
  const nowMs = service.clock.now()
  const nobody = { api_key_id: null, by_api_key_id: null, sign_in_id: null, by_sign_in_id: null }
  const event = { user_id: userId, type: 'signed_in', client: null, ...nobody }
  const action = { action: 'not_me', mail_kind: 'sign_in', link_hash: null, sign_in_id: null } as const
  await service.db.transaction(async (trx) => {
    for (let n = 0; n < 203; n += 1) {
      const isOver = n < 201
      const late = isOver ? 0 : 1
      await insertEvent(trx, {
        ...event,
        id: `e${n}`,
        at_ms: nowMs - 30 * DAY_MS - 1 + late,
        detail: null,
        times: 1,
        browser: null,
      })
      await insertLink(trx, { token_hash: `l${n}`, email, redirect_to: null, expires_at_ms: nowMs + late })
      const answer = { user_id: userId, key_hash: `a${n}`, request_hash: 'r', answer: '{}' }
      await upsertAnswer(trx, { ...answer, created_at_ms: nowMs - DAY_MS + late })
      await spendCredential(trx, `s${n}`, nowMs - DAY_MS - 1 + late, nowMs - DAY_MS - 2)
      const button = { ...action, token_hash: `b${n}`, email, mailed_at_ms: nowMs, expires_at_ms: nowMs + late }
      await insertButton(trx, { ...button, tells_since_ms: null, used_at_ms: null })
    }
  })
  assert.equal(await deleteEventsBefore(service.db, nowMs - 30 * DAY_MS, 50), 50)
  await upkeep(service.deps)
  for (const table of [
    'security_events',
    'magic_links',
    'mail_buttons',
    'spent_credentials',
    'idempotency_keys',
  ] as const) {
    assert.equal(await countOf(table), 2, table)
  }
})

test('a pause is swept when it is old and its address has no account; an owner’s stays', async () => {
  const { db, clock } = service
  await service.signIn('max@example.com')
  const nowMs = clock.now()
  const pause = (email: string, ageDays: number) => ({
    email,
    paused_at_ms: nowMs - ageDays * DAY_MS,
    mailed_at_ms: null,
  })
  const pauses = [pause('nobody@example.com', 31), pause('max@example.com', 31), pause('new@example.com', 29)]
  await db.query.insertInto('mail_pauses').values(pauses).execute()
  await upkeep(service.deps)
  const left = await db.query.selectFrom('mail_pauses').select('email').orderBy('email').execute()
  assert.deepEqual(
    left.map(({ email }) => email),
    ['max@example.com', 'new@example.com'],
  )
  await db.query.deleteFrom('mail_pauses').execute()
})

test('a clock that is ahead deletes nothing that is still needed while it is not trusted', async () => {
  const { db, clock } = service
  await createKey(service, await service.signIn('lea@example.com'))
  await recipientsOf(service)
  const { id } = await userOf(db, 'lea@example.com')
  const nowMs = clock.now()
  await db.query
    .insertInto('mail_pauses')
    .values({ email: 'nobody@example.com', paused_at_ms: nowMs, mailed_at_ms: null })
    .execute()
  const answer = { user_id: id, key_hash: 'of lea', request_hash: 'r', answer: '{}' }
  await db.transaction((trx) => upsertAnswer(trx, { ...answer, created_at_ms: nowMs }))
  await db.transaction((trx) => spendCredential(trx, 'of lea', nowMs + 1, nowMs))
  const kept = [
    'security_events',
    'sign_ins',
    'mail_buttons',
    'mail_pauses',
    'idempotency_keys',
    'spent_credentials',
    'api_keys',
  ] as const
  const countAll = () => Promise.all(kept.map(countOf))
  const counted = await countAll()
  clock.advance(400 * DAY_MS)
  await upkeep(service.deps, undefined, false)
  assert.deepEqual(await countAll(), counted)
  await upkeep(service.deps)
  assert.deepEqual((await countAll()).slice(0, 6), [0, 0, 0, 0, 0, 0])
  clock.advance(-400 * DAY_MS)
})

test('a mail that was queued and tried while the clock was ahead is sent after it was set back', async () => {
  const { db, clock, deps } = service
  const ahead = { ...deps, clock: { now: () => clock.now() + 40 * DAY_MS } }
  const mail = newMail(ahead, { kind: 'sign_in', email: 'ahead@example.com', locale: 'en' })
  const tried = { attempts: 3, turn_at_ms: null, leased_until_ms: mail.due_at_ms }
  await db.query
    .insertInto('queued_mails')
    .values({ ...mail, ...tried })
    .execute()
  await later(0)
  assert.ok((await recipientsOf(service)).includes('ahead@example.com'))
})

test('a failed task is repeated by the next upkeep, and does not stop the other tasks', async () => {
  const { db, clock } = service
  const link = (name: string) => ({
    token_hash: name,
    email: 'x@example.com',
    redirect_to: null,
    expires_at_ms: clock.now(),
  })
  await createKey(service, await service.signIn('ned@example.com'), { expiresInDays: 9 })
  await recipientsOf(service)
  await db.query.insertInto('magic_links').values(link('over')).execute()
  const full = { on: 'before insert', table: 'security_events', fail: 'full' } as const
  await withPlanted(db, [full], () => later(2 * DAY_MS))
  assert.equal(await countOf('magic_links'), 0)
  assert.deepEqual(await expiringEvents('ned@example.com'), [])
  await later(0)
  assert.equal((await expiringEvents('ned@example.com')).length, 1)
})

test('stop ends the upkeep at once', async () => {
  const elapsedMs = stopwatch()
  await startUpkeep(service.deps).stop()
  // Half a minute is the delay of the first run.
  assert.ok(elapsedMs() < 10_000)
})
