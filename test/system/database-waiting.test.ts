import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { POOL_SIZE, readyOf, startFleet } from '../support/gateways/fleet.ts'
import type { Fleet } from '../support/gateways/fleet.ts'
import { startPostgres } from '../support/postgres/postgres-server.ts'
import type { PostgresServer } from '../support/postgres/postgres-server.ts'
import { until } from '../support/until.ts'

const PROCESSES = 2
/** Long enough for each connection to give up several commits. */
const AWAY_FOR_MS = 5000

let postgres: PostgresServer
let fleet: Fleet
before(async () => {
  postgres = await startPostgres()
  fleet = await startFleet(postgres.url, { size: PROCESSES })
})
after(async () => {
  await fleet?.stop()
  await postgres?.remove()
})

const waitForStandby = async (name: string) => {
  await postgres.query(`alter system set synchronous_standby_names = '${name}'`)
  await postgres.query('select pg_reload_conf()')
}
const waiting = async () =>
  (
    await postgres.query(
      `select pid from pg_stat_activity where application_name = 'paylink-auth' and wait_event = 'SyncRep'`,
    )
  ).length

test('without its standby the service refuses writes, still checks tokens, and recovers without a restart [F10]', async () => {
  const { token } = (await fleet.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })).body
  await waitForStandby('nobody')
  const endsAt = performance.now() + AWAY_FOR_MS
  const statuses = { writes: [] as number[], reads: [] as number[] }
  const most = { waiting: 0 }
  const write = async (index: number) => {
    for (let n = 0; performance.now() < endsAt; n += 1) {
      const email = `writer-${index}-${n}@example.com`
      statuses.writes.push((await fleet.call('POST /auth/api/signup', { body: { email } })).status)
    }
  }
  const readAndWatch = async () => {
    while (performance.now() < endsAt) {
      statuses.reads.push((await fleet.call('GET /users/me', { token })).status)
      most.waiting = Math.max(most.waiting, await waiting())
    }
  }
  await Promise.all([...Array.from({ length: 24 }, (_, index) => write(index)), readAndWatch()])
  assert.deepEqual(new Set(statuses.writes), new Set([503]), 'nothing is acknowledged that is not replicated')
  assert.deepEqual(new Set(statuses.reads), new Set([200]))
  assert.ok(most.waiting > 0, 'commits waited')
  assert.ok(most.waiting <= PROCESSES * POOL_SIZE, `${most.waiting} wait`)

  await waitForStandby('')
  await until(async () => (await waiting()) === 0, 'the commits are done')
  for (const { origin } of fleet.processes) await until(async () => (await readyOf(origin)) === 200, 'ready')
  await until(
    async () => (await fleet.call('POST /auth/api/signup', { body: { email: 'eva@example.com' } })).status === 201,
    'writes continue',
  )
})
