import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { temporaryFolder } from '../support/files.ts'
import { toAnswer, untilClosed } from '../support/wire/raw.ts'
import { startCallLoop, openDescriptors, residentMiB, untilDescriptors } from '../support/process/resources.ts'
import { queryDatabase, serveIn } from '../support/process/served.ts'
import { stopwatch } from '../support/process/stopwatch.ts'

const CALLERS = 2000
/** The timeouts, and the interval at which they are checked. */
const [HEADERS_MS, REQUEST_MS, CHECK_INTERVAL_MS] = [15_000, 30_000, 5000]
/** Tolerance for a busy machine. */
const LATE_MS = 4000
/** Slowest answer to another caller, on a busy machine. */
const SLOWEST_MS = 2000
/** Connections that the test's own calls keep open. */
const OWN_CONNECTIONS = 10

const post = (path: string) => `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
const body = (n: number) => JSON.stringify({ email: `slow-${n}@example.com` })

type Slow = Readonly<{ start: (n: number) => string; drip: string; withinMs: number; status: number }>
const kinds: Readonly<Record<string, Slow>> = {
  'a request line': { start: () => 'GET /', drip: 'a', withinMs: HEADERS_MS, status: 408 },
  headers: { start: () => `${post('/auth/api/signup')}X-Slow: `, drip: 'a', withinMs: HEADERS_MS, status: 408 },
  'a body': {
    start: (n) => `${post('/auth/api/signup')}Content-Length: 60000\r\n\r\n${body(n)}`,
    drip: ' ',
    withinMs: REQUEST_MS,
    status: 408,
  },
  chunks: {
    start: (n) =>
      `${post('/auth/api/signup')}Transfer-Encoding: chunked\r\n\r\n${body(n).length.toString(16)}\r\n${body(n)}\r\n`,
    drip: '1\r\n \r\n',
    withinMs: REQUEST_MS,
    status: 408,
  },
}

test(`${CALLERS} slow callers are cut off in time, their requests have no effect, and others are served meanwhile [F31]`, async (t: TestContext) => {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const service = await serveIn(folder.path)
  t.after(() => service.process.kill('SIGKILL'))
  const { token } = (await service.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })).body
  const idle = { descriptors: openDescriptors(service.process), mib: residentMiB(service.process) }
  const stop = startCallLoop(service, token)
  const elapsed = stopwatch(service.process)

  const sockets: Socket[] = []
  t.after(() => sockets.forEach((socket) => socket.destroy()))
  const kindOf = Object.values(kinds)
  const ends = Array.from({ length: CALLERS }, async (_, n) => {
    const kind = kindOf[n % kindOf.length] as Slow
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
    sockets.push(socket)
    const received = untilClosed(socket)
    await once(socket, 'connect')
    const [startMs, startElapsedMs] = [performance.now(), elapsed()]
    socket.write(kind.start(n))
    const sending = setInterval(() => socket.writable && socket.write(kind.drip), 4000)
    const answer = toAnswer(await received)
    clearInterval(sending)
    return { kind, answer, wallMs: performance.now() - startMs, ms: elapsed() - startElapsedMs }
  })

  for (const { kind, answer, wallMs, ms } of await Promise.all(ends)) {
    assert.equal(answer.status, kind.status, answer.text)
    assert.equal(answer.body.error.code, 'REQUEST_TIMEOUT')
    assert.ok(ms < kind.withinMs + CHECK_INTERVAL_MS + LATE_MS, `${kind.start(0)} took ${ms} ms`)
    // None is cut off before its timeout.
    assert.ok(wallMs > kind.withinMs - LATE_MS, `${kind.start(0)} took only ${wallMs} ms`)
  }
  const { calls, slowestMs } = await stop()
  assert.ok(calls > 100 && slowestMs < SLOWEST_MS, `${calls} calls, the slowest took ${slowestMs} ms`)
  await untilDescriptors(service.process, idle.descriptors + OWN_CONNECTIONS)
  assert.ok(residentMiB(service.process) < idle.mib + 100, `from ${idle.mib} to ${residentMiB(service.process)} MiB`)
  assert.deepEqual(await queryDatabase(folder.path, 'select count(*) as n from users'), [{ n: 1 }])
  await service.stop()
})
