import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import { cannotMount, mountSmallDisk } from '../support/database/small-disk.ts'
import { callAt } from '../support/http/call.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import type { CliProcess } from '../support/process/process.ts'
import { residentMiB } from '../support/process/resources.ts'
import { databaseEnv } from '../support/process/served.ts'
import { until } from '../support/until.ts'

const LOG = new URL('../../src/lib/log.ts', import.meta.url).href

/** A 64 KiB pipe: a descriptor to write to, and a non-blocking one to read from. */
function makePipe(folder: string) {
  const path = join(folder, 'log')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return { reader, writer: openSync(path, 'w') }
}

function readAll(reader: number): string {
  const buffer = Buffer.alloc(1 << 20)
  let text = ''
  try {
    for (let length = -1; length !== 0;) {
      length = readSync(reader, buffer)
      text += buffer.toString('utf8', 0, length)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
  }
  return text
}

describe('a log that cannot be written', () => {
  let running: CliProcess
  afterEach(() => running.kill('SIGKILL'))

  async function start(folder: string, stdout: number) {
    const port = await freePort()
    const env = {
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LOG_LEVEL: 'info',
      RATE_LIMITS: 'off',
      ...(await databaseEnv(folder)),
    }
    running = runCli(['serve'], { cwd: folder, env, stdout })
    const origin = `http://127.0.0.1:${port}`
    for (let isUp = false; !isUp;) {
      isUp = await callAt(origin, 'GET /healthz').then(
        () => true,
        () => false,
      )
      if (!isUp) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return { origin, port }
  }

  /** Makes `count` requests, each of which logs a line; every one must be answered. */
  async function request(port: number, count: number): Promise<void> {
    const [together, one] = [25, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${'x'.repeat(128)}\r\n\r\n`]
    const socket = connect(port, '127.0.0.1')
    const seen = { answers: 0 }
    socket.on('data', (chunk: Buffer) => (seen.answers += chunk.toString().split('{"status":"ok"}').length - 1))
    for (let sent = 0; sent < count;) {
      socket.write(one.repeat(together))
      sent += together
      while (seen.answers < sent) await once(socket, 'data', { signal: AbortSignal.timeout(60_000) })
    }
    socket.destroy()
  }

  test('delays no request, keeps memory bounded, and resumes with complete lines [F8]', async (t) => {
    const folder = temporaryFolder()
    t.after(() => folder.remove())
    const { reader, writer } = makePipe(folder.path)
    const { origin, port } = await start(folder.path, writer)
    closeSync(writer)
    await request(port, 500)
    const idleMiB = residentMiB(running)
    // Lines of more than 200 bytes: more than the pipe and the log's buffer hold together.
    await request(port, 7000)
    assert.ok(residentMiB(running) < idleMiB + 150, `from ${idleMiB} to ${residentMiB(running)} MiB`)
    const signedUp = await callAt(origin, 'POST /api/v1/auth/api/signup', { body: { email: 'ana@example.com' } })
    assert.equal(signedUp.status, 201)

    let text = ''
    const id = () => `read-again-${text.length}`
    for (const deadline = performance.now() + 60_000; !text.includes('read-again');) {
      assert.ok(performance.now() < deadline, 'the log did not resume')
      await callAt(origin, 'GET /healthz', { headers: { 'x-request-id': id() } })
      text += readAll(reader)
    }
    const lines = text.split('\n').filter((line) => line.startsWith('{'))
    assert.ok(lines.length > 1000 && lines.length < 7000, `${lines.length} lines`)
    for (const line of lines.slice(0, -1)) JSON.parse(line)

    const reading = setInterval(() => readAll(reader), 20)
    running.kill('SIGTERM')
    assert.equal((await running.exited).code, 0)
    clearInterval(reading)
    closeSync(reader)
  })

  test('that lost its reader delays no request, and the service exits cleanly [F8]', async (t) => {
    const folder = temporaryFolder()
    t.after(() => folder.remove())
    const { reader, writer } = makePipe(folder.path)
    const { port } = await start(folder.path, writer)
    closeSync(writer)
    closeSync(reader)
    await request(port, 500)
    running.kill('SIGTERM')
    const { code, output } = await running.exited
    assert.equal(code, 0)
    assert.match(output, /^Database: .*\n$/)
  })

  test(
    'on a full disk refuses no start, delays no request, resumes when there is space, and the service exits cleanly [F8]',
    {
      skip: cannotMount,
    },
    async (t) => {
      const folder = temporaryFolder()
      const disk = mountSmallDisk(1)
      t.after(() => {
        disk.remove()
        folder.remove()
      })
      const path = join(disk.path, 'log')
      const file = openSync(path, 'a')
      disk.fill()
      const { origin, port } = await start(folder.path, file)
      closeSync(file)
      await request(port, 500)
      const signedUp = await callAt(origin, 'POST /api/v1/auth/api/signup', { body: { email: 'ana@example.com' } })
      assert.equal(signedUp.status, 201)
      disk.free()
      await until(async () => {
        await callAt(origin, 'GET /healthz', { headers: { 'x-request-id': 'space-again' } })
        return readFileSync(path, 'utf8').includes('space-again')
      })
      disk.fill()
      await request(port, 500)
      running.kill('SIGTERM')
      const { code, output } = await running.exited
      assert.equal(code, 0, output)
    },
  )

  test('uses no more memory than its limit, whatever is logged [F8]', async (t) => {
    const folder = temporaryFolder()
    t.after(() => folder.remove())
    const { reader, writer } = makePipe(folder.path)
    const program = `
      import { createLog } from '${LOG}'
      const log = createLog('info')
      const before = process.memoryUsage().rss
      for (let n = 0; n < 20_000; n++) log.info({ text: String(n).padEnd(10_000, 'x') }, 'line')
      console.error(Math.round((process.memoryUsage().rss - before) / 1024 / 1024))
    `
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', writer, 'pipe'] })
    assert.ok(child.stderr)
    const [grownMiB] = await once(child.stderr, 'data')
    child.kill('SIGKILL')
    for (const file of [reader, writer]) closeSync(file)
    assert.ok(Number(grownMiB) < 100, `${grownMiB} MiB of 200`)
  })
})
