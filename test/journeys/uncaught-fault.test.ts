import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, temporaryFolder } from '../support/files.ts'
import { assertWhole, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'

const FAULTY = new URL('../support/faults/faulty.ts', import.meta.url).href

describe('an uncaught fault', () => {
  const folder = temporaryFolder()
  let service: Served
  afterEach(() => service.process.kill('SIGKILL'))
  let port: number
  before(async () => (port = await freePort()))
  after(() => folder.remove())

  const acknowledged: { email: string; token: string }[] = []
  /** Answered after the fault. */
  const finished: string[] = []
  const faults = { 'an exception': 'SIGWINCH', 'a rejection': 'SIGURG', 'an emitter’s error': 'SIGIO' } as const
  for (const [what, signal] of Object.entries(faults)) {
    test(`${what}: it is logged, work in flight finishes, and the process exits with 1 [F39]`, async () => {
      service = await serveIn(folder.path, { PORT: String(port), NODE_OPTIONS: `--import=${FAULTY}` })
      const email = `before-${signal.toLowerCase()}@example.com`
      const signedUp = await service.call('POST /auth/api/signup', { body: { email } })
      assert.equal(signedUp.status, 201)
      acknowledged.push({ email, token: signedUp.body.token })

      const during = `during-${signal.toLowerCase()}@example.com`
      const body = JSON.stringify({ email: during })
      const socket = connect(port, '127.0.0.1')
      let received = ''
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
      const closed = once(socket, 'close')
      socket.write(
        `POST /api/v1/auth/api/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
      )
      while (!received.startsWith('HTTP/1.1 100')) await wait(5)
      service.process.kill(signal)
      await service.process.waitFor('closing after an uncaught error')
      socket.write(body)
      await closed
      assert.match(received, /\r\nHTTP\/1\.1 201 /)
      finished.push(during)

      const { code, output } = await service.process.exited
      assert.equal(code, 1, output)
      const fatal = output
        .split('\n')
        .filter((line) => line.includes('"level":60'))
        .map((line) => JSON.parse(line))
      assert.equal(fatal.length, 1, output)
      assert.match(fatal[0].err.frames, /faulty\.ts/)
      assert.doesNotMatch(output, /QZXJ/)
    })
  }

  test('loses nothing acknowledged [F39], and is not caused by a missing folder for temporary files [F43]', async () => {
    const gone = `${folder.path}/gone`
    service = await serveIn(folder.path, { PORT: String(port), TMPDIR: gone, SQLITE_TMPDIR: gone })
    assert.deepEqual([acknowledged.length, finished.length], [3, 3])
    for (const { email, token } of acknowledged)
      assert.equal((await service.call('GET /users/me', { token })).body.user.email, email)
    for (const email of finished) {
      const again = await service.call('POST /auth/api/signup', { body: { email } })
      assert.equal(again.body.error.code, 'EMAIL_TAKEN')
    }
    await assertWhole(folder.path)
    const { status, body } = await service.call('POST /auth/api/signup', { body: { email: 'no-tmp@example.com' } })
    assert.equal(status, 201)
    assert.equal((await service.call('GET /auth/api-keys', { token: body.token })).body.apiKeys.length, 1)
    await service.stop()
  })
})
