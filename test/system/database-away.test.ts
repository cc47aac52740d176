/** The database goes away under traffic and comes back: callers are told in time, and nothing that was answered is lost. */
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
const MOST_CONNECTIONS = 24
/** What PostgreSQL keeps for its superuser, who in these tests everybody is. */
const RESERVED = 3

describe('two processes under traffic', () => {
  let postgres: PostgresServer
  let fleet: Fleet
  before(async () => {
    postgres = await startPostgres({ max_connections: MOST_CONNECTIONS, superuser_reserved_connections: RESERVED })
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

  test('survive that the server is killed and started, twenty times [F9]', async () => {
    await surviveUnderTraffic(fleet, {
      name: 'killed',
      times: 20,
      connections: () => postgres.connections(),
      leave: () => postgres.kill(),
      comeBack: () => postgres.start(),
    })
    await connectionsAreBack()
  })

  test('survive that it is stopped at once, without a word to anybody’s transaction [F9]', async () => {
    await surviveUnderTraffic(fleet, {
      name: 'stopped',
      connections: () => postgres.connections(),
      leave: () => postgres.stopImmediately(),
      comeBack: () => postgres.start(),
    })
    await connectionsAreBack()
  })

  test('survive that it stands still, with every connection open and nothing answered [F11]', async () => {
    await surviveUnderTraffic(fleet, {
      name: 'paused',
      connections: () => postgres.connections(),
      leave: async () => postgres.pause(),
      comeBack: async () => postgres.resume(),
    })
    await connectionsAreBack()
  })

  test('survive that somebody else takes every connection there is [F12]', async () => {
    const greedy: Client[] = []
    const take = async () => {
      const client = new Client({ connectionString: postgres.url })
      client.on('error', () => {})
      await client.connect()
      greedy.push(client)
    }
    await surviveUnderTraffic(fleet, {
      name: 'crowded',
      connections: () => postgres.connections(),
      isWhole: false,
      async leave() {
        // Those that the pools hold are cut, and the greedy one is quicker.
        await take()
        await greedy[0]?.query(`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'paylink-auth'`)
        while (
          greedy.length < MOST_CONNECTIONS &&
          (await take().then(
            () => true,
            () => false,
          ))
        );
        await greedy[0]?.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'paylink-auth'`,
        )
        await take().catch(() => {})
      },
      async comeBack() {
        await Promise.all(greedy.map((client) => client.end()))
      },
    })
    await connectionsAreBack()
  })

  test('answer 503 in time while every connection waits for a row that somebody holds, and serve again by themselves [F12]', async () => {
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
    assert.ok(tookMs() < 8000, 'no wait is for ever')
    await until(async () => (await readyOf(served.origin)) === 200)
    assert.equal((await served.call('GET /users/me', { token: body.token })).body.user.name, null, 'none was written')
    await holder.query('rollback')
    await holder.end()
    const written = await served.call('PATCH /users/me', { token: body.token, body: { name: 'Ana' } })
    assert.equal(written.status, 200, written.text)
    await connectionsAreBack()
  })

  test('end well when they are told to while the server stands still [F3]', async () => {
    const last = fleet.processes.at(-1) ?? assert.fail()
    postgres.pause()
    const tookMs = stopwatch(last.process)
    last.process.kill('SIGTERM')
    const { code, output } = await last.process.exited
    postgres.resume()
    assert.equal(code, 0, output)
    assert.ok(tookMs() < 9000, 'before it would have been ended by force')
  })
})
