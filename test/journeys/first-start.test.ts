import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { assertError } from '../support/http/answers.ts'
import { callAt } from '../support/http/call.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import type { CliProcess } from '../support/process/process.ts'
import { sendRaw } from '../support/wire/raw.ts'
import { stopwatch } from '../support/process/stopwatch.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)

function hasCurl(): boolean {
  try {
    return execFileSync('curl', ['--version']).length > 0
  } catch {
    return false
  }
}

describe('a first start in an empty folder', () => {
  const folder = temporaryFolder()
  const path = (...parts: string[]) => join(folder.path, ...parts)
  let port: number
  let process: CliProcess
  let startedInMs: number
  before(async () => {
    port = await freePort()
    // A fixed default port might be in use on this machine.
    process = runCli(['serve'], { cwd: folder.path, env: { PORT: String(port) } })
    const tookMs = stopwatch(process)
    await process.waitFor('is listening on')
    startedInMs = tookMs()
  })
  after(async () => {
    process.kill('SIGTERM')
    const { code, output } = await process.exited
    assert.equal(code, 0, output)
    folder.remove()
  })
  const origin = () => `http://localhost:${port}`
  const baseUrl = () => `${origin()}/api/v1`

  test("prints within ten seconds where it listens, the API's address, and where mail goes", async () => {
    await process.waitFor('curl ')
    assert.ok(startedInMs < 10_000, `it took ${startedInMs} ms`)
    const said = process.output()
    assert.ok(said.includes(`listening on 127.0.0.1, port ${port}`), said)
    assert.ok(said.includes(`API     ${baseUrl()}\n`), said)
    assert.ok(said.includes(`development mailbox, ${origin()}/dev/mailbox\n`), said)
    assert.doesNotMatch(said, /warning/i)
  })

  test(
    'prints a curl command that signs up when pasted into a shell',
    {
      skip: hasCurl() ? false : 'curl is not installed',
    },
    async () => {
      const line = process.output().match(/^\s*(curl .*)$/m)?.[1] ?? ''
      const { stdout } = await run('bash', ['-c', `${line} --silent --show-error`], { timeout: 60_000 })
      const answer = JSON.parse(stdout)
      assert.equal(answer.user.email, 'you@example.com')
      const { token } = answer
      assert.equal((await callAt(baseUrl(), 'GET /users/me', { token })).status, 200)
      const again = await run('bash', ['-c', `${line} --silent --show-error`], { timeout: 60_000 })
      assert.equal(JSON.parse(again.stdout).error.code, 'EMAIL_TAKEN')
    },
  )

  test('makes its secret and its database readable by their owner only', () => {
    assert.deepEqual(readdirSync(folder.path), ['data'])
    const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)
    assert.equal(modeOf(path('data')), '700')
    assert.equal(modeOf(path('data', 'jwt-secret')), '600')
    const secret = readFileSync(path('data', 'jwt-secret'), 'utf8').trim()
    assert.ok(Buffer.byteLength(secret) >= 32)
    assert.ok(!process.output().includes(secret), 'it is not printed')
    assert.ok(
      readdirSync(path('data')).every((name) =>
        /^(jwt-secret|paylink-auth\.db(-wal|-shm|-lock|-reserve)?)$/.test(name),
      ),
      'no temporary file is left',
    )
  })

  test('answers on loopback only', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
    for (const { address } of others) {
      await assert.rejects(fetch(`http://${address}:${port}/healthz`), address)
    }
    assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200)
  })

  /** The first link of the newest mail to an address on the mailbox page, once it has arrived. */
  async function mailboxLink(email: string): Promise<URL> {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline;) {
      const page = await (await fetch(`${origin()}/dev/mailbox`)).text()
      const article = page.split('<article>').find((part) => part.includes(`To ${email},`))
      const href = article?.match(/<pre>[^]*?href="([^"]+)"/)?.[1]
      if (href) return new URL(href.replaceAll('&amp;', '&'))
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error(`no mail to ${email} in the mailbox`)
  }

  test('shows mail in the development mailbox, with working links', async () => {
    const email = 'ana@example.com'
    await callAt(baseUrl(), 'POST /auth/request', { body: { email } })
    const link = await mailboxLink(email)
    assert.equal(link.origin, origin())
    const verified = await callAt(link.origin, `GET ${link.pathname}${link.search}`)
    assert.equal(verified.status, 200, verified.text)
    const me = await callAt(baseUrl(), 'GET /users/me', { token: verified.body.token })
    assert.equal(me.body.user.email, email)

    const page = await fetch(`${origin()}/dev/mailbox/1`)
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-security-policy')!, /^sandbox /)
    assert.ok(!process.output().includes(link.search), 'the link is not in the log')
  })

  test('serves mailbox pages for a loopback Host only (DNS rebinding)', async () => {
    const here = `http://127.0.0.1:${port}`
    const mailbox = (target: string, host: string) => sendRaw(here, [`GET ${target} HTTP/1.1`, `Host: ${host}`])
    await callAt(baseUrl(), 'POST /auth/request', { body: { email: 'rebound@example.com' } })
    await mailboxLink('rebound@example.com')
    for (const target of ['/dev/mailbox', '/dev/mailbox/1']) {
      for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'localhost']) {
        assert.equal((await mailbox(target, host)).status, 200, `${target} for ${host}`)
      }
      const foreign = ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '10.0.0.1', '']
      for (const host of foreign) {
        const answer = await mailbox(target, host)
        assertError(answer, 'NOT_FOUND')
        assert.ok(!answer.text.includes('token='), `${target} for ${host}`)
      }
    }
  })
})

test('with signup closed, a start prints no command that would be refused', async () => {
  const folder = temporaryFolder()
  const port = String(await freePort())
  const service = runCli(['serve'], { cwd: folder.path, env: { PORT: port, SIGNUP: 'closed' } })
  await service.waitFor('Google ')
  const { status } = await callAt(`http://localhost:${port}/api/v1`, 'POST /auth/api/signup', {
    body: { email: 'you@example.com' },
  })
  assert.equal(status, 403)
  service.kill('SIGTERM')
  const { code, output } = await service.exited
  folder.remove()
  assert.equal(code, 0, output)
  assert.doesNotMatch(output, /curl|sign up/i)
})

describe('in a folder of the service’s user, root’s', { skip: process.getuid?.() !== 0 && 'needs root' }, () => {
  const NOBODY = 65_534
  const folder = temporaryFolder()
  const data = join(folder.path, 'data')
  const database = join(data, 'paylink-auth.db')
  before(() => {
    mkdirSync(data)
    for (const path of [folder.path, data]) chownSync(path, NOBODY, NOBODY)
  })
  after(() => folder.remove())

  async function asRoot(command: string, code = 0): Promise<string> {
    const ended = await runCli(command.split(' '), { cwd: folder.path }).exited
    assert.equal(ended.code, code, ended.output)
    return ended.output
  }
  /** Except the database that a restore replaced. */
  const filesOfOthers = () =>
    readdirSync(data).filter((name) => !name.includes('-replaced-') && statSync(join(data, name)).uid !== NOBODY)

  test('migrate, vacuum and restore leave every file to that user', async () => {
    await asRoot('migrate')
    assert.deepEqual(readdirSync(data).toSorted(), ['jwt-secret', 'paylink-auth.db', 'paylink-auth.db-lock'])
    assert.deepEqual(filesOfOthers(), [])
    const backup = join(folder.path, 'backup.db')
    await asRoot(`backup ${backup}`)
    for (const command of ['vacuum', `restore ${backup} --yes`]) {
      chownSync(database, 0, 0)
      assert.match(await asRoot('doctor', 1), /TO DO +database .*chown --reference=\S+data \S+paylink-auth\.db$/m)
      await asRoot(command)
      assert.deepEqual(filesOfOthers(), [], command)
    }
  })

  test('serve leaves every file to that user, with the log and the reserve', async () => {
    const service = runCli(['serve'], { cwd: folder.path, env: { PORT: String(await freePort()) } })
    await service.waitFor('is listening on')
    await until(async () => existsSync(`${database}-reserve`), 'the reserve')
    assert.ok(existsSync(`${database}-wal`))
    assert.deepEqual(filesOfOthers(), [])
    service.kill('SIGTERM')
    await service.exited
  })

  test('commands give away no file that a link in the folder names', async () => {
    const secret = join(folder.path, 'secret')
    writeFileSync(secret, '')
    for (const link of [symlinkSync, linkSync]) {
      rmSync(`${database}-lock`)
      link(secret, `${database}-lock`)
      await asRoot('users list')
      assert.equal(statSync(secret).uid, 0, link.name)
    }
  })
})
