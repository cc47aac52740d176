import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, assertUncacheable, assertSecurityHeaders } from '../../support/http/answers.ts'
import { clusterUrl } from '../../support/database/database.ts'
import { METRICS_TOKEN, samplesIn, scrape, valueOf } from '../../support/process/metrics.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { startService } from '../../support/service.ts'
import { assertNothingHappens } from '../../support/database/state.ts'

test('without METRICS_TOKEN the path does not exist, for any token', async (t) => {
  const service = await startService()
  t.after(() => service.close())
  for (const fields of [
    [],
    [`Authorization: Bearer ${METRICS_TOKEN}`],
    ['Authorization: Bearer '],
    ['Authorization: Bearer undefined'],
  ]) {
    assertError(await sendRaw(service.origin, ['GET /metrics HTTP/1.1', ...fields]), 'NOT_FOUND')
  }
})

test('a caller with the token gets Prometheus’s format; no other caller gets anything', async (t) => {
  const service = await startService({ METRICS_TOKEN })
  t.after(() => service.close())
  const token = await service.signIn('ana@example.com')
  const ask = (...fields: string[]) => sendRaw(service.origin, ['GET /metrics HTTP/1.1', ...fields])
  const right = await assertNothingHappens(service, () => ask(`Authorization: Bearer ${METRICS_TOKEN}`))
  assert.equal(right.status, 200)
  assert.equal(right.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  assertUncacheable(right)
  assertSecurityHeaders(right)
  const samples = samplesIn(right.text)
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'process_open_fds',
    'nodejs_eventloop_lag_p99_seconds',
  ]) {
    assert.ok((samples.find((sample) => sample.name === name)?.value ?? 0) > 0, name)
  }
  assert.equal((await ask(`authorization: bearer ${METRICS_TOKEN}`)).status, 200)
  for (const wrong of [
    token,
    METRICS_TOKEN.slice(1),
    METRICS_TOKEN.slice(0, -1),
    `${METRICS_TOKEN}x`,
    METRICS_TOKEN.toUpperCase(),
    ` ${METRICS_TOKEN}`,
    '',
  ]) {
    for (const scheme of ['Bearer', 'Basic', 'Token', 'Bearer Bearer']) {
      const answer = await ask(`Authorization: ${scheme} ${wrong}`)
      assertError(answer, 'UNAUTHORIZED', 'Unauthorized')
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer realm="metrics", error="invalid_token"$/)
    }
  }
  const without = await sendRaw(service.origin, [
    `GET /metrics?token=${METRICS_TOKEN} HTTP/1.1`,
    `Cookie: token=${METRICS_TOKEN}`,
    `X-Metrics-Token: ${METRICS_TOKEN}`,
  ])
  assertError(without, 'UNAUTHORIZED')
  assert.equal(without.headers.get('www-authenticate'), 'Bearer realm="metrics"')
  // The token works for nothing else.
  assertError(await service.call('GET /users/me', { token: METRICS_TOKEN }), 'UNAUTHORIZED')
  assertError(
    await sendRaw(service.origin, ['POST /metrics HTTP/1.1', `Authorization: Bearer ${METRICS_TOKEN}`]),
    'METHOD_NOT_ALLOWED',
  )
})

// A hanging server: test/faults/http/monitoring/metrics-endpoint.test.ts.
const skip = clusterUrl !== undefined && 'connections that are waited for in vain take 20 seconds to give up here'

test('without its database it reports that, and all metrics that do not need it', { skip }, async (t) => {
  const service = await startService({ METRICS_TOKEN })
  t.after(() => service.close())
  await service.db.close()
  const samples = await scrape(service.origin)
  assert.equal(valueOf(samples, 'database_up'), 0)
  assert.deepEqual(
    [valueOf(samples, 'mail_queue_length'), valueOf(samples, 'mail_queue_oldest_age_seconds')],
    [undefined, undefined],
  )
  assert.equal(valueOf(samples, 'build_info'), 1)
})
