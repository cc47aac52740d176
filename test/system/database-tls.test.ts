import assert from 'node:assert/strict'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { selfSigned } from '../support/http/certificate.ts'
import { temporaryFolder } from '../support/files.ts'
import { startFleet } from '../support/gateways/fleet.ts'
import { startPostgres } from '../support/postgres/postgres-server.ts'
import type { PostgresServer } from '../support/postgres/postgres-server.ts'
import { runCli } from '../support/process/process.ts'

describe('TLS to the database', () => {
  const folder = temporaryFolder()
  const { key, cert } = selfSigned()
  const place = (name: string) => join(folder.path, name)
  let postgres: PostgresServer
  before(async () => {
    postgres = await startPostgres()
    writeFileSync(place('ca.crt'), cert)
    writeFileSync(place('other.crt'), selfSigned().cert)
  })
  after(async () => {
    await postgres?.remove()
    folder.remove()
  })
  const turnOn = async () => {
    const { uid, gid } = statSync(join(postgres.folder, 'data'))
    for (const [name, text] of [
      ['server.key', key],
      ['server.crt', cert],
    ] as const) {
      const path = join(postgres.folder, 'data', name)
      writeFileSync(path, text, { mode: 0o600 })
      chownSync(path, uid, gid)
    }
    await postgres.query('alter system set ssl = on')
    await postgres.query('select pg_reload_conf()')
  }
  const startWith = (parameters: string) =>
    runCli(['migrate'], { cwd: folder.path, env: { DATABASE_URL: `${postgres.url}?${parameters}` } }).exited
  const tables = () => postgres.query(`select 1 from pg_tables where schemaname = 'public'`)

  test('is not downgraded if the server has none: the process says so and exits', async () => {
    const { code, output } = await startWith('sslmode=verify-full')
    assert.equal(code, 1, output)
    assert.match(output, /^The database cannot be used: The server does not support SSL/m)
    assert.ok(!output.includes('    at '), 'without a stack')
    assert.deepEqual(await tables(), [])
  })

  test('is refused to a server without a certificate from the configured authority', async () => {
    await turnOn()
    for (const parameters of ['sslmode=verify-full', `sslmode=verify-full&sslrootcert=${place('other.crt')}`]) {
      const { code, output } = await startWith(parameters)
      assert.equal(code, 1, output)
      assert.match(output, /^The database cannot be used: .*certificate/im)
      assert.ok(!output.includes('    at '), 'without a stack')
    }
    assert.deepEqual(await tables(), [])
  })

  test('is used by every connection of the pool to a verified server', async (t) => {
    const fleet = await startFleet(`${postgres.url}?sslmode=verify-full&sslrootcert=${place('ca.crt')}`, { size: 1 })
    t.after(() => fleet.stop())
    const calls = Array.from({ length: 12 }, (_, n) =>
      fleet.call('POST /auth/api/signup', { body: { email: `n${n}@example.com` } }),
    )
    for (const { status } of await Promise.all(calls)) assert.equal(status, 201)
    const connections = await postgres.query(`
      select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'paylink-auth'`)
    assert.ok(connections.length > 0)
    assert.deepEqual(new Set(connections.map(({ ssl }) => ssl)), new Set([true]))
  })
})
