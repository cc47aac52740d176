import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, afterEach, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, temporaryFolder } from '../support/files.ts'
import { assertWhole, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'

const FAULTY = new URL('../support/faults/faulty.ts', import.meta.url).href

describe('an uncaught fault', () => {
  const folder = temporaryFolder()
  let service: Served
  afterEach(() => service.process.kill('SIGKILL'))
  after(() => folder.remove())

  const faults = { 'an exception': 'SIGWINCH', 'a rejection': 'SIGURG', 'an emitter’s error': 'SIGIO' } as const
  for (const [what, signal] of Object.entries(faults)) {
    test(`${what}: it is logged, work in flight finishes, the process exits with 1, and nothing acknowledged is lost [F39]`, async () => {
      const port = await freePort()
      service = await serveIn(folder.path, { PORT: String(port), NODE_OPTIONS: `--import=${FAULTY}` })
      const acknowledged = `before-${signal.toLowerCase()}@example.com`
      const signedUp = await service.call('POST /auth/api/signup', { body: { email: acknowledged } })
      assert.equal(signedUp.status, 201)

      const body = JSON.stringify({ email: `during-${signal.toLowerCase()}@example.com` })
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

      const { code, output } = await service.process.exited
      assert.equal(code, 1, output)
      const fatal = output
        .split('\n')
        .filter((line) => line.includes('"level":60'))
        .map((line) => JSON.parse(line))
      assert.equal(fatal.length, 1, output)
      assert.match(fatal[0].err.frames, /faulty\.ts/)
      assert.doesNotMatch(output, /QZXJ/)

      service = await serveIn(folder.path, { PORT: String(port) })
      const { token } = signedUp.body
      assert.equal((await service.call('GET /users/me', { token })).body.user.email, acknowledged)
      const again = await service.call('POST /auth/api/signup', { body: JSON.parse(body) })
      assert.equal(again.body.error.code, 'EMAIL_TAKEN')
      await assertWhole(folder.path)
      await service.stop()
    })
  }

  test('is not caused by a missing folder for temporary files [F43]', async () => {
    const gone = `${folder.path}/gone`
    service = await serveIn(folder.path, { TMPDIR: gone, SQLITE_TMPDIR: gone })
    const { status, body } = await service.call('POST /auth/api/signup', { body: { email: 'no-tmp@example.com' } })
    assert.equal(status, 201)
    assert.equal((await service.call('GET /auth/api-keys', { token: body.token })).body.apiKeys.length, 1)
    await service.stop()
  })
})
