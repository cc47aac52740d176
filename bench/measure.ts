/** Measures contestants in turn, each while all others are idle. */
import { FIRST_NUMBER } from './checks.ts'
import { LINKS } from './tables.ts'
import { toRequest } from './load.ts'
import type { Load } from './load.ts'
import type { Contestant } from './contestants.ts'
import type { LoadOptions, LoadResult } from './generator.ts'
import type { Running } from './running.ts'
import { untilIdle } from './usage.ts'
import type { Calls, Workload } from './workloads.ts'

export const CONNECTIONS = 64
/** How long a contestant may work after the load ends, for example on mails. */
export const IDLE_WITHIN_MS = 600_000

export type RunningContestant = Readonly<{ contestant: Contestant; running: Running; calls: Calls }>

/** In seconds; `latency: 0` skips that measurement. */
export type Durations = Readonly<{ warmUp: number; saturated: number; latency: number }>

export type Sample = Readonly<{
  contestant: string
  work: Workload
  round: number
  perSecond: number
  quietShare: number
  cpuUsPerCall: number
  /** CPU usage of the target and of the load generator; 1 is one CPU. */
  targetBusy: number
  generatorBusy: number
  latenciesMs: LoadResult['latenciesMs'] | undefined
}>

/**
 * Measures one workload of several contestants.
 * @param measured called with each sample
 * @param connections at saturation, each has a call in flight
 */
export async function measureWork(
  load: Load,
  work: Workload,
  competing: readonly RunningContestant[],
  rounds: number,
  durations: Durations,
  measured: (sample: Sample) => void,
  connections = CONNECTIONS,
): Promise<void> {
  const nextNumber = new Map<string, number>()
  const requests = new Map(
    competing.map(({ contestant, calls }) => [
      contestant.name,
      (calls.works[work] ?? []).map((call) => toRequest(call)),
    ]),
  )

  const run = async (
    { contestant, running, calls }: RunningContestant,
    seconds: number,
    rate?: Pick<LoadOptions, 'perSecond' | 'uncounted'>,
  ) => {
    const order: LoadOptions = {
      port: running.port,
      pid: running.pid,
      requests: requests.get(contestant.name) ?? [],
      status: calls.works[work]?.[0]?.status ?? 200,
      connections,
      seconds,
      first: nextNumber.get(contestant.name) ?? FIRST_NUMBER,
      // The floor needs no links in a table.
      before: work === 'link-verify' && contestant.name !== 'floor' ? LINKS : 99_999_999,
      ...rate,
    }
    const outcome = await load.run(order)
    nextNumber.set(contestant.name, outcome.next)
    return outcome
  }

  for (let round = 0; round < rounds; round++) {
    for (const one of competing) {
      await Promise.all(competing.map(({ running }) => untilIdle(running.pid, IDLE_WITHIN_MS)))
      await run(one, durations.warmUp)
      const outcome = await run(one, durations.saturated)
      const { perSecond, quietShare } = outcome
      if (durations.latency > 0) await untilIdle(one.running.pid, IDLE_WITHIN_MS)
      // The first seconds do not count. V8 re-optimises code for the new batch size, and a busy process accepts one new
      // connection per turn of its event loop, so the last connections would measure that wait.
      const rate = { perSecond: perSecond / 3, uncounted: durations.warmUp }
      const latency = durations.latency > 0 ? await run(one, durations.warmUp + durations.latency, rate) : undefined
      const sample: Sample = {
        contestant: one.contestant.name,
        work,
        round,
        perSecond,
        quietShare,
        cpuUsPerCall: outcome.targetCpuUs / outcome.answered,
        targetBusy: outcome.targetCpuUs / outcome.seconds / 1e6,
        generatorBusy: outcome.generatorCpuUs / outcome.seconds / 1e6,
        latenciesMs: latency?.latenciesMs,
      }
      if (outcome.answered === 0) throw new Error(`${sample.contestant} answered no call in ${durations.saturated} s`)
      measured(sample)
    }
  }
}
