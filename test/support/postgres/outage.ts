/** A database that goes away while callers call, and what must hold meanwhile and afterwards. */
import assert from 'node:assert/strict'
import { POOL_SIZE, readyOf } from '../gateways/fleet.ts'
import type { Fleet } from '../gateways/fleet.ts'
import { startTraffic, waitsOf } from '../process/traffic.ts'
import type { Traffic } from '../process/traffic.ts'
import { until } from '../until.ts'
import { stopwatch } from '../process/stopwatch.ts'

/** Within which a caller is told that the database is away, in milliseconds. */
const TOLD_WITHIN_MS = 2000
/** What a machine that has much else to do may add for one caller in ten, in milliseconds. */
const LATE_MS = 2000
/** Within which the service is well again, in milliseconds. */
const HEALTHY_WITHIN_MS = 2000

/** What happens: the database goes, and comes back. */
export type Outage = Readonly<{
  name: string
  leave(): Promise<void>
  comeBack(): Promise<void>
  /** How many connections the processes have, at the server that is there in the end. */
  connections(): Promise<number>
  /** How often it goes and comes back, with the same traffic; once, where it is not said otherwise. */
  times?: number
  /** While it is away all calls fail; where it is not said otherwise. */
  isWhole?: boolean
}>

/** Runs it under traffic and asserts everything that a fault must leave as it is. */
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
    await until(() => traffic.count('away', leftAt) >= 8, 'callers are told that the database is away')
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
    await until(() => traffic.count('ok', readyAt) > enough || traffic.violations.length > 0, 'traffic goes on')
  }
  await assertUnharmed(fleet, traffic, outage.connections)
}

/** Ends the traffic, and asserts what must hold afterwards whatever the fault was. */
export async function assertUnharmed(
  fleet: Fleet,
  traffic: Traffic,
  connections: () => Promise<number>,
): Promise<void> {
  await traffic.stop()
  assert.deepEqual(traffic.violations, [], fleet.output().slice(-4000))
  assert.equal(traffic.count('unknown'), 0, 'the service itself answered every call')
  const { most, longest } = waitsOf(traffic)
  assert.ok(most <= TOLD_WITHIN_MS, `told after ${most} ms`)
  assert.ok(longest <= TOLD_WITHIN_MS + LATE_MS, `told after ${longest} ms`)
  for (const { process } of fleet.processes) assert.equal(process.child.exitCode, null, 'it was not restarted')
  const mostConnections = fleet.processes.length * POOL_SIZE
  await until(async () => (await connections()) <= mostConnections, `at most ${mostConnections} connections`)
}
