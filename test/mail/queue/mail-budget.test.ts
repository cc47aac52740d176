import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertLink } from '../../../src/domain/sign-in/magic-link-store.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { takeFromBudget } from '../../../src/mail/queue/mail-budget.ts'
import { startMailing } from '../../support/mail/mailing.ts'

const MINUTE_MS = 60_000
const [OWNER, OTHER] = ['ana@example.com', 'ana+work@example.com'] as const

test('of two proven addresses of a mailbox, the one with the newer link leaves the last token to the other, whichever was requested first', async (t) => {
  const { db, clock, enqueue, waiting, close } = await startMailing()
  t.after(close)
  const env = {
    JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes',
    RATE_LIMITS: 'on',
    RATE_LIMIT_MAIL_MAILBOX: '2/10m',
  }
  const config = loadConfig(env, () => '')
  const nowMs = clock.now()
  for (const email of [OWNER, OTHER]) {
    await db.query
      .insertInto('users')
      .values({ id: email, email, role: 'USER', token_version: 0, created_at_ms: nowMs, claimed_at_ms: nowMs })
      .execute()
  }
  const linkMade = (email: string, agoMs: number) =>
    db.transaction((trx) =>
      insertLink(trx, { token_hash: email, email, redirect_to: null, expires_at_ms: nowMs - agoMs + 10 * MINUTE_MS }),
    )
  const take = async (email: string) => {
    const mail = (await waiting()).find((row) => row.email === email) ?? assert.fail()
    return db.transaction((trx) => takeFromBudget(config, trx, { ...mail, attempts: 1 }, nowMs))
  }

  await enqueue({ email: OTHER })
  assert.equal(await take(OTHER), undefined, 'control: without the other it goes out')
  await linkMade(OTHER, 0)
  await linkMade(OWNER, 5 * MINUTE_MS)
  await enqueue({ email: OWNER })
  assert.equal((await take(OTHER))?.untilMs, nowMs + 5 * MINUTE_MS)
  assert.equal(await take(OWNER), undefined)
})
