/** After `copy-to-postgres` everything that worked still works, and what was revoked stays revoked. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { utcDay } from '../../src/lib/clock.ts'
import { callAt } from '../support/http/call.ts'
import type { Answer } from '../support/http/call.ts'
import { skipReason, newTarget, openSourceIn, runCopy, sourceContent } from '../support/database/copying.ts'
import type { Content, Target } from '../support/database/copying.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { databasePath, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { linkIn, MAIL_WITHIN_MS, startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'

const JWT_SECRET = 'a-test-secret-of-more-than-thirty-two-bytes'
const QUEUED = 'queued@example.com'

// Rows that calls can only cause with Google or after a day.
const FURTHER_ROWS = `
  insert into identities (issuer, subject, user_id, email, connected_at_ms, sign_in_id)
  select 'https://accounts.google.com', '10769150350006150715113082367', id, email, 1, 'a-sign-in' from users where email = 'ana@example.com';
  insert into spent_credentials (hash, expires_at_ms) values ('spent', 99999999999999);
  insert into exchange_rates (currency, date, ron_per_unit) values ('EUR', '${utcDay(Date.now())}', '5.0871');
  insert into mail_pauses (email, paused_at_ms, mailed_at_ms) values ('paused@example.com', 1, null);
  insert into rate_limit_windows (key, points, expire) values ('a-window', 1, 99999999999999);
  insert into rate_limit_buckets (key, full_at_ms) values ('a-bucket', 99999999999999);
  insert into account_changes (user_id, kind, at_ms, position) values ('a-user', 'deleted', 1, 2);
  insert into account_change_counter (id, position) values ('account_changes', 2);
  insert into revoked_keys values ('a-key', 1);
  insert into authorization_requests (id, user_id, client_id, redirect_uri, code_challenge, scope, resource, expires_at_ms)
  values ('a-request', 'a-user', 'https://assistant.example/client.json', 'https://assistant.example/', 'c', 'account:read', 'api', 99999999999999);
  update queued_mails set due_at_ms = 1, leased_until_ms = null;
`

describe('after copy-to-postgres', { skip: skipReason }, () => {
  const folder = temporaryFolder()
  let smtp: SmtpStandIn
  let target: Target
  let service: Served
  let copied: Awaited<ReturnType<typeof runCopy>>
  let original: Content
  let link: URL
  const ana = { token: '' }
  const bob: Record<string, any> = {}
  const made: Record<string, any> = {}
  const call: Served['call'] = (route, options) => callAt(service.baseUrl, route, options)
  const signIn = async (email: string): Promise<string> => {
    assert.equal((await call('POST /auth/request', { body: { email } })).status, 200)
    const { search } = linkIn(await smtp.mailTo(email, MAIL_WITHIN_MS, '/auth/verify?'))
    const { body } = await call(`GET /auth/verify${search}`)
    return body.token
  }
  const createKey = async (name: string) =>
    (await call('POST /auth/api-keys', { token: ana.token, body: { name } })).body
  const createPaymentLink = async () => {
    const headers = { 'idempotency-key': 'once', 'x-currency': 'EUR' }
    const { status, body } = await call('POST /payment-links', {
      token: ana.token,
      headers,
      body: { amount: 1050, title: 'Lunch' },
    })
    assert.equal(status, 201)
    return body
  }
  const exchange = ({ keyId }: { keyId: string }, keySecret: string): Promise<Answer> =>
    call('POST /auth/api/token', { body: { keyId, keySecret } })
  const statusOf = async (token: string) => (await call('GET /users/me', { token })).status

  before(async () => {
    // The mail server refuses one address temporarily until it is stopped, so that this mail stays queued.
    let isRefusing = true
    const refusal = Object.assign(new Error('later'), { responseCode: 450 })
    smtp = await startSmtp({
      onRcptTo: ({ address }, _session, done) => done(isRefusing && address === QUEUED ? refusal : null),
    })
    target = await newTarget()
    const env = { PORT: String(await freePort()), SMTP_URL: smtp.url, JWT_SECRET }
    service = await serveIn(folder.path, { ...env, DATABASE_URL: `sqlite:${databasePath(folder.path)}` })

    ana.token = await signIn('ana@example.com')
    await call('PATCH /users/me', { token: ana.token, body: { name: 'Ana-Țîru 🦊' } })
    Object.assign(bob, (await call('POST /auth/api/signup', { body: { email: 'bob@example.com' } })).body)
    for (const name of ['rotated', 'revoked']) made[name] = await createKey(name)
    const { apiKey: rotated, keySecret: old } = made['rotated']
    const { body } = await call(`POST /auth/api-keys/${rotated.id}/rotate`, {
      token: ana.token,
      body: { graceSeconds: 86_400 },
    })
    made['newSecret'] = body.keySecret
    assert.equal((await exchange(rotated, old)).status, 200)
    const { apiKey: revoked, keySecret } = made['revoked']
    made['revokedToken'] = (await exchange(revoked, keySecret)).body.token
    await call(`POST /auth/api-keys/${revoked.id}/revoke`, { token: ana.token })
    made['paymentLink'] = await createPaymentLink()
    await call('POST /payment-links', { token: bob['token'], body: { amount: 1050, title: 'By a key' } })
    made['signedOut'] = await signIn('carl@example.com')
    await call('POST /users/me/email', { token: made['signedOut'], body: { email: 'carl@new.example.com' } })
    // A proven address that differs from the normalised address of its mailbox.
    await signIn('carl+work@example.com')
    await call('POST /auth/tokens/revoke', { token: made['signedOut'] })
    await call('POST /auth/request', { body: { email: 'dana@example.com' } })
    link = linkIn(await smtp.mailTo('dana@example.com', MAIL_WITHIN_MS, '/auth/verify?'))
    await call('POST /auth/request', { body: { email: QUEUED } })
    await service.stop()
    const sourceFile = openSourceIn(folder.path)
    sourceFile.exec(FURTHER_ROWS)
    sourceFile.close()
    original = sourceContent(folder.path)

    copied = await runCopy(folder.path, { JWT_SECRET, DATABASE_URL: target.url })
    made['content'] = await target.content()
    isRefusing = false
    service = await serveIn(folder.path, { ...env, DATABASE_URL: target.url })
  })
  after(async () => {
    service?.process.kill('SIGKILL')
    await service?.process.exited
    await target?.remove()
    await smtp?.close()
    folder.remove()
  })

  test('every row of every table is there, and the source is unchanged', () => {
    assert.equal(copied.code, 0, copied.output)
    for (const [table, rows] of Object.entries(original)) {
      assert.ok(rows !== undefined && rows.length > 0, `${table} had rows to copy`)
      assert.match(copied.output, new RegExp(`^${table}: ${rows.length}$`, 'm'))
    }
    assert.deepEqual(made['content'], original)
    assert.deepEqual(sourceContent(folder.path), original)
    assert.match(copied.output, /… (\d+) of \1 rows/)
    assert.match(copied.output, /^Copied \d+ rows to 127\.0\.0\.1:\d+\/\w+; the counts match/m)
  })

  test('tokens and keys still work, a rotated key with both secrets', async () => {
    const { body } = await call('GET /users/me', { token: ana.token })
    assert.deepEqual([body.user?.email, body.user?.name], ['ana@example.com', 'Ana-Țîru 🦊'])
    assert.equal(await statusOf(bob['token']), 200)
    assert.equal((await exchange(bob['apiKey'], bob['keySecret'])).status, 200)
    const { apiKey, keySecret } = made['rotated']
    for (const secret of [keySecret, made['newSecret']]) {
      assert.equal(await statusOf((await exchange(apiKey, secret)).body.token), 200)
    }
    const { body: listed } = await call('GET /auth/events', { token: ana.token })
    assert.ok(listed.events.length > 3, 'past events can still be listed')
  })

  test('a retry with the same Idempotency-Key creates no second payment link', async () => {
    assert.deepEqual(await createPaymentLink(), made['paymentLink'])
    const { body } = await call('GET /payment-links', { token: ana.token })
    assert.deepEqual(
      body.paymentLinks.map(({ amount }: any) => amount),
      [{ value: 5341, currency: 'RON' }],
    )
  })

  test('what was revoked stays revoked: a key, its token, and the tokens of a person signed out everywhere', async () => {
    const { apiKey, keySecret } = made['revoked']
    assert.equal((await exchange(apiKey, keySecret)).status, 401)
    assert.equal(await statusOf(made['revokedToken']), 401)
    assert.equal(await statusOf(made['signedOut']), 401)
    const versions = await target.query("select token_version from users where email = 'carl@example.com'")
    assert.deepEqual(versions, [{ token_version: 1 }])
  })

  test('a link sent before signs in, once', async () => {
    const { body } = await call(`GET /auth/verify${link.search}`)
    assert.equal(await statusOf(body.token), 200)
    assert.equal((await call(`GET /auth/verify${link.search}`)).status, 401)
  })

  test('a mail queued before is sent once, and its link signs in', async () => {
    const mail = await smtp.mailTo(QUEUED)
    const { body } = await call(`GET /auth/verify${linkIn(mail).search}`)
    assert.equal(await statusOf(body.token), 200)
    await service.stop()
    assert.equal(smtp.mails.filter(({ to }) => to.includes(QUEUED)).length, 1)
    assert.deepEqual(await target.query('select id from queued_mails'), [])
  })
})
