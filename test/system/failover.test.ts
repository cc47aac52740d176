import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startDatabaseProxy } from '../support/postgres/database-proxy.ts'
import { readyOf, startFleet } from '../support/gateways/fleet.ts'
import { surviveUnderTraffic } from '../support/postgres/outage.ts'
import { startPgbouncer } from '../support/postgres/pgbouncer.ts'
import { startPostgres } from '../support/postgres/postgres-server.ts'
import type { PostgresServer } from '../support/postgres/postgres-server.ts'
import { until } from '../support/until.ts'

type Cleanup = Readonly<{ after(work: () => unknown): void }>

/** A primary that confirms a commit once the replica has applied it. */
async function startPair(t: Cleanup): Promise<{ primary: PostgresServer; replica: PostgresServer }> {
  const primary = await startPostgres({ wal_level: 'replica', synchronous_commit: 'remote_apply' })
  t.after(() => primary.remove())
  const replica = await startPostgres({ hot_standby: 'on' }, primary)
  t.after(() => replica.remove())
  // Set after the replica runs, or the primary would wait for it.
  await primary.query(`alter system set synchronous_standby_names = 'replica'`)
  await primary.query('select pg_reload_conf()')
  await until(async () => {
    const [state] = await primary.query('select sync_state from pg_stat_replication')
    return state?.sync_state === 'sync'
  }, 'the replica is synchronous')
  return { primary, replica }
}

describe('with a synchronous replica', () => {
  test("acknowledged writes and revocations survive the primary's death and the replica's promotion, under traffic [F10]", async (t) => {
    const { primary, replica } = await startPair(t)
    const pgbouncer = await startPgbouncer(primary.port)
    t.after(() => pgbouncer.stop())
    const fleet = await startFleet(pgbouncer.url, { size: 2 })
    t.after(() => fleet.stop())
    await surviveUnderTraffic(fleet, {
      name: 'failover',
      connections: () => replica.connections(),
      // The old primary is fenced before there is a new one.
      leave: () => primary.kill(),
      async comeBack() {
        await replica.promote()
        await pgbouncer.pointTo(replica.port)
      },
    })
    const [{ standby }] = await replica.query('select pg_is_in_recovery() as standby')
    assert.equal(standby, false)
  })

  test('a write that the replica has not received is not acknowledged, and a read-only server is not used [F10]', async (t) => {
    const { primary, replica } = await startPair(t)
    const proxy = await startDatabaseProxy(primary.port)
    t.after(() => proxy.close())
    const fleet = await startFleet(proxy.url, { size: 1 })
    t.after(() => fleet.stop())
    const { origin } = fleet.processes[0] ?? assert.fail()
    const { token } = (await fleet.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })).body

    replica.pause()
    const made = await fleet.call('POST /auth/api-keys', { token, body: {} })
    assert.equal(made.status, 503, made.text)
    const signedOut = await fleet.call('POST /auth/tokens/revoke', { token })
    assert.equal(signedOut.status, 503, signedOut.text)
    replica.resume()
    // Their outcome is unknown to the callers; the replica has the same state as the primary.
    const version = `select token_version from users where email = 'ana@example.com'`
    await until(async () => {
      const [[one], [other]] = await Promise.all([primary.query(version), replica.query(version)])
      return one.token_version === other.token_version
    }, 'the replica has caught up with the primary')

    // As if the host name or a pooler pointed to the standby.
    proxy.pointTo(replica.port)
    await until(async () => (await readyOf(origin)) === 503)
    const read = await fleet.call('GET /users/me', { token })
    assert.equal(read.status, 503, read.text)
    assert.equal(read.headers.get('retry-after'), '1')

    await primary.kill()
    await replica.promote()
    await until(async () => (await readyOf(origin)) === 200)
    assert.equal((await fleet.call('POST /auth/api/signup', { body: { email: 'bob@example.com' } })).status, 201)
  })
})
