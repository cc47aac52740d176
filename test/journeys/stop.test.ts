/** Stopping: what is in flight is finished and answered, the database is left whole, and the next start goes on from there. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { callAt } from '../support/call.ts'
import { temporaryFolder } from '../support/files.ts'
import { databasePath, openBeside, serveIn } from '../support/served.ts'
import type { Served } from '../support/served.ts'
import { linkIn, startSmtp } from '../support/smtp.ts'
import type { SmtpStandIn } from '../support/smtp.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Below the three seconds after which connections are cut whatever is on them. */
const PROMPTLY_MS = 2000

describe('stopping', () => {
  const folder = temporaryFolder()
  let smtp: SmtpStandIn
  let release: () => void = () => {}
  let service: Served
  before(async () => {
    let held = Promise.resolve()
    smtp = await startSmtp({
      beforeAnswer: async (mail) => {
        if (!mail.to[0]?.startsWith('held')) return
        held = new Promise((resolve) => (release = resolve))
        await held
      },
    })
  })
  after(async () => {
    await smtp.close()
    folder.remove()
  })
  const start = async () => (service = await serveIn(folder.path, { SMTP_URL: smtp.url, LOG_LEVEL: 'info' }))

  /** Waits until the process takes no new connection: it has begun to close. */
  async function untilClosing(): Promise<void> {
    const { port, hostname } = new URL(service.origin)
    for (const deadline = performance.now() + 5000; performance.now() < deadline; ) {
      const socket = connect(Number(port), hostname)
      const [outcome] = await Promise.race([
        once(socket, 'connect').then(() => ['open']),
        once(socket, 'error').then(() => ['refused']),
      ]).catch(() => ['refused'])
      socket.destroy()
      if (outcome === 'refused') return
      await wait(5)
    }
    throw new Error('still takes connections')
  }

  async function assertEndedWell(sentAtMs: number): Promise<void> {
    const { code, signal, output } = await service.process.exited
    assert.deepEqual({ code, signal }, { code: 0, signal: null }, output)
    const tookMs = performance.now() - sentAtMs
    assert.ok(tookMs < PROMPTLY_MS, `it took ${tookMs} ms`)
    assert.doesNotMatch(output, /"level":(40|50|60)/, 'nothing went wrong')
    for (const suffix of ['-wal', '-shm', '-journal']) {
      assert.ok(!existsSync(databasePath(folder.path) + suffix), `${suffix} is left behind`)
    }
    const db = openBeside(folder.path)
    assert.deepEqual({ ...db.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
    db.exec('begin immediate; rollback')
    db.close()
  }

  /** A call whose head the service has, and whose body it waits for. */
  async function beginUpload(route: string, body: string, headers = '') {
    const { port, hostname, host } = new URL(service.origin)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
    const closed = once(socket, 'close')
    const length = Buffer.byteLength(body)
    socket.write(
      `POST /api/v1${route} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${length}\r\nExpect: 100-continue\r\n${headers}\r\n`,
    )
    while (!received.startsWith('HTTP/1.1 100')) await wait(5)
    socket.write(body.slice(0, length / 2))
    return async () => {
      socket.write(body.slice(length / 2))
      // The connection is kept alive by its client, and closed by the service.
      await closed
      return received.slice(received.indexOf('HTTP/1.1', 5))
    }
  }

  for (const signal of SIGNALS) {
    test(`${signal} lets a slow upload finish, takes nothing new, and ends with 0`, async () => {
      await start()
      const email = `slow-${signal.toLowerCase()}@example.com`
      const finish = await beginUpload('/auth/api/signup', JSON.stringify({ email }))
      const sentAtMs = performance.now()
      service.process.kill(signal)
      await untilClosing()
      const answer = await finish()
      assert.match(answer, /^HTTP\/1\.1 201 /)
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
      await assertEndedWell(sentAtMs)

      await start()
      const { token, apiKey, keySecret } = body
      assert.equal((await service.call('GET /users/me', { token })).body.user.email, email)
      const credentials = { keyId: apiKey.keyId, keySecret }
      assert.equal((await service.call('POST /auth/api/token', { body: credentials })).status, 200)
      await service.stop()
    })

    test(`${signal} lets a write that waits for the database finish, and ends with 0`, async () => {
      await start()
      const email = `waiting-${signal.toLowerCase()}@example.com`
      const { token } = (await service.call('POST /auth/api/signup', { body: { email } })).body
      const db = openBeside(folder.path)
      db.exec('begin immediate')
      const created = service.call('POST /auth/api-keys', { token, body: { name: 'Waited' } })
      await wait(200)
      const sentAtMs = performance.now()
      service.process.kill(signal)
      await wait(200)
      db.exec('commit')
      db.close()
      const answer = await created
      assert.equal(answer.status, 201, answer.text)
      await assertEndedWell(sentAtMs)

      await start()
      const { keyId } = answer.body.apiKey
      const body = { keyId, keySecret: answer.body.keySecret }
      assert.equal((await service.call('POST /auth/api/token', { body })).status, 200)
      await service.stop()
    })

    test(`${signal} lets a mail that is on its way arrive, once`, async () => {
      await start()
      const email = `held-${signal.toLowerCase()}@example.com`
      await service.call('POST /auth/request', { body: { email } })
      const mail = await smtp.mailTo(email)
      const sentAtMs = performance.now()
      service.process.kill(signal)
      await untilClosing()
      release()
      await assertEndedWell(sentAtMs)

      await start()
      const link = linkIn(mail)
      assert.equal((await callAt(service.origin, `GET ${link.pathname}${link.search}`)).status, 200)
      const db = openBeside(folder.path)
      const queued = db.prepare('select count(*) as n from queued_mails where email = ?').get(email)
      db.close()
      assert.equal(queued?.['n'], 0)
      await service.stop()
      assert.equal(smtp.mails.filter(({ to }) => to[0] === email).length, 1)
    })
  }

  test('idle connections that clients keep open do not hold the process', async () => {
    await start()
    const agent = new Agent({ keepAlive: true })
    const idle = request(`${service.origin}/healthz`, { agent }).end()
    const [response] = await once(idle, 'response')
    response.resume()
    await once(response, 'end')
    const silent = connect(Number(new URL(service.origin).port), '127.0.0.1')
    await once(silent, 'connect')
    const sentAtMs = performance.now()
    service.process.kill('SIGTERM')
    await assertEndedWell(sentAtMs)
    agent.destroy()
    silent.destroy()
  })
})
