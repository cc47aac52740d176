import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Type } from 'typebox'
import { traceIdIn } from '../../../src/http/server/request-log.ts'
import { freePort } from '../../support/files.ts'
import { oneTap, startGoogleService } from '../../support/google/google.ts'
import { METRICS_TOKEN, scrape, valueOf } from '../../support/process/metrics.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const traceparent = `00-${TRACE}-${PARENT}-01`

const linesOf = ({ logLines }: Pick<Service, 'logLines'>) => logLines.map((line) => JSON.parse(line))

test('a trace id is taken from a valid traceparent only (W3C Trace Context, section 3.2)', () => {
  for (const valid of [
    traceparent,
    `00-${TRACE}-${PARENT}-00`,
    `01-${TRACE}-${PARENT}-01-more`,
    `cc-${TRACE}-${PARENT}-01`,
  ])
    assert.equal(traceIdIn(valid), TRACE, valid)
  for (const invalid of [
    undefined,
    '',
    [traceparent],
    `${traceparent}, ${traceparent}`,
    `${traceparent}-more`,
    `01-${TRACE}-${PARENT}-01more`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    traceparent.toUpperCase(),
    `00-${TRACE.slice(1)}-${PARENT}-01`,
    ` ${traceparent}`,
    `${traceparent}\n`,
  ])
    assert.equal(traceIdIn(invalid), undefined, String(invalid))
})

test('every line of a request has its id and its trace id, also those of outgoing calls and of failures', async (t) => {
  const service = await startGoogleService({
    GOOGLE_ISSUER: `http://127.0.0.1:${await freePort()}`,
    LOG_LEVEL: 'info',
  })
  t.after(() => service.close())
  const headers = { traceparent, 'x-request-id': 'of-this-test' }
  const linesFor = async (count: number, act: () => Promise<unknown>) => {
    service.logLines.length = 0
    await act()
    await until(() => linesOf(service).filter(({ msg }) => msg === 'request').length === count, 'the request is logged')
    return linesOf(service).filter(({ msg }) => !/^(exchange|mail)/.test(msg))
  }
  const withBody = await linesFor(1, () =>
    service.call('POST /auth/google/onetap', { headers, body: { credential: 'a.b.c' } }),
  )
  const start = await linesFor(1, () => service.call('GET /auth/google/start', { headers }))
  await service.db.close()
  const failed = await linesFor(1, () =>
    service.call('POST /auth/request', { headers, body: { email: 'a@example.com' } }),
  )
  for (const lines of [start, failed]) assert.ok(lines.length > 1, JSON.stringify(lines))
  for (const line of [...withBody, ...start, ...failed])
    assert.deepEqual([line.requestId, line.traceId], ['of-this-test', TRACE], JSON.stringify(line))
  assert.deepEqual([start[0].msg, failed[0].level], ['Google could not be used', 50])
  const [without] = await linesFor(1, () => oneTap(service))
  assert.equal(without.traceId, undefined)
})

test('a line that is logged after the end of a request does not have its id', async (t) => {
  const service = await startService({ LOG_LEVEL: 'info' }, (app) => {
    app.post(
      '/later',
      { config: { access: 'public' }, schema: { body: Type.Object({ a: Type.Number() }) } },
      async (request) => {
        request.log.info('now')
        setTimeout(() => request.log.info('later'), 200)
        return ''
      },
    )
  })
  t.after(() => service.close())
  // In parts: the rest of the body is read in another context than the head.
  const body = ReadableStream.from([Buffer.from('{"a":'), Buffer.from('1}')])
  const headers = { 'x-request-id': 'of-this-test', 'content-type': 'application/json' }
  const answer = await fetch(`${service.origin}/later`, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  })
  assert.equal(answer.status, 200)
  await until(() => linesOf(service).some(({ msg }) => msg === 'later'), 'later')
  const idOf = (wanted: string) => linesOf(service).find(({ msg }) => msg === wanted).requestId
  assert.deepEqual([idOf('now'), idOf('request'), idOf('later')], ['of-this-test', 'of-this-test', undefined])
})

test('a request whose URL cannot be read has a line and a count too', async (t) => {
  const service = await startService({ LOG_LEVEL: 'info', METRICS_TOKEN })
  t.after(() => service.close())
  const headers = { 'x-request-id': 'of-a-scanner' }
  for (const path of ['/%zz', '/api/v1/%ff'])
    assert.equal((await fetch(`${service.origin}${path}`, { headers })).status, 400)
  const logged = () => linesOf(service).filter(({ requestId }) => requestId === 'of-a-scanner')
  await until(() => logged().length === 2, 'both are logged')
  assert.deepEqual(
    logged().map(({ msg, route, status, code }) => [msg, route, status, code]),
    [
      ['request', 'none', 400, 'VALIDATION_FAILED'],
      ['request', 'none', 400, 'VALIDATION_FAILED'],
    ],
  )
  assert.equal(valueOf(await scrape(service.origin), 'requests_total', { route: 'none', status: '400' }), 2)
})

test('REQUEST_LOG=without-checks leaves out successful checks and health calls, and nothing else', async (t) => {
  for (const [setting, routes] of [
    [
      'all',
      [
        '/healthz',
        '/readyz',
        '/metrics',
        '/api/v1/auth/check',
        '/api/v1/auth/check/*',
        '/api/v1/auth/check/*',
        '/api/v1/auth/check',
        '/healthz',
        '/api/v1/users/me',
      ],
    ],
    ['without-checks', ['/api/v1/auth/check', '/healthz', '/api/v1/users/me']],
  ] as const) {
    const service = await startService({ LOG_LEVEL: 'info', METRICS_TOKEN, REQUEST_LOG: setting })
    t.after(() => service.close())
    const { token } = await service.signUp('ana@example.com')
    await wait(50)
    service.logLines.length = 0
    for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(`${service.origin}${path}`)).status, 200)
    await scrape(service.origin)
    assert.equal((await service.call('GET /auth/check', { token })).status, 200)
    for (const method of ['GET', 'POST'])
      assert.equal((await service.call(`${method} /auth/check/invoices`, { token })).status, 200)
    assert.equal((await service.call('GET /auth/check')).status, 401)
    assert.equal((await fetch(`${service.origin}/healthz`, { method: 'POST' })).status, 405)
    assert.equal((await service.call('GET /users/me', { token })).status, 200)
    const logged = () => linesOf(service).filter(({ msg }) => msg === 'request')
    await until(() => logged().at(-1)?.route === '/api/v1/users/me', 'the last is logged')
    assert.deepEqual(
      logged().map(({ route }) => route),
      routes,
    )
  }
})
