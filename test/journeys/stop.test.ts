/** A stop finishes and answers the work in flight and leaves the database consistent for the next start. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, temporaryFolder } from '../support/files.ts'
import { assertWhole, databasePath, lockDatabase, queryDatabase, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'
import { stopwatch } from '../support/process/stopwatch.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Below the three seconds after which remaining connections are cut. */
const PROMPTLY_MS = 2000
/** Three seconds for work in flight, plus the time to close. */
const CUT_AFTER_MS = 6000

describe('stopping', () => {
  const folder = temporaryFolder()
  let smtp: SmtpStandIn
  let release: () => void = () => {}
  let service: Served
  let port: number
  before(async () => {
    port = await freePort()
    smtp = await startSmtp({
      beforeAnswer: async (mail) => {
        if (!mail.to[0]?.startsWith('held')) return
        await new Promise<void>((resolve) => (release = resolve))
      },
    })
  })
  afterEach(() => service.process.kill('SIGKILL'))
  after(async () => {
    await smtp.close()
    folder.remove()
  })
  /** Always on one port, because tokens are issued for the address. */
  async function start(): Promise<void> {
    service = await serveIn(folder.path, { PORT: String(port), SMTP_URL: smtp.url, LOG_LEVEL: 'info' })
  }

  /** Waits until the process accepts no new connection, so it is closing. */
  async function untilClosing(): Promise<void> {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline;) {
      const socket = connect(port, '127.0.0.1')
      const isRefused = await once(socket, 'connect').then(
        () => false,
        () => true,
      )
      socket.destroy()
      if (isRefused) return
      await wait(5)
    }
    throw new Error('still accepts connections')
  }

  async function assertEndedWell(elapsed: () => number, withinMs = PROMPTLY_MS): Promise<void> {
    const { code, signal, output } = await service.process.exited
    assert.deepEqual({ code, signal }, { code: 0, signal: null }, output)
    const tookMs = elapsed()
    assert.ok(tookMs < withinMs, `it took ${tookMs} ms`)
    const problems = output.split('\n').filter((line) => /"level":(40|50|60)/.test(line))
    // A busy machine lets a process stand still.
    assert.deepEqual(
      problems.filter((line) => !line.includes('"stalledMs"')),
      [],
    )
    for (const suffix of ['-wal', '-shm', '-journal']) {
      assert.ok(!existsSync(databasePath(folder.path) + suffix), `${suffix} is left behind`)
    }
    await assertWhole(folder.path)
    await (await lockDatabase(folder.path)).release()
  }

  /** Sends the head and half of the body; the returned function sends the rest. */
  async function beginUpload(route: string, body: string, headers = '') {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
    const closed = once(socket, 'close')
    const length = Buffer.byteLength(body)
    socket.write(
      `POST /api/v1${route} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${length}\r\nExpect: 100-continue\r\n${headers}\r\n`,
    )
    while (!received.startsWith('HTTP/1.1 100')) await wait(5)
    socket.write(body.slice(0, length / 2))
    return async () => {
      socket.write(body.slice(length / 2))
      // The client keeps the connection alive; the service closes it.
      await closed
      return received.slice(received.indexOf('HTTP/1.1', 5))
    }
  }

  /** Signups that were answered while the service stopped. */
  const acknowledged: { email: string; token: string; apiKey: { keyId: string }; keySecret: string }[] = []

  for (const signal of SIGNALS) {
    test(`${signal} lets a slow upload, a write that waits for the database and a mail in transit finish, accepts nothing new, and exits with 0 [F3]`, async () => {
      await start()
      const [slow = '', waiting = '', held = ''] = ['slow', 'waiting', 'held'].map(
        (name) => `${name}-${signal.toLowerCase()}@example.com`,
      )
      const { token } = (await service.call('POST /auth/api/signup', { body: { email: waiting } })).body
      await service.call('POST /auth/request', { body: { email: held } })
      await smtp.mailTo(held)
      const finish = await beginUpload('/auth/api/signup', JSON.stringify({ email: slow }))
      const lock = await lockDatabase(folder.path)
      const created = service.call('POST /auth/api-keys', { token, body: { name: 'Waited' } })
      await wait(200)
      const tookMs = stopwatch(service.process)
      service.process.kill(signal)
      await untilClosing()
      await lock.release()
      const { status, text, body } = await created
      assert.equal(status, 201, text)
      const answer = await finish()
      assert.match(answer, /^HTTP\/1\.1 201 /)
      acknowledged.push({ email: slow, ...JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) })
      // Long enough to exit, if the mail were not waited for.
      await wait(200)
      release()
      await assertEndedWell(tookMs)
      const keys = await queryDatabase(folder.path, 'select id from api_keys where id = ?', body.apiKey.id)
      const [queued, links] = await Promise.all(
        ['queued_mails', 'magic_links'].map((table) =>
          queryDatabase(folder.path, `select 1 from ${table} where email = ?`, held),
        ),
      )
      assert.deepEqual([keys.length, queued?.length, links?.length], [1, 0, 1], 'sent, and its link works')
      assert.equal(smtp.mails.filter(({ to }) => to[0] === held).length, 1)
    })
  }

  test('a signal that means nothing here neither stops the service nor opens a debugger', async () => {
    await start()
    for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) {
      service.process.kill(signal)
      await service.process.waitFor(`"signal":"${signal}"`)
    }
    assert.equal((await service.call('GET /auth/config')).status, 200)
    service.process.kill('SIGTERM')
    const { code, output } = await service.process.exited
    assert.equal(code, 0, output)
    assert.doesNotMatch(output, /Debugger/)
  })

  test('an unfinished request is cut off after a while, and everything else ends cleanly', async () => {
    await start()
    const body = JSON.stringify({ email: 'never@example.com' })
    await beginUpload('/auth/api/signup', body)
    const tookMs = stopwatch(service.process)
    service.process.kill('SIGTERM')
    await assertEndedWell(tookMs, CUT_AFTER_MS)
    assert.deepEqual(await queryDatabase(folder.path, 'select id from users where email = ?', 'never@example.com'), [])
  })

  test('the next start has what was acknowledged, and idle keep-alive connections do not delay the exit', async () => {
    await start()
    assert.equal(acknowledged.length, SIGNALS.length)
    for (const { email, token, apiKey, keySecret } of acknowledged) {
      assert.equal((await service.call('GET /users/me', { token })).body.user.email, email)
      const credentials = { keyId: apiKey.keyId, keySecret }
      assert.equal((await service.call('POST /auth/api/token', { body: credentials })).status, 200)
    }
    const agent = new Agent({ keepAlive: true })
    const idle = request(`${service.origin}/healthz`, { agent }).end()
    const [response] = await once(idle, 'response')
    response.resume()
    await once(response, 'end')
    const idleSocket = connect(port, '127.0.0.1')
    await once(idleSocket, 'connect')
    const tookMs = stopwatch(service.process)
    service.process.kill('SIGTERM')
    await assertEndedWell(tookMs)
    agent.destroy()
    idleSocket.destroy()
  })
})
