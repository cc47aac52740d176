/** What is in the database and in the mailboxes, for tests that assert what did not happen. */
import assert from 'node:assert/strict'
import { failureTypes } from '../../src/accounts/events.ts'
import type { Db } from '../../src/db/db.ts'
import { findDeleted } from '../../src/db/erase-rows.ts'
import { until } from './until.ts'
import type { Service } from './service.ts'

/** Every row of every table, to compare before and after. */
export async function contentOf(db: Db) {
  return {
    users: await db.selectFrom('users').selectAll().orderBy('id').execute(),
    keyMakers: await db.selectFrom('key_makers').selectAll().orderBy('id').execute(),
    apiKeys: await db.selectFrom('api_keys').selectAll().orderBy('id').execute(),
    links: await db.selectFrom('magic_links').selectAll().orderBy('token_hash').execute(),
    mails: await db.selectFrom('queued_mails').selectAll().orderBy('id').execute(),
    buttons: await db.selectFrom('mail_buttons').selectAll().orderBy('token_hash').execute(),
    identities: await db.selectFrom('identities').selectAll().orderBy('subject').execute(),
    spent: await db.selectFrom('spent_credentials').selectAll().orderBy('hash').execute(),
    paymentLinks: await db.selectFrom('payment_links').selectAll().orderBy('id').execute(),
    rates: await db.selectFrom('exchange_rates').selectAll().orderBy('currency').orderBy('date').execute(),
    keptAnswers: await db.selectFrom('idempotency_keys').selectAll().orderBy('user_id').orderBy('key_hash').execute(),
    pauses: await db.selectFrom('mail_pauses').selectAll().orderBy('email').execute(),
    // Without what is written behind, which may come at any time.
    events: await db
      .selectFrom('security_events')
      .selectAll()
      .where('type', 'not in', failureTypes)
      .orderBy('id')
      .execute(),
  }
}

/** Waits until nothing is left to erase of deleted accounts. */
export async function untilErased({ db }: Pick<Service, 'db'>): Promise<void> {
  await until(async () => (await findDeleted(db, 1)).length === 0, 'that the rows of deleted accounts are gone')
}

/**
 * The recipients of all mail so far, once none is queued any more but what a pause holds back: what is
 * not here was never sent.
 */
export async function recipientsOf({ db, smtp, clock, isSending }: Service): Promise<string[]> {
  const isQueued = () =>
    db
      .selectFrom('queued_mails')
      .select('id')
      .where((row) => row.or([row('attempts', '>', 0), row('due_at_ms', '<=', clock.now())]))
      .executeTakeFirst()
  for (const deadline = performance.now() + 60_000; (await isQueued()) || isSending(); ) {
    if (performance.now() > deadline) throw new Error('mail stays queued')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return smtp.mails.flatMap((mail) => mail.to)
}

/** The account of an address, as it is stored. */
export function userOf(db: Db, email: string) {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
}

/** Runs `act`, which must store nothing and send nothing. */
export async function assertNothingHappens<T>(service: Service, act: () => Promise<T>): Promise<T> {
  const before = { sent: await recipientsOf(service), stored: await contentOf(service.db) }
  const result = await act()
  const stored = await contentOf(service.db)
  assert.deepEqual({ sent: await recipientsOf(service), stored }, before)
  return result
}
