/** A database outage under traffic, and what must hold during and after it. */
import assert from 'node:assert/strict'
import { POOL_SIZE, readyOf } from '../gateways/fleet.ts'
import type { Fleet } from '../gateways/fleet.ts'
import { startTraffic, waitsOf } from '../process/traffic.ts'
import type { Traffic } from '../process/traffic.ts'
import { until } from '../until.ts'
import { stopwatch } from '../process/stopwatch.ts'

/** Within which a caller learns that the database is unavailable. */
const ANSWERED_WITHIN_MS = 2000
/** Tolerance for one call in ten on a busy machine. */
const LATE_MS = 2000
/** Within which the service is healthy again. */
const HEALTHY_WITHIN_MS = 2000

export type Outage = Readonly<{
  name: string
  leave(): Promise<void>
  comeBack(): Promise<void>
  /** Connections of the service's processes at the server that is up in the end. */
  connections(): Promise<number>
  times?: number
  /** Whether every call fails during the outage; default true. */
  isWhole?: boolean
}>

/** Runs the outage under traffic and asserts every guarantee. */
export async function surviveUnderTraffic(fleet: Fleet, outage: Outage): Promise<void> {
  const { isWhole = true, times = 1 } = outage
  const enough = times === 1 ? 100 : 25
  const traffic = await startTraffic(
    fleet.processes.map(({ baseUrl }) => baseUrl),
    outage.name,
  )
  await until(() => traffic.count('ok') > 100 || traffic.violations.length > 0, 'traffic runs')
  for (let time = 1; time <= times; time += 1) {
    await outage.leave()
    const leftAt = performance.now()
    await until(() => traffic.count('away', leftAt) >= 8, 'callers get the outage error')
    if (isWhole) {
      for (const { origin } of fleet.processes) {
        assert.equal(await readyOf(origin), 503)
        assert.equal((await fetch(`${origin}/healthz`)).status, 200)
      }
      assert.equal(traffic.operations.filter(({ beganAt, outcome }) => outcome === 'ok' && beganAt > leftAt).length, 0)
    }
    await outage.comeBack()
    const healthyAfter = stopwatch(...fleet.processes.map(({ process }) => process))
    for (const { origin } of fleet.processes) await until(async () => (await readyOf(origin)) === 200, 'ready again')
    const healthyMs = healthyAfter()
    assert.ok(healthyMs <= HEALTHY_WITHIN_MS, `healthy again after ${healthyMs} ms`)
    const readyAt = performance.now()
    await until(() => traffic.count('ok', readyAt) > enough || traffic.violations.length > 0, 'traffic continues')
  }
  await assertUnharmed(fleet, traffic, outage.connections)
}

/** Ends the traffic and asserts what must hold after any fault. */
export async function assertUnharmed(
  fleet: Fleet,
  traffic: Traffic,
  connections: () => Promise<number>,
): Promise<void> {
  await traffic.stop()
  assert.deepEqual(traffic.violations, [], fleet.output().slice(-4000))
  assert.equal(traffic.count('unknown'), 0, 'the service itself answered every call')
  const { most, longest } = waitsOf(traffic)
  assert.ok(most <= ANSWERED_WITHIN_MS, `answered after ${most} ms`)
  assert.ok(longest <= ANSWERED_WITHIN_MS + LATE_MS, `answered after ${longest} ms`)
  for (const { process } of fleet.processes) assert.equal(process.child.exitCode, null, 'it was not restarted')
  const mostConnections = fleet.processes.length * POOL_SIZE
  await until(async () => (await connections()) <= mostConnections, `at most ${mostConnections} connections`)
}
