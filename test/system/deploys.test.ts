/** Deploys on two processes behind nginx, under load: no call fails, and nothing that was acknowledged is lost. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startFleet } from '../support/fleet.ts'
import type { Fleet } from '../support/fleet.ts'
import { startPostgres } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { startTraffic } from '../support/traffic.ts'
import { until } from '../support/until.ts'

/** How often each of both processes is restarted. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 2)

describe('two processes behind nginx', () => {
  let postgres: PostgresServer
  let fleet: Fleet
  before(async () => {
    postgres = await startPostgres()
    fleet = await startFleet(postgres.url, { size: 2, isBalanced: true })
  })
  after(async () => {
    await fleet?.stop()
    await postgres?.remove()
  })

  test('that are restarted one after the other under load: no call fails, and every acknowledged write is there [F3]', async (t) => {
    const traffic = await startTraffic([fleet.baseUrl], 'rolling', 16)
    const untilMore = (count: number) => {
      const since = performance.now()
      return until(() => traffic.count('ok', since) > count || traffic.violations.length > 0, 'traffic goes on')
    }
    await untilMore(100)
    for (let restart = 0; restart < 2 * ROUNDS; restart += 1) {
      await fleet.restart(restart % 2)
      await untilMore(200)
    }
    await traffic.stop()
    const failed = traffic.operations.filter(({ outcome }) => outcome !== 'ok')
    t.diagnostic(`${traffic.operations.length} calls over ${2 * ROUNDS} restarts, ${failed.length} failed`)
    if (failed.length > 0) t.diagnostic(fleet.nginx?.logs().split('\n').filter((line) => /\[(error|warn|crit)\]/.test(line)).slice(0, 20).join('\n') ?? '')
    assert.deepEqual(traffic.violations, [])
    assert.deepEqual(failed.slice(0, 3), [])
  })
})
