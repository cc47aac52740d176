/** A restore of an older backup: whatever was used, voided or revoked since the backup stays refused. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { closeSync, copyFileSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { Migrator } from 'kysely/migration'
import { lockExclusively } from '../../src/database/sqlite/file-lock.ts'
import { migrations } from '../../src/database/migrate.ts'
import { callAt } from '../support/http/call.ts'
import { onEmbeddedOnly, openAt } from '../support/database/database.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { useCredential } from '../support/google/google.ts'
import { startIssuer } from '../support/google/issuer.ts'
import type { Issuer } from '../support/google/issuer.ts'
import { operatorIn } from '../support/process/operator.ts'
import type { Operator } from '../support/process/operator.ts'
import { databasePath, openSqliteFile, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { linkIn, MAIL_WITHIN_MS, startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'
import { until } from '../support/until.ts'

describe('backup and restore of an SQLite database', onEmbeddedOnly('a restore'), () => {
  const folder = temporaryFolder()
  const path = (name: string) => join(folder.path, name)
  let smtp: SmtpStandIn
  let issuer: Issuer
  let env: Record<string, string>
  let service: Served
  let operator: Operator
  before(async () => {
    smtp = await startSmtp()
    issuer = await startIssuer()
    env = { PORT: String(await freePort()), SMTP_URL: smtp.url, ...issuer.env }
    service = await serveIn(folder.path, env)
    operator = operatorIn(folder.path, env)
  })
  after(async () => {
    service?.process.kill('SIGKILL')
    await service?.process.exited
    await smtp?.close()
    await issuer?.close()
    folder.remove()
  })

  const call: Served['call'] = (route, options) => callAt(service.baseUrl, route, options)
  const mailedToken = async (email: string) => {
    await call('POST /auth/request', { body: { email } })
    return linkIn(await smtp.mailTo(email, MAIL_WITHIN_MS, '/auth/verify?')).search
  }
  const signIn = async (email: string): Promise<string> =>
    (await call(`GET /auth/verify${await mailedToken(email)}`)).body.token
  const signUp = async (email: string) => (await call('POST /auth/api/signup', { body: { email } })).body
  const exchange = async ({ apiKey, keySecret }: any) => {
    const { status, body } = await call('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } })
    return status === 200 ? 'works' : body.error.code
  }
  const restart = async () => void (service = await serveIn(folder.path, env))

  test('a backup made during writes is consistent, readable by its owner only, and overwrites nothing', async () => {
    const over = new AbortController()
    let made = 0
    const writing = (async () => {
      for (; !over.signal.aborted; made += 1) await signUp(`writer${made}@example.com`)
    })()
    await until(() => made > 5)
    const { code, output } = await operator.run('backup', 'one.backup')
    const madeBefore = made
    await until(() => made > madeBefore)
    over.abort()
    await writing
    assert.equal(code, 0, output)
    assert.equal((statSync(path('one.backup')).mode & 0o777).toString(8), '600')
    const backup = new DatabaseSync(path('one.backup'), { readOnly: true })
    const count = (what: string) => backup.prepare(`select count(*) as n from ${what}`).get()?.['n']
    assert.ok(Number(count('users')) >= 5)
    assert.equal(count('users'), count('api_keys'))
    assert.equal(count('users'), count(`security_events where type = 'account_created'`))
    backup.close()
    const earlier = readFileSync(path('one.backup'))
    const again = await operator.run('backup', 'one.backup')
    assert.equal(again.code, 1)
    assert.match(again.output, /one\.backup already exists\. Nothing was overwritten\./)
    assert.deepEqual(readFileSync(path('one.backup')), earlier)
    assert.throws(() => statSync(path('one.backup.part')))
    writeFileSync(path('two.backup.part'), '')
    const beside = await operator.run('backup', 'two.backup')
    assert.equal(beside.code, 1)
    assert.match(beside.output, /two\.backup\.part already exists from a backup that runs or was interrupted/)
  })

  test('after a restore every session must sign in again, and nothing revoked, voided or deleted since the backup works [F42]', async () => {
    const token = await signIn('ana@example.com')
    const create = async (name: string) => (await call('POST /auth/api-keys', { token, body: { name } })).body
    const [kept, revoked, rotated] = [await create('kept'), await create('revoked'), await create('rotated')]
    const [deleted, disabled] = [await signUp('deleted@example.com'), await signUp('disabled@example.com')]
    const signedOut = await signIn('ana@example.com')
    const link = await mailedToken('ana@example.com')
    assert.equal((await operator.run('backup', 'story.backup')).code, 0)

    const credential = issuer.sign({ ...issuer.claims(), email: 'google@gmail.com' })
    assert.equal((await useCredential({ call }, credential)).status, 200)
    await call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token })
    assert.equal((await call('POST /auth/sign-out', { token: signedOut })).status, 200)
    await call(`POST /auth/api-keys/${rotated.apiKey.id}/rotate`, { token })
    for (const [what, who] of [
      ['delete', deleted],
      ['disable', disabled],
    ] as const) {
      assert.equal((await operator.run('users', what, who.user.id, '--yes')).code, 0)
    }
    const isRunning = await operator.run('restore', 'story.backup', '--yes')
    assert.match(isRunning.output, /Stop it first/)
    assert.deepEqual([isRunning.code, (await call('GET /users/me', { token })).status], [1, 200])
    await service.stop()
    const done = await operator.json('restore', 'story.backup', '--yes')
    assert.deepEqual([done.usersDeleted, done.usersDisabled, done.keysRevoked, done.keysWaiting], [1, 1, 1, 0])
    assert.equal((statSync(databasePath(folder.path)).mode & 0o777).toString(8), '600')

    await restart()
    for (const old of [token, signedOut, deleted.token, disabled.token])
      assert.equal((await call('GET /users/me', { token: old })).status, 401)
    assert.equal((await call(`GET /auth/verify${link}`)).body.error.code, 'LINK_INVALID')
    assert.equal((await useCredential({ call }, credential)).body.error.code, 'GOOGLE_CREDENTIAL_INVALID')
    assert.deepEqual(await Promise.all([kept, revoked, rotated, deleted, disabled].map(exchange)), [
      'works',
      ...Array.from({ length: 4 }, () => 'INVALID_CREDENTIALS'),
    ])
    const { sessions } = (await call('GET /auth/sessions', { token: await signIn('ana@example.com') })).body
    assert.deepEqual(
      sessions.map(({ current }: { current: boolean }) => current),
      [true],
      'no sign-in from before the restore is live',
    )
  })

  test('if the replaced database is unreadable, live keys await their owners unless the backup is trusted', async () => {
    const key = await signUp('waits@example.com')
    assert.equal((await operator.run('backup', 'before-damage.backup')).code, 0)
    await service.stop()
    for (const trust of [[], ['--keys=trust']]) {
      const file = openSync(databasePath(folder.path), 'r+')
      writeSync(file, Buffer.alloc(8192, 7), 0, 8192, 0)
      closeSync(file)
      const damaged = readFileSync(databasePath(folder.path))
      const done = await operator.run('restore', 'before-damage.backup', '--yes', ...trust)
      assert.equal(done.code, 0, done.output)
      assert.match(done.output, /could not be read/)
      assert.deepEqual(readFileSync(/kept as (\S+)/.exec(done.output)?.[1] ?? ''), damaged)
      const restored = openSqliteFile(folder.path)
      const row = restored.prepare('select awaits_owner_at_ms from api_keys where id = ?').get(key.apiKey.id)
      restored.close()
      assert.equal(row?.['awaits_owner_at_ms'] === null, trust.length > 0)
    }
    await restart()
    assert.equal(await exchange(key), 'works')
  })

  test('a file that is not a complete backup of this or an earlier version is refused, and the database is unchanged', async () => {
    await service.stop()
    const good = path('one.backup')
    const change = (name: string, sql: string) => {
      copyFileSync(good, path(name))
      const file = new DatabaseSync(path(name))
      file.exec(sql)
      file.close()
      return name
    }
    writeFileSync(path('cut'), readFileSync(good).subarray(0, 40_000))
    writeFileSync(path('text'), 'no database'.repeat(1000))
    const bad: Readonly<Record<string, RegExp>> = {
      cut: /damaged|cannot be read/,
      text: /cannot be read/,
      missing: /File not found/,
      [change('newer', `insert into kysely_migration values ('0999-strict-more', 'now')`)]: /too old for the data/,
      [change('foreign', 'alter table kysely_migration rename to other')]: /not a database of this service/,
      [change('orphans', `pragma foreign_keys = off; delete from users`)]: /damaged/,
      [databasePath(folder.path)]: /database itself/,
    }
    const earlier = readFileSync(databasePath(folder.path))
    for (const [name, why] of Object.entries(bad)) {
      const { code, output } = await operator.run('restore', name, '--yes')
      assert.equal(code, 1, `${name}: ${output}`)
      assert.match(output, why)
      assert.doesNotMatch(output, /^\s+at /m)
      assert.deepEqual(readFileSync(databasePath(folder.path)), earlier, name)
    }
  })

  test('a backup of an earlier version is migrated to the current schema', async () => {
    const older = openAt(`sqlite:${path('older')}`)
    const migrator = new Migrator({ db: older.kysely, provider: { getMigrations: async () => ({ ...migrations }) } })
    assert.equal((await migrator.migrateTo('0006-payment-links')).error, undefined)
    await older.close()
    // The replaced database must have the current schema, because the restore reads its columns.
    const current = readFileSync(databasePath(folder.path))
    copyFileSync(path('older'), databasePath(folder.path))
    const refused = await operator.run('restore', 'one.backup', '--yes')
    assert.deepEqual([refused.code, /lacks 0007-.*migrate/.test(refused.output)], [1, true], refused.output)
    writeFileSync(databasePath(folder.path), current)

    const { migrated } = await operator.json('restore', 'older', '--yes')
    assert.deepEqual(migrated, Object.keys(migrations).slice(6))
    assert.deepEqual((await operator.json('users', 'list')).users, [])
  })

  test('a restore without an existing database creates one, whose keys await their owners', async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(databasePath(folder.path) + end, { force: true })
    const done = await operator.json('restore', 'one.backup', '--yes')
    assert.equal(done.keptAside, null)
    assert.ok(done.keysWaiting >= 5)
  })

  test('a service cannot start while a restore holds the database, and can afterwards', async () => {
    const lock = lockExclusively(databasePath(folder.path))
    await assert.rejects(restart, /Another process has locked the database/).finally(lock.release)
    await restart()
  })

  test('a damaged database is not backed up', async () => {
    await service.stop()
    const db = openSqliteFile(folder.path)
    db.exec('pragma foreign_keys = off; delete from users')
    db.close()
    const { code, output } = await operator.run('backup', 'damaged.backup')
    assert.equal(code, 1, output)
    assert.match(output, /damaged/)
    for (const end of ['', '.part']) assert.throws(() => statSync(path(`damaged.backup${end}`)))
  })
})
