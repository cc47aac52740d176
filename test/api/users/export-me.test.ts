import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { hiddenUntilClaimed } from '../../../src/domain/events/security-events.ts'
import { insertLink } from '../../../src/domain/sign-in/magic-link-store.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { enqueueMail } from '../../../src/domain/mails/mail-queue-store.ts'
import { newMail } from '../../../src/domain/mails/new-mail.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { pauseMail, signInMail } from '../../support/mail/buttons.ts'
import { assertDocumented } from '../../support/documented.ts'
import { createKey, keepKey, rotateKey, tokenOf } from '../../support/accounts/keys.ts'
import { createLink, dayBefore, holdRates } from '../../support/accounts/payment-links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { signUpWithForeignAddress } from '../../support/accounts/squatting.ts'
import { assertNothingHappens, databaseContent, userOf, recipientsOf } from '../../support/database/state.ts'
import { signInRow } from '../../support/accounts/rows.ts'
import { mint, read, rightParts } from '../../support/accounts/tokens.ts'

const ROUTE = 'GET /users/me/export'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Columns that are not personal data: hashes of secrets, and internal state of the queue. */
const leftOut: ReadonlySet<string> = new Set([
  'users.deleted_at_ms',
  // A disabled account cannot be exported; its events have the times.
  'users.disabled_at_ms',
  // The counter of the limit; the links themselves are exported.
  'users.payment_link_count',
  'api_keys.secret_hash',
  'api_keys.previous_secret_hash',
  // Derivable from the exported key makers.
  'api_keys.family_id',
  'api_keys.creator_id',
  // Internal: a version of the user's.
  'api_keys.token_version',
  'key_makers.id',
  'key_daily_uses.user_id',
  'magic_links.token_hash',
  'mail_buttons.token_hash',
  'mail_buttons.link_hash',
  'queued_mails.id',
  'queued_mails.leased_until_ms',
  'queued_mails.mailbox',
  // Of the requester, who may be somebody else.
  'queued_mails.network',
  'queued_mails.browser',
  'queued_mails.asked_at_ms',
  'queued_mails.asked_by_several',
  'queued_mails.turn_rank',
  'queued_mails.turn_at_ms',
  'queued_mails.held_until_ms',
  'address_changes.id',
  'address_changes.user_id',
  // Internal: a version of the user's, and until when the row is kept.
  'address_changes.token_version',
  'address_changes.kept_until_ms',
  // A list of connections, which is exported as such.
  'address_changes.identities',
  // The same as users.claimed_at_ms, which is exported.
  'payment_links.claimed_at_ms',
])

/** Tables without personal data, or with data that is exported from another table. */
const tablesLeftOut: ReadonlySet<string> = new Set([
  'migrations',
  // Hashes of used credentials, without a user.
  'spent_credentials',
  // Ids of deleted keys, without a user.
  'revoked_keys',
  'exchange_rates',
  // That the account was disabled and enabled, which its events say; and a counter.
  'account_changes',
  'account_change_counter',
  // What apps asked for, for minutes; what they were given is exported with the keys.
  'authorization_requests',
  // Repeats the account's own address.
  'spelled_mailboxes',
  // Hashes of keys and requests, kept for a day; the stored responses are those of exported payment links, or name an exported key.
  'idempotency_keys',
])

function asExported(column: string, value: unknown): unknown {
  if (column.endsWith('_ms')) return new Date(Number(value)).toISOString()
  return column.startsWith('is_') ? value === 1 : value
}

/** Every value in a JSON document, with the name of its field. */
function leavesOf(value: unknown, field = ''): [field: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[field, value]]
  return Object.entries(value).flatMap(([name, part]) => leavesOf(part, name))
}

/** `createdAt` for `created_at_ms`. */
function timeFieldOf(column: string): string {
  if (column === 'awaits_owner_at_ms') return 'awaitsOwnerSince'
  return column.replace(/_ms$/, '').replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Inserts one row into every table with personal data, with a distinct value in each numeric and time column. */
async function fillEveryColumn(email: string): Promise<string> {
  const { db, clock, deps } = service
  const restrictions = { currencies: ['RON', 'GBP'], maxAmount: { GBP: 7015 } }
  await createKey(service, await service.signIn(email), { restrictions })
  await sql`update api_keys set client_id = 'https://client.example/client.json', resource = 'mcp'`.execute(db.query)
  await sql`update api_keys set last_used_network = '203.0.113.78', effective_restrictions = '{"maxAmount":{"GBP":7007}}'`.execute(
    db.query,
  )
  await pauseMail(service, email)
  const { id } = await userOf(db, email)
  await sql`insert into key_amounts values ('an-asking-key', '2026-11-22', 'GBP', 7006, ${id})`.execute(db.query)
  await sql`update key_makers set maker_key_id = 'a-key-that-made', sign_in_id = 'a-sign-in'`.execute(db.query)
  await sql`delete from security_events where type <> 'not_me'`.execute(db.query)
  await sql`update security_events set api_key_id = 'a-key', by_api_key_id = 'another-key', sign_in_id = 'an-event-sign-in', by_sign_in_id = 'a-causing-sign-in', times = 7001, browser = 'Firefox on Linux'`.execute(
    db.query,
  )
  await sql`delete from mail_buttons where used_at_ms is null`.execute(db.query)
  await sql`update mail_buttons set sign_in_id = 'another-sign-in'`.execute(db.query)
  await sql`update sign_ins set token_version = 7005, browser = 'Safari on macOS', client = '203.0.113.77', is_new_browser = 1`.execute(
    db.query,
  )
  await sql`insert into key_daily_uses values ('a-used-key', '2026-11-20', 7006, 7007, ${id})`.execute(db.query)
  await sql`insert into magic_links values ('l', ${email}, 'https://app.example/a', 1)`.execute(db.query)
  await sql`insert into identities values ('https://issuer.example', 'a-subject', ${id}, 'ana@gmail.com', 1, 'a-google-sign-in')`.execute(
    db.query,
  )
  await sql`insert into queued_mails (id, kind, email, redirect_to, locale, attempts, due_at_ms, leased_until_ms, created_at_ms, tells_since_ms) values ('q', 'sign_in', ${email}, 'https://app.example/b', 'ro', 7002, 1, 1, 1, 1)`.execute(
    db.query,
  )
  await sql`insert into payment_links values ('p', ${id}, 'a-paying-key', 'A title', 'A reference', 7004, 'EUR', 1, 1, 1, 1)`.execute(
    db.query,
  )
  await sql`update users set name = 'Ana Pop', token_version = 7003`.execute(db.query)
  await sql`insert into address_changes (id, user_id, old_email, new_email, sign_in_id, token_version, asked_at_ms, expires_at_ms, kept_until_ms, identities) values ('c', ${id}, 'old@example.com', 'new@example.com', 'a-changing-sign-in', 7005, 1, 1, 1, '[]')`.execute(
    db.query,
  )
  let laterMs = clock.now() + 1e9
  for (const { name: table, columns } of await db.kysely.introspection.getTables()) {
    for (const { name: column } of columns.filter((one) => one.name.endsWith('_ms'))) {
      if (column !== 'deleted_at_ms' && column !== 'disabled_at_ms') {
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${(laterMs += 86_400_000)}`.execute(db.query)
      }
    }
  }
  const parts = rightParts(deps.config, id, clock.now())
  return mint({ ...parts, claims: { ...parts.claims, tokenVersion: 7003 } })
}

test('every column of every table is exported or explicitly left out, and every time under its own name', async () => {
  const alone = await startService()
  const shared = service
  service = alone
  try {
    const token = await fillEveryColumn('ana@example.com')
    const answer = await alone.call(ROUTE, { token })
    assert.equal(answer.status, 200, answer.text)
    const exported = leavesOf(answer.body)
    const missing: string[] = []
    const misplaced: string[] = []
    for (const { name: table, columns } of await alone.db.kysely.introspection.getTables()) {
      if (table.startsWith('kysely') || tablesLeftOut.has(table) || table.startsWith('rate_limit_')) continue
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(alone.db.query)
      assert.ok(rows.length > 0, `no row in ${table}: fill it`)
      for (const { name: column } of columns) {
        const value = rows[0]?.[column]
        if (leftOut.has(`${table}.${column}`)) continue
        assert.ok(value !== null, `nothing in ${table}.${column}: fill it`)
        const parts = column.endsWith('restrictions')
          ? leavesOf(JSON.parse(value as string)).map(([, part]) => part)
          : [asExported(column, value)]
        for (const part of parts) {
          const fields = exported.filter(([, one]) => one === part).map(([name]) => name)
          if (fields.length === 0) missing.push(`${table}.${column}`)
          else if (column.endsWith('_ms') && !fields.includes(timeFieldOf(column)))
            misplaced.push(`${table}.${column} is ${fields.join()}`)
        }
      }
    }
    assert.deepEqual(missing, [])
    assert.deepEqual(misplaced, [])
  } finally {
    service = shared
    await alone.close()
  }
})

test('the export is a file, is not cached, and records one event an hour for the owner to see', async () => {
  const token = await service.signIn('bob@example.com')
  await recipientsOf(service)
  const stored = await databaseContent(service.db)
  const answer = await service.call(ROUTE, { token })
  await service.call(ROUTE, { token })
  const { events, ...others } = await databaseContent(service.db)
  assert.deepEqual({ ...others, events: events.filter(({ type }) => type !== 'exported') }, stored)
  const { id } = await userOf(service.db, 'bob@example.com')
  const exported = events.filter(({ type, user_id: userId }) => type === 'exported' && userId === id)
  assert.deepEqual(
    exported.map(({ times, client, by_api_key_id: by }) => [times, client, by]),
    [[2, '127.0.0.1', null]],
  )
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="account.json"')
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  assertUncacheable(answer)
})

test('the export contains no secret, token or hash', async () => {
  const email = 'cia@example.com'
  const { link, notMe } = await signInMail(service, email)
  const { body } = await service.call(`GET /auth/verify?token=${link}`)
  const key = await createKey(service, body.token)
  const rotated = await rotateKey(service, body.token, key, 3600)
  const next = await signInMail(service, email)
  const { text } = await service.call(ROUTE, { token: body.token })
  const secrets = [link, notMe, next.link, next.notMe, key.keySecret, rotated.keySecret, body.token]
  for (const secret of secrets) for (const form of [secret, sha256(secret)]) assert.ok(!text.includes(form))
  const hashes = JSON.stringify(await databaseContent(service.db)).match(/"[^"]*_hash":"[^"]+"/g) ?? []
  assert.ok(hashes.length >= 5)
  for (const hash of hashes) assert.ok(!text.includes(hash.split('"')[3] ?? hash), hash)
})

test('the export lists who created, rotated and kept each key', async () => {
  const email = 'hal@example.com'
  const { apiKey: squatted, token: squatter } = await service.signUp(email)
  const planted = await createKey(service, squatter)
  const token = await service.signIn(email)
  await keepKey(service, token, planted)
  await rotateKey(service, token, planted)
  const answer = await service.call(ROUTE, { token })
  assertDocumented(ROUTE, answer)
  const { signInId } = answer.body.keyMakers[1]
  const at = new Date(service.clock.now()).toISOString()
  const byOwner = { apiKeyId: planted.apiKey.id, makerApiKeyId: null, signInId, at, lastAt: at }
  assert.ok(signInId)
  assert.deepEqual(answer.body.keyMakers, [
    { ...byOwner, how: 'created', makerApiKeyId: squatted.id, signInId: null },
    { ...byOwner, how: 'kept' },
    { ...byOwner, how: 'rotated' },
  ])
})

test('the export leaves out the mailbox and other people’s attempts until the address is proven, and includes them afterwards', async () => {
  const email = 'ida@example.com'
  const squatter = await signUpWithForeignAddress(service, email)
  const requested = { kind: 'sign_in', email, locale: 'en', redirectTo: 'https://app.example/of-the-owner' } as const
  await enqueueMail(service.db, { ...newMail(service.deps, requested), due_at_ms: service.clock.now() + 3_600_000 })
  await service.db.transaction((trx) =>
    insertLink(trx, { token_hash: 'x', email, redirect_to: 'https://app.example/of-the-owner', expires_at_ms: 1 }),
  )
  const answer = await service.call(ROUTE, { token: squatter })
  assertDocumented(ROUTE, answer)
  const { signInLinks, mailButtons, queuedMails, mailPause, events, apiKeys } = answer.body
  assert.deepEqual(
    { signInLinks, mailButtons, queuedMails, mailPause },
    { signInLinks: [], mailButtons: [], queuedMails: [], mailPause: null },
  )
  assert.deepEqual(
    events.map(({ type }: { type: string }) => type),
    ['exported', 'account_created'],
  )
  assert.equal(apiKeys.length, 1)
  assert.doesNotMatch(answer.text, /of-the-owner|203\.0\.113\.9/)

  const { id } = await userOf(service.db, email)
  await service.db.query.updateTable('users').set({ claimed_at_ms: 1 }).where('id', '=', id).execute()
  const owner = mint(rightParts(service.deps.config, id, service.clock.now()))
  const { body } = await service.call(ROUTE, { token: owner })
  assert.deepEqual([body.signInLinks.length, body.queuedMails.length, body.mailButtons.length > 2], [1, 1, true])
  assert.ok(body.mailPause)
  const exported = new Set(body.events.map(({ type }: { type: string }) => type))
  assert.deepEqual(
    hiddenUntilClaimed.filter((type) => !exported.has(type)),
    [],
  )
})

test('the export has every sign-in on record, live and ended, page by page, and no other user’s', async () => {
  const email = 'ivo@example.com'
  const ended = await service.signIn(email)
  const token = await service.signIn(email)
  assert.equal((await service.call('POST /auth/sign-out', { token: ended })).status, 200)
  const { id } = await userOf(service.db, email)
  // With equal times, the id decides where a page ends.
  const rows = Array.from({ length: 500 }, (_, n) => signInRow(`ivo-${1000 + n}`, { user_id: id }))
  const foreign = signInRow('of another user', { user_id: 'another' })
  await service.db.query
    .insertInto('sign_ins')
    .values([...rows, foreign])
    .execute()
  const answer = await service.call(ROUTE, { token })
  assertDocumented(ROUTE, answer)
  const { signIns } = answer.body
  assert.deepEqual(
    signIns.map((one: { id: string }) => one.id),
    [...rows.map((row) => row.id), ...[ended, token].map((one) => read(one).claims['sid'])],
  )
  const at = new Date(service.clock.now()).toISOString()
  assert.deepEqual(
    signIns.slice(-2).map((one: { endedAt: string | null }) => one.endedAt),
    [at, null],
  )
})

test('the export contains nothing about other users', async () => {
  const stranger = await service.signIn('eva@example.com')
  const { apiKey } = await createKey(service, stranger, { name: 'Of Eva' })
  await signInMail(service, 'eva@example.com')
  const token = await service.signIn('dan@example.com')
  assertError(await service.call(`${ROUTE}?userId=x&email=eva@example.com`, { token }), 'VALIDATION_FAILED')
  const { text } = await service.call(ROUTE, { token })
  const { id } = await userOf(service.db, 'eva@example.com')
  for (const foreign of ['eva', id, apiKey.id, apiKey.keyId]) assert.ok(!text.includes(foreign), foreign)
})

test('amounts in the export are in the currency of the call, with original and rate; without a rate they are null', async () => {
  const token = await service.signIn('jon@example.com')
  for (const currency of ['RON', 'EUR']) await createLink(service, token, {}, { 'x-currency': currency })
  const amounts = async (headers = {}) => {
    const answer = await service.call(ROUTE, { token, headers })
    assert.equal(answer.status, 200)
    assertDocumented(ROUTE, answer)
    const links: any[] = answer.body.paymentLinks
    return Object.fromEntries(
      links.map(({ amount, original, exchangeRate }) => [original.currency, [amount, original, exchangeRate]]),
    )
  }
  const [ron, eur] = [
    { value: 1050, currency: 'RON' },
    { value: 1050, currency: 'EUR' },
  ]
  assert.deepEqual(await amounts(), { RON: [ron, ron, null], EUR: [null, eur, null] })
  const date = dayBefore(service.clock, 3)
  await holdRates(service.db, date, { EUR: '5' })
  assert.deepEqual(await amounts(), {
    RON: [ron, ron, null],
    EUR: [{ value: 5250, currency: 'RON' }, eur, { rate: '5', date, source: 'BNR' }],
  })
  assert.deepEqual(await amounts({ 'x-currency': 'EUR' }), {
    RON: [{ value: 210, currency: 'EUR' }, ron, { rate: '0.2', date, source: 'BNR' }],
    EUR: [eur, eur, null],
  })
  assertError(await service.call(ROUTE, { token, headers: { 'x-currency': 'USD' } }), 'CURRENCY_NOT_SUPPORTED')
})

test('a key’s token can export an unclaimed account, and never a claimed one', async () => {
  const email = 'gil@example.com'
  const first = await service.signUp(email)
  assert.equal((await service.call(ROUTE, { token: first.token })).body.user.email, email)
  const owner = await service.signIn(email)
  await keepKey(service, owner, first)
  const keys = [first, await createKey(service, owner)]
  const tokens = [await tokenOf(service, keys[0]), await tokenOf(service, keys[1])]
  await assertNothingHappens(service, async () => {
    for (const token of tokens) {
      const refused = await service.call(ROUTE, { token })
      assertDocumented(ROUTE, refused)
      assertError(refused, 'SIGN_IN_REQUIRED')
    }
    assertError(await service.call(ROUTE), 'UNAUTHORIZED')
  })
})
