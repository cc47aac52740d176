import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { enforceAccess } from '../../../src/http/access.ts'
import { createServer } from '../../../src/http/server/server.ts'
import { assertError, assertSecurityHeaders } from '../../support/http/answers.ts'
import { sendRaw, toAnswer, untilClosed } from '../../support/wire/raw.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { stopwatch } from '../../support/process/stopwatch.ts'

let service: Service
before(async () => {
  service = await startService({ LOG_LEVEL: 'info' })
})
after(() => service.close())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const idOf = async (...fields: readonly string[]) =>
  (await sendRaw(service.origin, ['GET /healthz HTTP/1.1', ...fields])).headers.get('x-request-id') ?? ''

describe('the request id', () => {
  test('is kept from the caller when it is valid', async () => {
    for (const id of [
      'a',
      '0',
      'Request_1.2-3',
      'a'.repeat(128),
      '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10',
      '.',
      '__proto__',
    ]) {
      assert.equal(await idOf(`X-Request-Id: ${id}`), id)
    }
  })

  test('is replaced when it is invalid, and the invalid one appears nowhere', async () => {
    const insane = [
      '',
      'a'.repeat(129),
      'QZXJ b',
      'QZXJ,b',
      'QZXJ"',
      '<QZXJ>',
      'QZXJ\u00e9',
      'QZXJ\tb',
      '{"QZXJ":1}',
      '%0d%0aQZXJ',
      '${QZXJ}',
      'QZXJ\u001b[31m'.replace('\u001b', '\u009b'),
      'QZXJ/..',
      'QZXJ;',
    ]
    for (const id of insane) assert.match(await idOf(`X-Request-Id: ${id}`), UUID, id)
    assert.match(await idOf('X-Request-Id: QZXJ', 'X-Request-Id: QZXJ2'), UUID, 'given twice')
    assert.doesNotMatch(service.logLines.join(''), /QZXJ/)
  })

  test('is replaced when it looks like a secret, because every log line contains it', async () => {
    for (const id of ['A'.repeat(43), `pls_${'A'.repeat(49)}`, 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA']) {
      assert.match(await idOf(`X-Request-Id: ${id}`), UUID, id)
      assert.ok(!service.logLines.join('').includes(id))
    }
  })

  test('is unique for each request', async () => {
    assert.notEqual(await idOf(), await idOf())
  })
})

describe('the request log', () => {
  test('has one line per request, with the route’s pattern and nothing of its URL, body or header fields', async () => {
    const { token, user, apiKey } = await service.signUp('logged@example.com')
    const secrets = {
      authorization: `Bearer ${token}`,
      cookie: 'QZXJ',
      'user-agent': 'QZXJ',
      referer: 'https://QZXJ.example',
    }
    const caller = { userId: user.id, apiKeyId: apiKey.id }
    const calls: Record<string, readonly [string, object]> = {
      'GET /auth/verify?token=QZXJ&redirectTo=QZXJ': ['/api/v1/auth/verify', { code: 'REDIRECT_NOT_ALLOWED' }],
      'POST /auth/api-keys/QZXJ/revoke': ['/api/v1/auth/api-keys/:id/revoke', { code: 'NOT_FOUND', ...caller }],
      'DELETE /auth/api-keys/QZXJ/keep': ['/api/v1/auth/api-keys/:id/keep', { code: 'METHOD_NOT_ALLOWED' }],
      'GET /users/me?QZXJ': ['/api/v1/users/me', { code: 'VALIDATION_FAILED', ...caller }],
      'GET /payment-links?reference=QZXJ': ['/api/v1/payment-links', caller],
      'GET /QZXJ?QZXJ': ['none', { code: 'NOT_FOUND' }],
    }
    for (const [call, [route, more]] of Object.entries(calls)) {
      const [method] = call.split(' ')
      const answer = await service.call(call, { headers: secrets })
      const id = answer.headers.get('x-request-id') ?? '?'
      const lines = service.logLines.filter((line) => line.includes(id)).map((line) => JSON.parse(line))
      assert.equal(lines.length, 1, call)
      const { level, time, ms, ...rest } = lines[0]
      assert.deepEqual([level, typeof time, typeof ms], [30, 'number', 'number'])
      assert.deepEqual(rest, {
        requestId: id,
        method,
        route,
        status: answer.status,
        client: '127.0.0.1',
        msg: 'request',
        ...more,
      })
    }
    assert.doesNotMatch(service.logLines.join(''), /QZXJ|eyJ|logged@/)
  })
})

// The real server with shorter timeouts and more frequent checks.
async function hurriedServer(t: TestContext, times: Record<string, number>): Promise<number> {
  const app = createServer(service.deps, () => undefined)
  enforceAccess(app, service.deps.config, async () => {})
  let reached = 0
  app.post('/reached', { config: { access: 'public' } }, async () => ++reached)
  t.after(() => assert.equal(reached, 0))
  t.after(() => app.close())
  Object.assign(app.server, { connectionsCheckingInterval: 20, ...times })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

describe('time', () => {
  test('is limited for header fields, for a whole request and for an idle connection [F31]', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = service.app.server
    assert.deepEqual([headersTimeout, requestTimeout, keepAliveTimeout, timeout], [15_000, 30_000, 72_000, 40_000])
  })

  const slow: Readonly<Record<string, { times: Record<string, number>; start: string; drip: string }>> = {
    'headers that never end': {
      times: { headersTimeout: 150 },
      start: 'POST /reached HTTP/1.1\r\nHost: x\r\n',
      drip: 'X: y\r\n',
    },
    'a request line that never ends': { times: { headersTimeout: 150 }, start: 'GET /', drip: 'a' },
    'a body that never ends': {
      times: { requestTimeout: 150, headersTimeout: 100 },
      start: 'POST /reached HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n',
      drip: ' ',
    },
  }
  test('a body that stalls without a byte more gets its 408 before the silence is too long', async (t) => {
    // The service's own times, a hundredth of each.
    const names = ['requestTimeout', 'headersTimeout', 'timeout', 'connectionsCheckingInterval'] as const
    const server = service.app.server as unknown as Record<string, number>
    const port = await hurriedServer(t, Object.fromEntries(names.map((name) => [name, (server[name] ?? 0) / 100])))
    const socket = connect(port, '127.0.0.1')
    const received = untilClosed(socket)
    socket.write('POST /reached HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
    assert.equal(toAnswer(await received).status, 408)
  })

  for (const [what, { times, start, drip }] of Object.entries(slow)) {
    test(`${what}: 408 in the shape of every error; the connection is closed and no handler runs [F31]`, async (t) => {
      const socket = connect(await hurriedServer(t, times), '127.0.0.1')
      const received = untilClosed(socket)
      const tookMs = stopwatch()
      socket.write(start)
      const dripping = setInterval(() => socket.writable && socket.write(drip), 20)
      t.after(() => clearInterval(dripping))
      const answer = toAnswer(await received)
      assert.ok(tookMs() < 8000, 'before the service’s own limits')
      assert.equal(answer.status, 408)
      assert.deepEqual(answer.body, {
        error: { message: 'The request did not arrive in time.', code: 'REQUEST_TIMEOUT' },
      })
      assertSecurityHeaders(answer)
    })
  }

  test('runs out for a connection that sends nothing, which is then closed [F31]', async (t) => {
    const socket = connect(await hurriedServer(t, { timeout: 100 }), '127.0.0.1')
    await once(socket, 'connect')
    assert.equal((await untilClosed(socket)).length, 0)
  })
})

test('pipelined requests are answered in order, each with its own id [F37]', async () => {
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
  const ids = Array.from({ length: 20 }, (_, n) => `pipelined-${n}`)
  const requests = ids.map((id, n) => {
    const last = n === ids.length - 1 ? 'Connection: close\r\n' : ''
    return `GET /${n % 2 ? 'healthz' : 'nowhere'} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n${last}\r\n`
  })
  const received = untilClosed(socket)
  socket.write(requests.join(''))
  const text = (await received).toString()
  assert.deepEqual(
    [...text.matchAll(/x-request-id: (\S+)/g)].map(([, id]) => id),
    ids,
  )
  assert.deepEqual(
    [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ids.map((_, n) => (n % 2 ? '200' : '404')),
  )
})

test('with logging off, answers are the same, and an aborted request does no harm', async (t) => {
  const silent = await startService({ LOG_LEVEL: 'silent' })
  t.after(() => silent.close())
  for (let n = 0; n < 20; n++) {
    const socket = connect(Number(new URL(silent.origin).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5), () => socket.resetAndDestroy())
  }
  for (const route of ['GET /users/me', 'GET /nowhere', 'POST /auth/request', 'GET /auth/config', 'GET /%zz']) {
    const [one, other] = await Promise.all([service.call(route), silent.call(route)])
    assert.deepEqual([other.status, [...other.headers.keys()]], [one.status, [...one.headers.keys()]], route)
  }
})

test('an aborted request does no harm [F37]', async () => {
  for (let n = 0; n < 20; n++) {
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      'POST /api/v1/auth/request HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"email":',
    )
    socket.resetAndDestroy()
  }
  assertError(await service.call('GET /nowhere'), 'NOT_FOUND')
  assert.ok(!service.logLines.some((line) => JSON.parse(line).level >= 50))
})
