/** Behind pgbouncer in transaction mode the service must keep no session state. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { assertError } from '../support/http/answers.ts'
import { temporaryFolder } from '../support/files.ts'
import { readyOf, startFleet } from '../support/gateways/fleet.ts'
import type { Fleet } from '../support/gateways/fleet.ts'
import { surviveUnderTraffic } from '../support/postgres/outage.ts'
import { startPgbouncer } from '../support/postgres/pgbouncer.ts'
import type { Pgbouncer } from '../support/postgres/pgbouncer.ts'
import { startPostgres } from '../support/postgres/postgres-server.ts'
import type { PostgresServer } from '../support/postgres/postgres-server.ts'
import { runCli } from '../support/process/process.ts'
import { startTraffic } from '../support/process/traffic.ts'
import { until } from '../support/until.ts'

/** Fewer than the pools of both processes together, so that transactions share them. */
const SERVER_CONNECTIONS = 3

describe('behind pgbouncer in transaction mode', () => {
  let postgres: PostgresServer
  let pgbouncer: Pgbouncer
  let fleet: Fleet
  before(async () => {
    postgres = await startPostgres()
    pgbouncer = await startPgbouncer(postgres.port, { default_pool_size: SERVER_CONNECTIONS })
    // The processes start at once on an empty database, so the migration runs through pgbouncer too.
    fleet = await startFleet(pgbouncer.url, { size: 2 })
  })
  after(async () => {
    await fleet?.stop()
    await pgbouncer?.stop()
    await postgres?.remove()
  })

  test('processes that start at once migrate the database once, and keep no lock', async () => {
    const rows = await postgres.query('select name, count(*)::int as times from kysely_migration group by name')
    assert.ok(rows.length >= 3)
    assert.deepEqual(new Set(rows.map(({ times }) => times)), new Set([1]))
    assert.deepEqual(await postgres.query(`select * from pg_locks where locktype = 'advisory'`), [])
    const folder = temporaryFolder()
    const again = await runCli(['migrate'], { cwd: folder.path, env: { DATABASE_URL: pgbouncer.url } }).exited
    folder.remove()
    assert.equal(again.code, 0, again.output)
  })

  test('people sign in by mail, programs use keys, and revoked credentials are refused', async () => {
    const token = await fleet.signIn('ana@example.com')
    const { body: made } = await fleet.call('POST /auth/api-keys', { token, body: {} })
    const body = { keyId: made.apiKey.keyId, keySecret: made.keySecret }
    const exchanged = await fleet.call('POST /auth/api/token', { body })
    assert.equal(exchanged.status, 200, exchanged.text)
    assert.equal((await fleet.call(`POST /auth/api-keys/${made.apiKey.id}/revoke`, { token })).status, 200)
    assertError(await fleet.call('GET /users/me', { token: exchanged.body.token }), 'UNAUTHORIZED')
    assertError(await fleet.call('POST /auth/api/token', { body }), 'INVALID_CREDENTIALS')
    const events = await fleet.call('GET /auth/events', { token })
    assert.equal(events.status, 200, events.text)
  })

  test('callers beyond the number of connections share them, and leave no prepared statement and no changed setting', async () => {
    const traffic = await startTraffic(
      fleet.processes.map(({ baseUrl }) => baseUrl),
      'shared',
      12,
    )
    await until(() => traffic.count('ok') > 400 || traffic.violations.length > 0)
    await traffic.stop()
    assert.deepEqual(traffic.violations, [])
    assert.equal(traffic.count('unknown'), 0)
    assert.ok((await postgres.connections()) <= SERVER_CONNECTIONS)
    // Transactions on all clients at once reach every server connection.
    const clients = await Promise.all(
      Array.from({ length: SERVER_CONNECTIONS }, async () => {
        const client = new Client({ connectionString: pgbouncer.url })
        await client.connect()
        await client.query('begin')
        return client
      }),
    )
    for (const client of clients) {
      const { rows } = await client.query(`
        select (select count(*)::int from pg_prepared_statements) as prepared,
          current_setting('statement_timeout') as timeout,
          current_setting('idle_in_transaction_session_timeout') as idle`)
      assert.deepEqual(rows, [{ prepared: 0, timeout: '0', idle: '0' }])
    }
    for (const client of clients) {
      await client.query('rollback')
      await client.end()
    }
  })

  test('traffic survives a kill and restart of pgbouncer [F9]', async () => {
    await surviveUnderTraffic(fleet, {
      name: 'pooler',
      connections: () => postgres.connections(),
      leave: () => pgbouncer.kill(),
      comeBack: () => pgbouncer.start(),
    })
  })

  test('traffic survives a kill and restart of the server behind it [F9]', async () => {
    await surviveUnderTraffic(fleet, {
      name: 'server',
      connections: () => postgres.connections(),
      leave: () => postgres.kill(),
      comeBack: () => postgres.start(),
    })
    for (const { origin } of fleet.processes) assert.equal(await readyOf(origin), 200)
    assert.ok((await postgres.connections()) <= SERVER_CONNECTIONS)
  })

  // The paused server does not answer pgbouncer's cancel requests, and pgbouncer exits if one of them is cut off.
  test('traffic survives a pause of the server behind it, and so does pgbouncer [F11]', async () => {
    await surviveUnderTraffic(fleet, {
      name: 'standing',
      connections: () => postgres.connections(),
      leave: async () => postgres.pause(),
      comeBack: async () => postgres.resume(),
    })
  })
})
