/** While a lock is held callers get 503 in time, and abandoned statements do not keep waiting in the server. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { assertError } from '../support/http/answers.ts'
import { POOL_SIZE, readyOf, startFleet } from '../support/gateways/fleet.ts'
import type { Fleet } from '../support/gateways/fleet.ts'
import { startPgbouncer } from '../support/postgres/pgbouncer.ts'
import type { Pgbouncer } from '../support/postgres/pgbouncer.ts'
import { startPostgres } from '../support/postgres/postgres-server.ts'
import type { PostgresServer } from '../support/postgres/postgres-server.ts'
import { stopwatch } from '../support/process/stopwatch.ts'
import { until } from '../support/until.ts'

const PROCESSES = 2
/** Several times the number of connections of all processes. */
const CALLERS = 24
/** Long enough for each connection to time out several times. */
const LOCKED_FOR_MS = 4000
/** Deadline for the 503, and the tolerance for a busy machine. */
const ANSWERED_WITHIN_MS = 2000
const BUSY_MACHINE_MS = 2000

describe('while another session holds a lock', () => {
  let postgres: PostgresServer
  let pgbouncer: Pgbouncer
  let fleets: Record<'directly' | 'through pgbouncer', Fleet>
  before(async () => {
    // With PostgreSQL's default deadlock_timeout of a second.
    postgres = await startPostgres()
    pgbouncer = await startPgbouncer(postgres.port, { default_pool_size: PROCESSES * POOL_SIZE })
    const directly = await startFleet(postgres.url, { size: PROCESSES })
    fleets = { directly, 'through pgbouncer': await startFleet(pgbouncer.url, { size: PROCESSES }) }
  })
  after(async () => {
    for (const fleet of Object.values(fleets ?? {})) await fleet.stop()
    await pgbouncer?.stop()
    await postgres?.remove()
  })

  async function holding(statement: string): Promise<Client> {
    const client = new Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(`begin; set local deadlock_timeout = '20s'; ${statement}`)
    return client
  }
  const signUp = async (email: string, fleet = fleets.directly) =>
    (await fleet.call('POST /auth/api/signup', { body: { email } })).body
  const working = async () => {
    const rows = await postgres.query(`
      select query from pg_stat_activity
      where application_name in ('paylink-auth', 'pgbouncer') and backend_type = 'client backend'
        and state <> 'idle' and pid <> pg_backend_pid()`)
    return rows.length
  }

  for (const way of ['directly', 'through pgbouncer'] as const) {
    test(`on a table, abandoned statements are ended and no more wait than there are connections, ${way} [F12]`, async () => {
      const fleet = fleets[way]
      const { token } = await signUp(`${way.replaceAll(' ', '-')}@example.com`, fleet)
      await until(async () => (await working()) === 0, 'nothing is in progress')
      const holder = await holding('lock table users')
      const endsAt = performance.now() + LOCKED_FOR_MS
      const elapsed = stopwatch(...fleet.processes.map(({ process }) => process))
      const seen: number[] = []
      const waits: number[] = []
      const call = async (index: number) => {
        const { baseUrl } = fleet.processes[index % PROCESSES] ?? assert.fail()
        while (performance.now() < endsAt) {
          const beganAt = elapsed()
          const answer = await fetch(`${baseUrl}/users/me`, { headers: { authorization: `Bearer ${token}` } })
          waits.push(elapsed() - beganAt)
          assert.equal(answer.status, 503, await answer.text())
          assert.equal(answer.headers.get('retry-after'), '1')
        }
      }
      const watch = async () => {
        while (performance.now() < endsAt) seen.push(await working())
      }
      try {
        await Promise.all([watch(), ...Array.from({ length: CALLERS }, (_, index) => call(index))])
        assert.ok(Math.max(...seen) > 0, 'control: calls wait')
        assert.ok(Math.max(...seen) <= PROCESSES * POOL_SIZE, `${Math.max(...seen)} wait`)
        await until(async () => (await working()) === 0, 'none waits while the lock is still held')
        const byLength = waits.toSorted((one, other) => one - other)
        assert.ok(
          (byLength[Math.floor(byLength.length * 0.9)] ?? 0) <= ANSWERED_WITHIN_MS,
          `answered after ${byLength.at(-1)} ms`,
        )
        assert.ok(
          (byLength.at(-1) ?? 0) <= ANSWERED_WITHIN_MS + BUSY_MACHINE_MS,
          `answered after ${byLength.at(-1)} ms`,
        )
      } finally {
        await holder.end()
      }
      for (const { origin } of fleet.processes) await until(async () => (await readyOf(origin)) === 200, 'ready')
      await until(async () => (await fleet.call('GET /users/me', { token })).status === 200, 'served')
    })
  }

  test('and requests another in a cycle, the transaction is retried before anyone times out [F13]', async () => {
    const { token, apiKey } = await signUp('circle@example.com')
    const other = await holding(`select 1 from api_keys where id = '${apiKey.id}' for update`)
    const revoked = fleets.directly.call(`POST /auth/api-keys/${apiKey.id}/revoke`, { token })
    await until(async () => {
      const waiting = `select 1 from pg_stat_activity where application_name = 'paylink-auth' and wait_event_type = 'Lock'`
      return (await postgres.query(waiting)).length > 0
    }, 'a transaction waits for the key')
    await other.query(`select 1 from users where email = 'circle@example.com' for update`)
    await other.query('commit')
    await other.end()
    assert.equal((await revoked).status, 200)
    const events = `select 1 from security_events where type = 'key_revoked' and api_key_id = $1`
    assert.equal((await postgres.query(events, [apiKey.id])).length, 1, 'done once')
    assertError(await fleets.directly.call('GET /users/me', { token }), 'UNAUTHORIZED')
  })

  test('on a row, a write is refused within two seconds and has no later effect [F12]', async () => {
    const { token } = await signUp('kept@example.com')
    const holder = await holding(`select 1 from users where email = 'kept@example.com' for update`)
    const tookMs = stopwatch(...fleets.directly.processes.map(({ process }) => process))
    const answer = await fleets.directly.call('PATCH /users/me', { token, body: { name: 'Too late' } })
    assertError(answer, 'UNAVAILABLE')
    assert.ok(tookMs() <= ANSWERED_WITHIN_MS + BUSY_MACHINE_MS)
    await holder.query('commit')
    await holder.end()
    assert.equal((await fleets.directly.call('GET /users/me', { token })).body.user.name, null)
  })
})
