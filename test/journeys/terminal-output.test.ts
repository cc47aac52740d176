/** Hostile names, paths and settings neither act on the operator's terminal nor forge lines of output. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { newKeySecret } from '../../src/domain/keys/key-secret.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { temporaryFolder } from '../support/files.ts'
import { operatorIn } from '../support/process/operator.ts'
import type { Operator } from '../support/process/operator.ts'
import { runCli } from '../support/process/process.ts'
import { sendRaw } from '../support/wire/raw.ts'
import { databaseEnv, queryDatabase, serveIn } from '../support/process/served.ts'
import { HOSTILE, UNPRINTABLE } from '../support/unprintable.ts'

function assertHarmless(output: string, what: string): void {
  assert.ok(output.length > 0, what)
  for (const line of output.split('\n')) {
    assert.doesNotMatch(line, UNPRINTABLE, `${what}: ${JSON.stringify(line)}`)
    assert.doesNotMatch(line, /^Forged/, what)
  }
}

const folder = temporaryFolder()
after(() => folder.remove())
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runCli(args, { cwd: folder.path, env }).exited

test('keys scan escapes file names and keeps its findings visible', async () => {
  const secret = newKeySecret(systemRandom)
  const hostile = join(folder.path, 'tree', HOSTILE)
  mkdirSync(hostile, { recursive: true })
  writeFileSync(join(hostile, '\u001B[1A\u001B[2K.env'), secret)
  for (const args of [['tree'], ['tree', `${HOSTILE}-missing`], ['tree', '--json']]) {
    const { code, output } = await run(['keys', 'scan', ...args])
    assert.equal(code, 2, output)
    assertHarmless(output, args.join(' '))
    assert.match(
      output,
      args.includes('--json')
        ? /"line": 1/
        : /^tree\/\\u\{1b\}\[2J.*\\u\{1b\}\[1A\\u\{1b\}\[2K\.env:1:1: API key secret$/m,
    )
  }
})

test('arguments, paths and settings are escaped when they are repeated', async () => {
  mkdirSync(join(folder.path, 'data'))
  writeFileSync(join(folder.path, 'rates.xml'), HOSTILE)
  const commands: readonly (readonly [string[], Record<string, string>])[] = [
    [[HOSTILE], {}],
    [['users', 'list', `--${HOSTILE}`], {}],
    [['users', 'list', HOSTILE], {}],
    [['users', 'show', HOSTILE], {}],
    [['users', 'show', `${HOSTILE}@example.com`], {}],
    [['backup', HOSTILE], { DATA_DIR: HOSTILE }],
    [['restore', HOSTILE, '--yes'], {}],
    [['rates', 'load', HOSTILE], {}],
    [['rates', 'load', 'rates.xml'], {}],
    [['copy-to-postgres', '--from', `sqlite:${HOSTILE}`, '--to', 'postgres://127.0.0.1:1/x'], {}],
    [['migrate'], { DATA_DIR: `/proc/${HOSTILE}` }],
    [['migrate'], { DATABASE_URL: `postgres://127.0.0.1:1/${encodeURIComponent(HOSTILE)}` }],
    [['serve'], { HOST: HOSTILE, SMTP_URL: 'smtp://127.0.0.1:1' }],
    [['serve'], { LOG_LEVEL: HOSTILE, PUBLIC_URL: HOSTILE, JWT_SECRET_FILE: HOSTILE }],
    [['doctor'], { DATA_DIR: HOSTILE }],
    [['doctor', '--json'], { DATA_DIR: HOSTILE }],
  ]
  for (const [args, env] of commands) {
    const { code, output } = await run(args, env)
    assert.notEqual(code, 0, output)
    assertHarmless(output, args.join(' '))
  }
})

describe('beside a service', () => {
  let operator: Operator
  let env: Record<string, string>
  let stop: () => Promise<void>
  let origin: string
  let log: () => string
  before(async () => {
    env = await databaseEnv(folder.path)
    const service = await serveIn(folder.path, { LOG_LEVEL: 'trace' })
    ;({ origin } = service)
    log = service.process.output
    stop = service.stop
    operator = operatorIn(folder.path, env)
    const { body } = await service.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })
    await service.call('POST /auth/api/signup', { body: { email: 'bob@example.com', name: '请求 \u{1F98A}' } })
    assert.ok(body.user.id)
    // The API refuses such names: these come from an older version or another writer of the database.
    await queryDatabase(folder.path, 'update users set name = ? where email = ?', HOSTILE, 'ana@example.com')
    await queryDatabase(folder.path, 'update api_keys set name = ?', HOSTILE)
  })
  after(() => stop())

  test('names of users and keys are escaped, and tables keep their columns', async () => {
    for (const args of [
      ['users', 'list'],
      ['users', 'show', 'ana@example.com'],
      ['keys', 'list', 'ana@example.com'],
    ]) {
      const { code, output } = await operator.run(...args)
      assert.equal(code, 0, output)
      assertHarmless(output, args.join(' '))
      assert.match(output, /\\u\{1b\}\[2J.*\\u\{a\}Forged/)
      const json = await operator.run(...args, '--json')
      assertHarmless(json.output, `${args.join(' ')} --json`)
      assert.ok(
        JSON.stringify(JSON.parse(json.output)).includes(JSON.stringify(HOSTILE).slice(1, -1)),
        'JSON output has it unchanged',
      )
    }
    const { output } = await operator.run('users', 'list')
    const [head = '', ...rows] = output.trimEnd().split('\n')
    assert.equal(rows.length, 2)
    for (const row of rows) assert.match(row.slice(head.indexOf('E-MAIL')), /^(ana|bob)@example\.com/)
  })

  test('a question to the operator is escaped too', async () => {
    const [{ key_id: keyId }] = await queryDatabase(folder.path, 'select key_id from api_keys order by id')
    const { output } = await operator.answer('no', 'keys', 'revoke', keyId)
    assert.match(output, /\\u\{1b\}\[2J.*\\u\{a\}Forged/)
    for (const part of ['\u001B[2J', '\u001B]0', '\u009B', '\u202E', '\nForged'])
      assert.equal(output.includes(part), false, JSON.stringify(part))
  })

  test('log lines have no effect on a terminal', async () => {
    for (const field of ['User-Agent', 'X-Request-Id', 'Origin', 'Accept-Language']) {
      await sendRaw(origin, [`GET /\u009B31m HTTP/1.1`, `${field}: a\u009B31m\u007F`])
      await sendRaw(origin, [`GET /%1b[2J HTTP/1.1`, `${field}: a\u009B31m`])
    }
    assertHarmless(log(), 'the log')
  })
})
