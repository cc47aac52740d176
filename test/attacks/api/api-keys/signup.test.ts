import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertError } from '../../../support/http/answers.ts'
import { exchange, statesOf } from '../../../support/accounts/keys.ts'
import { startService } from '../../../support/service.ts'
import type { Answer, Service } from '../../../support/service.ts'
import { onEmbeddedOnly } from '../../../support/database/database.ts'
import { addTriggers } from '../../../support/database/triggers.ts'
import { startLineSmtp } from '../../../support/mail/smtp-lines.ts'
import { assertNothingHappens, databaseContent, userOf } from '../../../support/database/state.ts'

const ROUTE = 'POST /auth/api/signup'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const OWN_CLAIMS: Readonly<Record<string, unknown>> = {
  emailVerified: true,
  email_verified: true,
  verified: true,
  claimed: true,
  claimedAt: '2026-01-01T00:00:00Z',
  claimed_at_ms: 1,
  role: 'ADMIN',
  tokenVersion: -1,
  token_version: -1,
  id: '00000000-0000-7000-8000-000000000000',
  needsOnboarding: false,
  createdAt: '1970-01-01T00:00:00Z',
}

test('no body field proves an address or raises the caller’s rights [CVE-2026-27946]', async () => {
  await assertNothingHappens(service, async () => {
    for (const [field, value] of Object.entries(OWN_CLAIMS)) {
      const body = { email: 'liar@example.com', [field]: value }
      assertError(
        await service.call(ROUTE, { body }),
        'VALIDATION_FAILED',
        /^(`\w+` is not a known field|The body has an unknown field)\.$/,
      )
    }
  })
  const { token } = await service.signUp('honest@example.com')
  const stored = await userOf(service.db, 'honest@example.com')
  await assertNothingHappens(service, async () => {
    for (const [field, value] of Object.entries(OWN_CLAIMS)) {
      const answer = await service.call('PATCH /users/me', { token, body: { name: 'Ana', [field]: value } })
      assertError(answer, 'VALIDATION_FAILED')
    }
  })
  assert.deepEqual(await userOf(service.db, 'honest@example.com'), stored)
  assert.equal(stored.claimed_at_ms, null)
  assert.equal((await service.call('GET /users/me', { token })).body.user.role, 'USER')
})

test('an unclaimed account’s address cannot be changed, so no change is pending when the owner proves it [P4]', async () => {
  const { token } = await service.signUp('planted@example.com')
  const moved = 'eve@evil.example'
  await assertNothingHappens(service, async () => {
    for (const body of [{ email: moved }, { name: 'Ana', email: moved }, { name: 'Ana', user: { email: moved } }])
      assertError(await service.call('PATCH /users/me', { token, body }), 'VALIDATION_FAILED')
    assertError(await service.call('POST /users/me/email', { token, body: { email: moved } }), 'SIGN_IN_REQUIRED')
    const confirm = { token, body: { token: 'x'.repeat(43) } }
    assertError(await service.call('POST /auth/email/confirm', confirm), 'SIGN_IN_REQUIRED')
  })
  const owner = await service.signIn('planted@example.com')
  assert.deepEqual(await statesOf(service, [owner, token]), ['planted@example.com', 'UNAUTHORIZED'])
  assert.deepEqual((await databaseContent(service.db)).addressChanges, [])
  assert.ok(!service.smtp.mails.some(({ to }) => to.includes(moved)))
})

test('a thief who signs up with another’s address keeps no working credential after the owner signs in, and cannot lock the owner out [P1, P6, CVE-2026-44166]', async () => {
  const taken = await service.signUp('owner@example.com')
  // The owner's own program signs up second: it is told to sign in and receives nothing of the thief's.
  const second = await service.call(ROUTE, { body: { email: 'Owner@Example.com' } })
  assertError(second, 'EMAIL_TAKEN')
  assert.doesNotMatch(second.text, /pls_|plk_|eyJ/)

  const owner = await service.signIn('owner@example.com')
  assert.deepEqual(await statesOf(service, [owner, taken.token]), ['owner@example.com', 'UNAUTHORIZED'])
  assertError(await exchange(service, taken), 'KEY_AWAITS_OWNER')
  assert.equal((await service.call('GET /users/me', { token: owner })).body.user.id, taken.user.id)
  assert.ok(await service.signIn('owner@example.com'), 'the owner can sign in again')
})

test('SMTP commands and header text in names never reach the mail server [GHSA-c7w3-x93f-qmm8]', async (t) => {
  const lineServer = await startLineSmtp()
  const lineService = await startService({ SMTP_URL: lineServer.url.href })
  t.after(async () => {
    await lineServer.close()
    await lineService.close()
  })
  const planted = [
    'RCPT TO:<eve@evil.example>',
    'Bcc: eve@evil.example',
    '.',
    'QUIT',
    'List-Unsubscribe: <https://evil.example>',
  ]
  for (const lineBreak of ['\r\n', '\n', '\r', '\0', '\u2028', '\u2029', '\u0085', '\v']) {
    for (const field of ['name', 'keyName']) {
      const body = { email: 'names@example.com', [field]: ['a', ...planted].join(lineBreak) }
      assertError(await lineService.call(ROUTE, { body }), 'VALIDATION_FAILED', /^`(name|keyName)` must /)
    }
  }
  assert.equal(lineServer.commands.length, 0, 'rejected names cause no SMTP command')

  // Without a line break they are ordinary names, and no mail contains them.
  for (const [index, text] of [...planted, '%0d%0aBcc: eve@evil.example', '\\r\\nQUIT'].entries()) {
    const body = { email: `n${index}@example.com`, name: text, keyName: text }
    assert.equal((await lineService.call(ROUTE, { body })).status, 201)
  }
  const all = planted.length + 2
  for (const deadline = performance.now() + 60_000; lineServer.messages.length < all;) {
    assert.ok(performance.now() < deadline, `${lineServer.messages.length} mails`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const recipients = lineServer.commands.filter((line) => line.startsWith('RCPT')).toSorted()
  assert.deepEqual(
    recipients,
    Array.from({ length: all }, (_, n) => `RCPT TO:<n${n}@example.com>`),
  )
  assert.doesNotMatch(lineServer.commands.join('\n') + lineServer.messages.join('\n'), /evil|^quit/im)
})

test(
  'on a full disk, an address without an account is counted like one with an account',
  onEmbeddedOnly('a full disk'),
  async (t) => {
    const limited = await startService({ RATE_LIMITS: 'on', RATE_LIMIT_SIGNUP_HOUR: '9/1h' })
    t.after(() => limited.close())
    const signUp = (email: string) => limited.call(ROUTE, { body: { email } })
    const left = ({ headers }: Answer) => /"signup-hour";r=(\d)/.exec(headers.get('ratelimit') ?? '')?.[1]
    assert.equal(left(await signUp('ana@example.com')), '8')
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(limited.db.query)
    await sql`pragma max_page_count = ${sql.lit(Number(rows[0]?.page_count))}`.execute(limited.db.query)
    const run = 'update users set name = hex(zeroblob(100000)) where id = new.id'
    await addTriggers(limited.db, { on: 'after insert', table: 'users', run })
    const free = await signUp('free@example.com')
    assertError(free, 'UNAVAILABLE')
    assert.equal(left(free), '7')
    // Until the disk is looked at again, every write is refused unseen.
    let known = await signUp('ana@example.com')
    while (known.status === 503) known = await signUp('ana@example.com')
    assertError(known, 'EMAIL_TAKEN')
    assert.equal(left(known), '6')
    assert.deepEqual(
      (await databaseContent(limited.db)).users.map(({ email }) => email),
      ['ana@example.com'],
    )
  },
)
