import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { POOL_SIZE, readyOf, startFleet } from '../support/gateways/fleet.ts'
import type { Fleet } from '../support/gateways/fleet.ts'
import { surviveUnderTraffic } from '../support/postgres/outage.ts'
import { startPostgres } from '../support/postgres/postgres-server.ts'
import type { PostgresServer } from '../support/postgres/postgres-server.ts'
import { stopwatch } from '../support/process/stopwatch.ts'
import { until } from '../support/until.ts'

const PROCESSES = 2
const MAX_CONNECTIONS = 24
/** Connections that PostgreSQL reserves for superusers; these tests connect as superuser. */
const RESERVED = 3

describe('two processes under traffic', () => {
  let postgres: PostgresServer
  let fleet: Fleet
  before(async () => {
    postgres = await startPostgres({ max_connections: MAX_CONNECTIONS, superuser_reserved_connections: RESERVED })
    fleet = await startFleet(postgres.url, { size: PROCESSES })
  })
  after(async () => {
    await fleet?.stop()
    await postgres?.remove()
  })
  const connectionsAreBack = async () => {
    const mostConnections = PROCESSES * POOL_SIZE
    await until(async () => (await postgres.connections()) <= mostConnections, `at most ${mostConnections} connections`)
    const openTransactions = `
      select pid from pg_stat_activity where application_name = 'paylink-auth' and state like 'idle in transaction%'`
    await until(async () => (await postgres.query(openTransactions)).length === 0, 'no transaction is left open')
  }

  test('survive twenty kills and restarts of the server [F9]', async () => {
    await surviveUnderTraffic(fleet, {
      name: 'killed',
      times: 20,
      connections: () => postgres.connections(),
      leave: () => postgres.kill(),
      comeBack: () => postgres.start(),
    })
    await connectionsAreBack()
  })

  test('survive an immediate stop of the server, in the middle of transactions [F9]', async () => {
    await surviveUnderTraffic(fleet, {
      name: 'stopped',
      connections: () => postgres.connections(),
      leave: () => postgres.stopImmediately(),
      comeBack: () => postgres.start(),
    })
    await connectionsAreBack()
  })

  test('survive a paused server that keeps connections open and answers nothing [F11]', async () => {
    await surviveUnderTraffic(fleet, {
      name: 'paused',
      connections: () => postgres.connections(),
      leave: async () => postgres.pause(),
      comeBack: async () => postgres.resume(),
    })
    await connectionsAreBack()
  })

  test('survive another client that takes every connection [F12]', async () => {
    const otherClients: Client[] = []
    const takeConnections = async () => {
      const client = new Client({ connectionString: postgres.url })
      client.on('error', () => {})
      await client.connect()
      otherClients.push(client)
    }
    await surviveUnderTraffic(fleet, {
      name: 'crowded',
      connections: () => postgres.connections(),
      isWhole: false,
      async leave() {
        // The pools' connections are cut, and this client takes them first.
        await takeConnections()
        await otherClients[0]?.query(`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'paylink-auth'`)
        while (
          otherClients.length < MAX_CONNECTIONS &&
          (await takeConnections().then(
            () => true,
            () => false,
          ))
        );
        await otherClients[0]?.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'paylink-auth'`,
        )
        await takeConnections().catch(() => {})
      },
      async comeBack() {
        await Promise.all(otherClients.map((client) => client.end()))
      },
    })
    await connectionsAreBack()
  })

  test('answer 503 in time while every connection waits for a locked row, and recover by themselves [F12]', async () => {
    const [served] = fleet.processes
    assert.ok(served)
    const { body } = await served.call('POST /auth/api/signup', { body: { email: 'locked@example.com' } })
    const holder = new Client({ connectionString: postgres.url })
    await holder.connect()
    await holder.query('begin')
    await holder.query(`select 1 from users where email = 'locked@example.com' for update`)
    const tookMs = stopwatch(served.process)
    const writes = Array.from({ length: POOL_SIZE * 3 }, () =>
      served.call('PATCH /users/me', { token: body.token, body: { name: 'Ana' } }),
    )
    for (const answer of await Promise.all(writes)) {
      assert.equal(answer.status, 503, answer.text)
      assert.equal(answer.headers.get('retry-after'), '1')
    }
    assert.ok(tookMs() < 8000, 'every wait ends')
    await until(async () => (await readyOf(served.origin)) === 200)
    assert.equal((await served.call('GET /users/me', { token: body.token })).body.user.name, null, 'none was written')
    await holder.query('rollback')
    await holder.end()
    const written = await served.call('PATCH /users/me', { token: body.token, body: { name: 'Ana' } })
    assert.equal(written.status, 200, written.text)
    await connectionsAreBack()
  })

  test('exit cleanly on SIGTERM while the server is paused [F3]', async () => {
    const last = fleet.processes.at(-1) ?? assert.fail()
    postgres.pause()
    const tookMs = stopwatch(last.process)
    last.process.kill('SIGTERM')
    const { code, output } = await last.process.exited
    postgres.resume()
    assert.equal(code, 0, output)
    assert.ok(tookMs() < 9000, 'before a process manager would send SIGKILL')
  })
})
