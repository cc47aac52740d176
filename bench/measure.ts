/** Measures contestants in turn, round after round, each when all others are idle. */
import { FIRST_NUMBER } from './checks.ts'
import { LINKS } from './tables.ts'
import { toRequest } from './load.ts'
import type { Load } from './load.ts'
import type { Contestant } from './contestants.ts'
import type { Order, Outcome } from './generator.ts'
import type { Running } from './running.ts'
import { untilIdle } from './usage.ts'
import type { Calls, Work } from './works.ts'

/** Connections that are kept busy. */
export const CONNECTIONS = 64
/** How long a contestant may go on with what it was given, for example mails, in milliseconds. */
const IDLE_WITHIN_MS = 120_000

/** A contestant that runs. */
export type Competing = Readonly<{ contestant: Contestant; running: Running; calls: Calls }>

/** How long each measurement takes, in seconds; of latencies nothing, where that is 0. */
export type Durations = Readonly<{ warmUp: number; saturated: number; latency: number }>

/** One measurement of one contestant in one round. */
export type Sample = Readonly<{
  contestant: string
  work: Work
  round: number
  perSecond: number
  cpuUsPerCall: number
  /** How much of one processor the target and the load generator took. */
  targetBusy: number
  generatorBusy: number
  latenciesMs: Outcome['latenciesMs'] | undefined
}>

/**
 * Measures one work of all who do it, in `rounds` rounds.
 * @param measured is given each measurement
 */
export async function measureWork(
  load: Load,
  work: Work,
  competing: readonly Competing[],
  rounds: number,
  durations: Durations,
  measured: (sample: Sample) => void,
): Promise<void> {
  const nextNumber = new Map<string, number>()
  const requests = new Map(
    competing.map(({ contestant, calls }) => [
      contestant.name,
      (calls.works[work] ?? []).map((call) => toRequest(call)),
    ]),
  )

  const run = async (
    { contestant, running, calls }: Competing,
    seconds: number,
    rate?: Pick<Order, 'perSecond' | 'uncounted'>,
  ) => {
    const order: Order = {
      port: running.port,
      pid: running.pid,
      requests: requests.get(contestant.name) ?? [],
      status: calls.works[work]?.[0]?.status ?? 200,
      connections: CONNECTIONS,
      seconds,
      first: nextNumber.get(contestant.name) ?? FIRST_NUMBER,
      // Of the floor there is no end of links.
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
      const perSecond = outcome.answered / outcome.seconds
      await untilIdle(one.running.pid, IDLE_WITHIN_MS)
      // Another load is another batch size: what was compiled for saturation is compiled again. And who is busy takes one
      // new connection in each turn of its event loop: the last of them would be measured by how long it waits for that.
      const rate = { perSecond: perSecond / 3, uncounted: durations.warmUp }
      const latency = durations.latency > 0 ? await run(one, durations.warmUp + durations.latency, rate) : undefined
      const sample: Sample = {
        contestant: one.contestant.name,
        work,
        round,
        perSecond,
        cpuUsPerCall: outcome.targetCpuUs / outcome.answered,
        targetBusy: outcome.targetCpuUs / outcome.seconds / 1e6,
        generatorBusy: outcome.generatorCpuUs / outcome.seconds / 1e6,
        latenciesMs: latency?.latenciesMs,
      }
      if (outcome.answered === 0) throw new Error(`${sample.contestant} answered nothing in ${durations.saturated} s`)
      measured(sample)
    }
  }
}
