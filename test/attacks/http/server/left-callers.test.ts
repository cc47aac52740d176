/** A caller who hangs up before the answer leaves the same traces as one who waits for it. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { METRICS_TOKEN, scrape, valueOf } from '../../../support/process/metrics.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

const ROUTE = '/api/v1/auth/api/token'
let service: Service
/** Requests that the service has begun. */
let begun = 0
let allBegun = 0
before(async () => {
  service = await startService({ METRICS_TOKEN, LOG_LEVEL: 'info' }, (app) => {
    app.addHook('onRequest', async ({ routeOptions }) => {
      if (routeOptions.url === ROUTE) begun += 1
      allBegun += 1
    })
  })
})
after(() => service.close())
const body = '{"keyId":"ak_0000000000000000","keySecret":"guess"}'
const guess = [
  'POST /api/v1/auth/api/token HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
  '',
  body,
].join('\r\n')

function send(text: string, hangUp: (socket: Socket) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1', () => {
    socket.write(text, () => hangUp(socket))
  })
  socket.on('error', () => {}).on('close', () => resolve())
  return promise
}

const requestLines = () =>
  service.logLines.map((line) => JSON.parse(line)).filter(({ msg, route }) => msg === 'request' && route === ROUTE)
async function counted(): Promise<number> {
  const samples = await scrape(service.origin)
  return valueOf(samples, 'requests_total', { route: ROUTE, status: '401' }) ?? 0
}

for (const [name, hangUp] of Object.entries({
  'a reset connection': (socket: Socket): void => void socket.resetAndDestroy(),
  'a closed connection': (socket: Socket): void => void socket.destroy(),
})) {
  describe(name, () => {
    for (const pipelined of [1, 5]) {
      test(`has a line and a count for each request, ${pipelined} at a time`, async () => {
        const countedBefore = await counted()
        service.logLines.length = 0
        begun = 0
        for (let n = 0; n < 10; n += 1) await send(guess.repeat(pipelined), hangUp)
        // One too many would come meanwhile.
        await wait(200)
        const lines = requestLines()
        assert.ok(begun >= 10, `${begun} requests`)
        assert.equal(lines.length, begun)
        for (const line of lines) assert.deepEqual([line.status, line.client], [401, '127.0.0.1'])
        assert.equal((await counted()) - countedBefore, begun)
      })
    }
  })
}

test('who leaves during pages and exports has a line for each that was begun, and none of a fault', async () => {
  const { token } = await service.signUp('ana@example.com')
  const request = (line: string, rest = '\r\n') =>
    `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${rest}`
  // Answers wait for those before them, also while they are being made.
  const calls = [
    request('GET /'),
    request('PATCH /api/v1/users/me', 'Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"A"}'),
    request('GET /api/v1/users/me/export'),
    request('GET /docs/'),
    request('GET /api/v1/users/me/export'),
  ].join('')
  await wait(200)
  service.logLines.length = 0
  allBegun = 0
  for (let n = 0; n < 200; n += 1) {
    await send(calls, async (socket) => {
      await wait(n % 4)
      socket.resetAndDestroy()
    })
  }
  await wait(500)
  const lines = service.logLines.map((line) => JSON.parse(line))
  assert.ok(allBegun > 200, `${allBegun} requests`)
  assert.equal(lines.filter(({ msg }) => msg === 'request').length, allBegun)
  assert.deepEqual(
    lines.filter(({ level }) => level > 30),
    [],
  )
})
