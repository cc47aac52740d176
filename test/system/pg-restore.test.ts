/** The restore from `pg_dump` as docs/operations.md describes it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { callAt } from '../support/http/call.ts'
import { temporaryFolder, freePort } from '../support/files.ts'
import { operatorIn } from '../support/process/operator.ts'
import { startPostgres } from '../support/postgres/postgres-server.ts'
import type { PostgresServer } from '../support/postgres/postgres-server.ts'
import { serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'

describe('on PostgreSQL', () => {
  const folder = temporaryFolder()
  let postgres: PostgresServer
  let smtp: SmtpStandIn
  let env: Record<string, string>
  let service: Served
  before(async () => {
    postgres = await startPostgres()
    smtp = await startSmtp()
    env = {
      PORT: String(await freePort()),
      SMTP_URL: smtp.url,
      DATABASE_URL: postgres.url,
      JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes',
    }
    service = await serveIn(folder.path, env)
  })
  after(async () => {
    service?.process.kill('SIGKILL')
    await service?.process.exited
    await smtp?.close()
    await postgres?.remove()
    folder.remove()
  })

  const call: Served['call'] = (route, options) => callAt(service.baseUrl, route, options)
  const signUp = async (email: string) => (await call('POST /auth/api/signup', { body: { email } })).body
  const exchange = async ({ apiKey, keySecret }: any) => {
    const { status, body } = await call('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } })
    return status === 200 ? 'works' : body.error.code
  }

  const urlOf = (database: string) => Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href

  /** Runs the page's block of commands that contains this text, with this server for libpq. */
  function runDocumented(holding: string): void {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
    const block = [...page.matchAll(/^```sh\n([^]*?)^```/gm)]
      .map(([, text = '']) => text)
      .find((text) => text.includes(holding))
    assert.ok(block, `the page has no commands with ${holding}`)
    const { port, username } = new URL(postgres.url)
    const settings = { PATH: process.env['PATH'] ?? '', PGHOST: '127.0.0.1', PGPORT: port, PGUSER: username }
    execFileSync('/bin/sh', ['-eu', '-c', block], {
      cwd: folder.path,
      env: settings,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  test('the documented steps restore the backup, and nothing revoked, deleted or disabled since', async () => {
    const [kept, revoked, deleted, disabled] = await Promise.all(
      ['kept', 'revoked', 'deleted', 'disabled'].map((name) => signUp(`${name}@example.com`)),
    )
    assert.match((await operatorIn(folder.path, env).run('backup', join(folder.path, 'x'))).output, /pg_dump/)
    runDocumented('pg_dump')
    const operator = operatorIn(folder.path, env)
    assert.equal((await operator.run('keys', 'revoke', revoked.apiKey.keyId, '--yes')).code, 0)
    assert.equal((await operator.run('users', 'delete', deleted.user.id, '--yes')).code, 0)
    assert.equal((await operator.run('users', 'disable', disabled.user.id, '--yes')).code, 0)
    assert.equal((await call('GET /users/me', { token: kept.token })).status, 200)

    runDocumented('pg_restore')
    const restored = operatorIn(folder.path, { ...env, DATABASE_URL: urlOf('paylink_restored') })
    const inPlace = ['restore', '--in-place', '--replaced', postgres.url, '--yes']
    const early = await restored.run(...inPlace)
    assert.deepEqual([early.code, /other clients are connected/.test(early.output)], [1, true], early.output)
    const ontoItself = await operator.run('restore', '--in-place', '--yes')
    assert.deepEqual(
      [ontoItself.code, /other clients are connected/.test(ontoItself.output)],
      [1, true],
      ontoItself.output,
    )
    assert.equal((await call('GET /users/me', { token: kept.token })).status, 200, 'nothing was changed')
    await service.stop()
    const done = await restored.json(...inPlace)
    assert.deepEqual([done.usersDeleted, done.usersDisabled, done.keysRevoked, done.keysWaiting], [1, 1, 1, 0])
    runDocumented('RENAME')

    service = await serveIn(folder.path, env)
    for (const { token } of [kept, revoked, deleted, disabled])
      assert.equal((await call('GET /users/me', { token })).status, 401)
    const refused = 'INVALID_CREDENTIALS'
    assert.deepEqual(await Promise.all([kept, revoked, deleted, disabled].map(exchange)), [
      'works',
      refused,
      refused,
      refused,
    ])
  })

  test('without the replaced database, keys await their owners; an empty database stays unchanged', async () => {
    await service.stop()
    const { keysWaiting } = await operatorIn(folder.path, env).json('restore', '--in-place', '--yes')
    assert.equal(keysWaiting, 2, 'the keys of the remaining user and of the disabled one')
    await postgres.query('create database empty')
    const refused = await operatorIn(folder.path, { ...env, DATABASE_URL: urlOf('empty') }).run(
      'restore',
      '--in-place',
      '--yes',
    )
    assert.deepEqual([refused.code, /pg_restore into it first/.test(refused.output)], [1, true], refused.output)
  })
})
