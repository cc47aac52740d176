/** During a flood memory stays bounded and other callers are served; afterwards everything is released. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { temporaryFolder } from '../support/files.ts'
import { sendBytes, toAnswer, untilClosed } from '../support/wire/raw.ts'
import {
  startCallLoop,
  limitDescriptors,
  openDescriptors,
  residentMiB,
  untilDescriptors,
} from '../support/process/resources.ts'
import { queryDatabase, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { stopwatch } from '../support/process/stopwatch.ts'

/** The default heap limit on a machine with half a gigabyte. */
const HEAP_MIB = 256
/** Bound for the growth of resident memory in a flood; includes garbage not yet collected. */
const GROWTH_MIB = 320
/** Connections that the test's own calls keep open. */
const OWN_CONNECTIONS = 90
/** Slowest answer to another caller during a flood, on a busy machine. */
const SLOWEST_MS = 5000

const folder = temporaryFolder()
let service: Served
let token: string
let idleDescriptors: number
let idleMiB: number
before(async () => {
  service = await serveIn(folder.path, { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` })
  token = (await service.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })).body.token
  idleDescriptors = openDescriptors(service.process) + OWN_CONNECTIONS
  idleMiB = residentMiB(service.process)
})
after(() => {
  service.process.kill('SIGKILL')
  folder.remove()
})

const sockets = new Set<Socket>()
beforeEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await untilDescriptors(service.process, idleDescriptors)
})

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
    .on('error', () => {})
    .resume()
  sockets.add(socket)
  await once(socket, 'connect')
  return socket
}

async function openMany(count: number): Promise<Socket[]> {
  const opened: Socket[] = []
  while (opened.length < count) {
    opened.push(...(await Promise.all(Array.from({ length: Math.min(100, count - opened.length) }, open))))
  }
  return opened
}

/** Runs a flood and asserts that other callers are served and that memory and connections are released. */
async function withstand(flood: () => Promise<void>): Promise<void> {
  const stop = startCallLoop(service, token)
  const tookMs = stopwatch(service.process)
  let mostMiB = 0
  const measure = () => void (mostMiB = Math.max(mostMiB, residentMiB(service.process)))
  const measuring = setInterval(measure, 20)
  try {
    await flood()
  } finally {
    clearInterval(measuring)
  }
  measure()
  // No flood had to wait for a timeout.
  assert.ok(tookMs() < 14_000)
  const { calls, slowestMs } = await stop()
  assert.ok(calls > 0 && slowestMs < SLOWEST_MS, `${calls} calls, the slowest took ${slowestMs} ms`)
  assert.ok(mostMiB < idleMiB + GROWTH_MIB, `from ${idleMiB} to ${mostMiB} MiB`)
  for (const socket of sockets) socket.destroy()
  await untilDescriptors(service.process, idleDescriptors)
  assert.equal(service.process.child.exitCode, null)
}

// A client sees no answer where the reset overtakes it.
function assertAnswered(received: readonly Buffer[], status: number): void {
  const answered = received.filter((bytes) => bytes.length > 0)
  assert.ok(answered.length > 0)
  for (const bytes of answered) assert.equal(toAnswer(bytes).status, status)
}

const untilAllClosed = (all: readonly Socket[]) =>
  Promise.all(all.map(async (socket) => socket.closed || once(socket, 'close')))
const post = (...fields: readonly string[]) =>
  ['POST /api/v1/auth/api/signup HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...fields, '', ''].join('\r\n')
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

describe('a flood', () => {
  test('of bodies over the limit, announced or endless, gets 413 before they are read [F32]', async () => {
    await withstand(async () => {
      const [chunk, megabyte] = [`4000\r\n${' '.repeat(0x4000)}\r\n`, ' '.repeat(1_000_000)]
      const floods = await openMany(80)
      const answers = floods.map((socket) => untilClosed(socket))
      for (const [n, socket] of floods.entries()) {
        if (n % 2 > 0) socket.write(post('Transfer-Encoding: chunked') + chunk.repeat(60))
        else socket.write(post('Content-Length: 100000000', 'Connection: close') + megabyte)
      }
      assertAnswered(await Promise.all(answers), 413)
    })
  })

  test('of bodies shorter or longer than announced has no effect and blocks nobody [F32]', async () => {
    const body = '{"email":"length@example.com"}'
    await withstand(async () => {
      const shorter = await openMany(50)
      for (const socket of shorter) socket.end(post('Content-Length: 1000') + body)
      await untilAllClosed(shorter)
      const longer = await sendBytes(service.origin, post('Content-Length: 10', 'Connection: close') + body)
      assert.ok(Number.isNaN(longer.status) || longer.status === 400, `${longer.status}`)
    })
    const rows = await queryDatabase(folder.path, 'select id from users where email = ?', 'length@example.com')
    assert.deepEqual(rows, [])
  })

  test('of endless header fields is cut off at 16 KB [F33]', async () => {
    await withstand(async () => {
      const floods = await openMany(80)
      const answers = floods.map((socket) => untilClosed(socket))
      for (const [n, socket] of floods.entries()) {
        socket.write(
          n % 2 > 0
            ? `GET /${'a'.repeat(200_000)}`
            : `GET / HTTP/1.1\r\nHost: x\r\n${'Cookie: a=b\r\n'.repeat(15_000)}`,
        )
      }
      assertAnswered(await Promise.all(answers), 431)
    })
  })

  test('of a hundred thousand pipelined requests is cut off [F37]', async () => {
    await withstand(async () => {
      const [socket] = (await openMany(1)) as [Socket]
      const received = untilClosed(socket)
      socket.write(get('/api/v1/openapi.json').repeat(100_000))
      assert.ok((await received).length < 10_000_000)
    })
  })

  test('of requests whose answers are never read does not accumulate answers [CVE-2026-25224, F31]', async () => {
    await withstand(async () => {
      const floods = await openMany(1000)
      for (const [n, socket] of floods.entries()) {
        socket.pause()
        socket.write(get('/api/v1/openapi.json').repeat(n < 100 ? 200 : 5))
      }
      // These are answered only after the service has handled the flood.
      for (let n = 0; n < 5; n++) assert.equal((await service.call('GET /auth/config')).status, 200)
    })
  })

  test('of connections reset in the middle of an answer leaks nothing [F37]', async () => {
    await withstand(async () => {
      for (let round = 0; round < 2; round++) {
        for (const socket of await openMany(60)) {
          socket.write(get('/api/v1/openapi.json').repeat(5))
          socket.once('data', () => socket.resetAndDestroy())
        }
        await untilAllClosed([...sockets])
      }
    })
  })

  test('of forged tokens, long and short, locks nobody out [F35]', async () => {
    const [header = '', claims = ''] = token.split('.')
    const forged = [
      `${header}.${claims}.${'A'.repeat(43)}`,
      `${header}.${'A'.repeat(14_000)}.${'A'.repeat(43)}`,
      'A'.repeat(15_000),
      '.'.repeat(15_000),
    ]
    await withstand(async () => {
      const flood = Array.from({ length: 20 }, async (_, client) => {
        for (let n = 0; n < 12; n++) {
          const { status } = await service.call('GET /users/me', { token: forged[(client + n) % 4] ?? '' })
          assert.equal(status, 401)
        }
      })
      await Promise.all(flood)
    })
  })

  test('of idle connections costs little memory, and other callers are served [F36]', async () => {
    await withstand(async () => {
      await openMany(3000)
      const answer = await sendBytes(service.origin, `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      assert.equal(answer.status, 200)
    })
  })

  test('of connections beyond the descriptor limit ends nothing: open ones are served and can write, and new ones are accepted once there is room [F36, F43]', async () => {
    const [kept] = (await openMany(1)) as [Socket]
    let received = ''
    kept.on('data', (chunk: Buffer) => (received += chunk.toString()))
    const ask = async (email: string) => {
      const body = JSON.stringify({ email })
      received = ''
      kept.write(post(`Content-Length: ${body.length}`) + body)
      while (!/\r\n\r\n.*\}$/s.test(received)) await once(kept, 'data')
      return received
    }
    assert.match(await ask('before@example.com'), /^HTTP\/1\.1 201 /)
    limitDescriptors(service.process, openDescriptors(service.process) + 20)
    const floods = await openMany(200)
    await once(floods.at(-1) as Socket, 'close')
    assert.match(await ask('meanwhile@example.com'), /^HTTP\/1\.1 201 /)
    for (const socket of floods) socket.destroy()
    limitDescriptors(service.process, 4096)
    await untilDescriptors(service.process, idleDescriptors)
    assert.equal((await service.call('GET /users/me', { token })).status, 200)
  })
})

test('after all floods and a kill as for lack of memory, the next start has everything that was acknowledged [F38]', async () => {
  // The flood beyond the descriptor limit is reported if it lasts for a second.
  const output = service.process.output().replaceAll(/^.*no file descriptor is left.*$/gm, '')
  assert.doesNotMatch(output, /"level":(50|60)|FATAL|heap/)
  service.process.kill('SIGKILL')
  await service.process.exited
  service = await serveIn(folder.path, {
    PORT: new URL(service.origin).port,
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
  })
  assert.equal((await service.call('GET /users/me', { token })).body.user.email, 'ana@example.com')
  for (const email of ['before@example.com', 'meanwhile@example.com']) {
    assert.equal((await service.call('POST /auth/api/signup', { body: { email } })).body.error.code, 'EMAIL_TAKEN')
  }
  await service.stop()
})
