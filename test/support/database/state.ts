/** The content of the database and of the mailboxes, for tests that assert that something did not happen. */
import assert from 'node:assert/strict'
import { failureTypes } from '../../../src/domain/events/security-events.ts'
import type { Queries } from '../../../src/database/database.ts'
import { findAccountsToErase } from '../../../src/database/erase-rows.ts'
import { until } from '../until.ts'
import type { Service } from '../service.ts'

export async function databaseContent(db: Queries) {
  const apiKeys = await db.query.selectFrom('api_keys').selectAll().orderBy('id').execute()
  for (const key of apiKeys) Object.assign(key, { last_used_at_ms: null, last_used_network: null })
  const signIns = await db.query.selectFrom('sign_ins').selectAll().orderBy('id').execute()
  for (const signIn of signIns) signIn.last_seen_at_ms = 0
  return {
    users: await db.query.selectFrom('users').selectAll().orderBy('id').execute(),
    keyMakers: await db.query.selectFrom('key_makers').selectAll().orderBy('id').execute(),
    // The last uses and failures are left out: they are written behind, at any time.
    apiKeys,
    signIns,
    keyAmounts: await db.query
      .selectFrom('key_amounts')
      .selectAll()
      .orderBy('key_id')
      .orderBy('day')
      .orderBy('currency')
      .execute(),
    links: await db.query.selectFrom('magic_links').selectAll().orderBy('token_hash').execute(),
    mails: await db.query.selectFrom('queued_mails').selectAll().orderBy('id').execute(),
    buttons: await db.query.selectFrom('mail_buttons').selectAll().orderBy('token_hash').execute(),
    identities: await db.query.selectFrom('identities').selectAll().orderBy('subject').execute(),
    spent: await db.query.selectFrom('spent_credentials').selectAll().orderBy('hash').execute(),
    paymentLinks: await db.query.selectFrom('payment_links').selectAll().orderBy('id').execute(),
    rates: await db.query.selectFrom('exchange_rates').selectAll().orderBy('currency').orderBy('date').execute(),
    keptAnswers: await db.query
      .selectFrom('idempotency_keys')
      .selectAll()
      .orderBy('user_id')
      .orderBy('key_hash')
      .execute(),
    addressChanges: await db.query.selectFrom('address_changes').selectAll().orderBy('id').execute(),
    pauses: await db.query.selectFrom('mail_pauses').selectAll().orderBy('email').execute(),
    events: await db.query
      .selectFrom('security_events')
      .selectAll()
      .where('type', 'not in', failureTypes)
      .orderBy('id')
      .execute(),
  }
}

/** Waits until all rows of deleted accounts are erased. */
export async function untilErased({ db }: Pick<Service, 'db'>): Promise<void> {
  await until(async () => (await findAccountsToErase(db, 1)).length === 0, 'the rows of deleted accounts are gone')
}

/** The recipients of all mail, once only mail held back by a pause is queued. */
export async function recipientsOf({ db, smtp, clock, isSending }: Service): Promise<string[]> {
  const isQueued = () =>
    db.query
      .selectFrom('queued_mails')
      .select('id')
      .where((row) => row.or([row('attempts', '>', 0), row('due_at_ms', '<=', clock.now())]))
      .executeTakeFirst()
  for (const deadline = performance.now() + 60_000; (await isQueued()) || isSending();) {
    if (performance.now() > deadline) throw new Error('mail stays queued')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return smtp.mails.flatMap((mail) => mail.to)
}

export function userOf(db: Queries, email: string) {
  return db.query.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
}

/** Runs `act`, which must store nothing and send nothing. */
export async function assertNothingHappens<T>(service: Service, act: () => Promise<T>): Promise<T> {
  const before = { sent: await recipientsOf(service), stored: await databaseContent(service.db) }
  const result = await act()
  const stored = await databaseContent(service.db)
  assert.deepEqual({ sent: await recipientsOf(service), stored }, before)
  return result
}
