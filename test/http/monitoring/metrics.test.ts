import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { assertError } from '../../support/http/answers.ts'
import { comeBack, oneTap, redirectFlow, startFlow, startGoogleService } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { createKey, exchange, tokenOf } from '../../support/accounts/keys.ts'
import { METRICS_TOKEN, scrape, valueOf } from '../../support/process/metrics.ts'
import type { Sample } from '../../support/process/metrics.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { linkIn } from '../../support/mail/smtp.ts'
import { userOf } from '../../support/database/state.ts'
import { until } from '../../support/until.ts'

const OLDER = 'an-older-secret-of-more-than-thirty-two-bytes'
let service: GoogleService
before(async () => {
  service = await startGoogleService({ METRICS_TOKEN, JWT_SECRET_VERIFY: OLDER, APP_URL: 'https://app.example.com' })
})
after(() => service.close())

type Labels = Readonly<Record<string, string>>

/**
 * Asserts the changes of these metrics, and that no others of their names changed. An answer is counted a moment after
 * it is sent.
 */
async function assertCounts<T>(
  name: string,
  expected: readonly (readonly [Labels, number])[],
  act: () => Promise<T>,
): Promise<T> {
  const earlier = await scrape(service.origin)
  const result = await act()
  const rise = (now: readonly Sample[], labels: Labels) =>
    (valueOf(now, name, labels) ?? 0) - (valueOf(earlier, name, labels) ?? 0)
  const total = (samples: readonly Sample[]) =>
    samples
      .filter((sample) => sample.name === `paylink_auth_${name}` && sample.labels['route'] !== '/metrics')
      .reduce((sum, { value }) => sum + value, 0)
  let now: Sample[] = []
  const isThere = async () => {
    now = await scrape(service.origin)
    return expected.every(([labels, count]) => rise(now, labels) >= count)
  }
  await until(isThere, `${name}: ${JSON.stringify(expected)}`)
  assert.deepEqual(
    expected.map(([labels]) => [labels, rise(now, labels)]),
    expected,
  )
  assert.equal(
    total(now) - total(earlier),
    expected.reduce((sum, [, count]) => sum + count, 0),
    name,
  )
  return result
}

test('every answer is counted by method, route and status, with its duration', async () => {
  const token = await service.signIn('ana@example.com')
  const key = await createKey(service, token)
  const route = '/api/v1/auth/api-keys/:id/revoke'
  const calls = async () => {
    for (let n = 0; n < 3; n++) await service.call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, { token })
    await service.call('POST /auth/api-keys/x/revoke')
    await service.call('GET /users/me', { token })
    await service.call('HEAD /users/me', { token })
    await service.call('PUT /users/me', { token })
    await service.call('OPTIONS /users/me')
  }
  const me = '/api/v1/users/me'
  await assertCounts(
    'requests_total',
    [
      [{ method: 'POST', route, status: '200' }, 3],
      [{ method: 'POST', route, status: '401' }, 1],
      [{ method: 'GET', route: me, status: '200' }, 1],
      [{ method: 'HEAD', route: me, status: '200' }, 1],
      [{ method: 'PUT', route: me, status: '405' }, 1],
      [{ method: 'OPTIONS', route: '*', status: '204' }, 1],
    ],
    calls,
  )
  const samples = await scrape(service.origin)
  const labels = { method: 'POST', route }
  const name = 'request_duration_seconds'
  assert.equal(valueOf(samples, `${name}_count`, labels), 4)
  assert.ok((valueOf(samples, `${name}_sum`, labels) ?? 0) > 0)
  const buckets = samples
    .filter((sample) => sample.name === `paylink_auth_${name}_bucket` && sample.labels['route'] === route)
    .map(({ value }) => value)
  assert.deepEqual(
    buckets,
    buckets.toSorted((one, other) => one - other),
    'buckets are cumulative',
  )
  assert.equal(buckets.at(-1), 4)
})

test('a slow answer is only in the buckets above its duration', async () => {
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  service.issuer.handlers.token = (_request, response) => {
    asked.resolve()
    void gate.promise.then(() =>
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}'),
    )
  }
  const { state, jar } = await startFlow(service)
  const answer = comeBack(service, jar, { code: 'x', state })
  await asked.promise
  await wait(60)
  gate.resolve()
  await answer
  delete service.issuer.handlers.token
  const labels = { method: 'GET', route: '/api/v1/auth/google/callback' }
  await until(async () => valueOf(await scrape(service.origin), 'request_duration_seconds_count', labels) === 1)
  const samples = await scrape(service.origin)
  const bucket = (le: string) => valueOf(samples, 'request_duration_seconds_bucket', { ...labels, le })
  assert.deepEqual([bucket('0.05'), bucket('+Inf')], [0, 1])
})

test('no label contains a path, id, address, token or secret of a call, and a hundred paths are one line', async () => {
  const { token, apiKey, keySecret } = await service.signUp('bob@example.com')
  const { id } = await userOf(service.db, 'bob@example.com')
  await service.call(`POST /auth/api-keys/${apiKey.id}/rotate`, { token, body: {} })
  const lines = (samples: readonly Sample[]) =>
    samples.filter(({ name }) => name === 'paylink_auth_requests_total').length
  await service.call('GET /nowhere/first')
  await until(
    async () => valueOf(await scrape(service.origin), 'requests_total', { route: 'none', method: 'GET' }) !== undefined,
  )
  const known = lines(await scrape(service.origin))
  const paths = Array.from({ length: 100 }, (_, n) => `GET /nowhere/${n}?email=bob@example.com`)
  for (let n = 0; n < paths.length; n += 50) await Promise.all(paths.slice(n, n + 50).map((path) => service.call(path)))
  await until(
    async () =>
      valueOf(await scrape(service.origin), 'requests_total', { route: 'none', method: 'GET', status: '404' }) === 101,
  )
  const samples = await scrape(service.origin)
  assert.equal(lines(samples), known)
  const text = JSON.stringify(samples)
  for (const held of [
    id,
    'bob@',
    apiKey.id,
    apiKey.keyId,
    keySecret,
    token.slice(40),
    'nowhere',
    METRICS_TOKEN,
    OLDER,
    '127.0.0.1',
  ]) {
    assert.ok(!text.includes(held), held)
  }
  const labels = new Set(
    samples.filter(({ name }) => name.startsWith('paylink_auth_')).flatMap((sample) => Object.keys(sample.labels)),
  )
  assert.deepEqual(
    labels,
    new Set([
      'version',
      'method',
      'route',
      'status',
      'le',
      'sign_in_method',
      'code',
      'kid',
      'setting',
      'change',
      'result',
      'outcome',
      'reason',
      ...(samples.some(({ labels: { pool } }) => pool) ? ['pool'] : []),
    ]),
  )
})

test('sign-ins are counted by method, and refusals by method and code', async () => {
  const email = 'cia@example.com'
  await assertCounts('sign_ins_total', [[{ sign_in_method: 'magic_link' }, 1]], async () => {
    await service.call('POST /auth/request', { body: { email } })
    const { search } = linkIn(await service.smtp.mailTo(email))
    // Redirected to the page, which is not a sign-in yet; nor is an inspection.
    await service.call(`GET /auth/verify${search}`, { headers: { accept: 'text/html' } })
    await service.call(`HEAD /auth/verify${search}`)
    assert.equal((await service.call(`GET /auth/verify${search}`)).status, 200)
  })
  await assertCounts(
    'sign_ins_total',
    [
      [{ sign_in_method: 'one_tap' }, 1],
      [{ sign_in_method: 'google' }, 2],
    ],
    async () => {
      await oneTap(service)
      await redirectFlow(service)
      const { state, nonce, jar } = await startFlow(service, { redirectTo: 'https://app.example.com/' })
      service.issuer.idToken = service.issuer.sign(service.issuer.claims({ nonce }))
      assert.equal((await comeBack(service, jar, { code: 'x', state }, { accept: 'text/html' })).status, 302)
    },
  )
  await assertCounts(
    'sign_ins_total',
    [
      [{ sign_in_method: 'signup' }, 1],
      [{ sign_in_method: 'api_key' }, 2],
    ],
    async () => {
      const made = await service.signUp('dan@example.com')
      for (let n = 0; n < 2; n++) await exchange(service, made)
    },
  )
  await assertCounts(
    'sign_in_failures_total',
    [
      [{ sign_in_method: 'magic_link', code: 'LINK_INVALID' }, 1],
      [{ sign_in_method: 'google', code: 'OAUTH_DENIED' }, 1],
      [{ sign_in_method: 'one_tap', code: 'GOOGLE_CREDENTIAL_INVALID' }, 1],
      [{ sign_in_method: 'signup', code: 'EMAIL_TAKEN' }, 1],
      [{ sign_in_method: 'api_key', code: 'INVALID_CREDENTIALS' }, 1],
      [{ sign_in_method: 'api_key', code: 'VALIDATION_FAILED' }, 1],
    ],
    async () => {
      await service.call('GET /auth/verify?token=unknown')
      // A browser learns of it by a redirect.
      const { state, jar } = await startFlow(service, { redirectTo: 'https://app.example.com/' })
      assert.equal(
        (await comeBack(service, jar, { state, error: 'access_denied' }, { accept: 'text/html' })).status,
        302,
      )
      await service.call('POST /auth/google/onetap', { body: { credential: 'x' } })
      await service.call('POST /auth/api/signup', { body: { email } })
      await service.call('POST /auth/api/token', { body: { keyId: 'plk_unknown', keySecret: 'x' } })
      await service.call('POST /auth/api/token', { body: {} })
    },
  )
})

test('accepted tokens are counted by the secret that verified them, which is zero for an unused secret; refused tokens are not counted', async () => {
  const kid = (secret: string) => createHmac('sha256', secret).update('kid').digest('base64url').slice(0, 8)
  const ours = { kid: kid(service.deps.config.jwtSecret), setting: 'JWT_SECRET' }
  const older = { kid: kid(OLDER), setting: 'JWT_SECRET_VERIFY' }
  assert.equal(valueOf(await scrape(service.origin), 'tokens_accepted_total', older), 0)
  const token = await service.signIn('eva@example.com')
  const ofKey = await tokenOf(service, await createKey(service, token))
  await assertCounts(
    'tokens_accepted_total',
    [
      [ours, 4],
      [older, 0],
    ],
    async () => {
      await service.call('GET /users/me', { token })
      await service.call('HEAD /users/me', { token })
      await service.call('GET /auth/check', { token: ofKey, headers: { authorization: `bearer ${ofKey}` } })
      await service.call('GET /auth/check')
      await service.call('GET /auth/check', { token: `${token.slice(0, -1)}x` })
      await service.call('POST /auth/tokens/revoke', { token })
      await service.call('GET /users/me', { token })
    },
  )
  const [head = ''] = ofKey.split('.')
  assertError(await service.call('GET /users/me', { token: `${head}.e30.AAAA` }), 'UNAUTHORIZED')
})

test('mail attempts are counted by result', async () => {
  await assertCounts('mail_attempts_total', [[{ outcome: 'sent' }, 1]], async () => {
    await service.call('POST /auth/request', { body: { email: 'fay@example.com' } })
    await service.smtp.mailTo('fay@example.com')
  })
})

test('waiting mails are counted with the age of the oldest; mails held back by a pause are not', async () => {
  const idle = await scrape(service.origin)
  assert.deepEqual(
    [valueOf(idle, 'mail_queue_length'), valueOf(idle, 'mail_queue_oldest_age_seconds'), valueOf(idle, 'database_up')],
    [0, 0, 1],
  )
  const nowMs = service.clock.now()
  const mail = {
    kind: 'sign_in' as const,
    locale: 'en',
    redirect_to: null,
    leased_until_ms: null,
    tells_since_ms: null,
    turn_rank: 0,
    asked_by_several: 0,
  }
  const rows = [
    {
      ...mail,
      id: 'a',
      email: 'tried@example.com',
      attempts: 2,
      due_at_ms: nowMs + 900_000,
      created_at_ms: nowMs - 90_000,
    },
    {
      ...mail,
      id: 'b',
      email: 'held@example.com',
      attempts: 0,
      due_at_ms: nowMs + 3_600_000,
      created_at_ms: nowMs - 900_000,
    },
  ]
  await service.db.query.insertInto('queued_mails').values(rows).execute()
  const samples = await scrape(service.origin)
  assert.deepEqual([valueOf(samples, 'mail_queue_length'), valueOf(samples, 'mail_queue_oldest_age_seconds')], [1, 90])
  await service.db.query.deleteFrom('queued_mails').where('id', 'in', ['a', 'b']).execute()
})

test('a malformed HTTP request is counted nowhere', async () => {
  await assertCounts('requests_total', [], () => sendRaw(service.origin, ['GARBAGE']))
})
