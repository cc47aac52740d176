/**
 * `npm run bench -- --disk 5ms`: reads beside signups, and writes at saturation, on a disk whose syncs take longer. On
 * PostgreSQL the disk is the server's.
 */
import { diskEnv } from '../test/support/disk/disk-shim.ts'
import { temporaryFolder } from '../test/support/files.ts'
import { startCluster } from '../test/support/postgres/cluster.ts'
import { DURABLE, setUp } from './benchmark.ts'
import { contestants, unsynced } from './contestants.ts'
import type { LoadResult } from './generator.ts'
import { startLoad, toRequest } from './load.ts'
import type { Load } from './load.ts'
import { startMailSink } from './mail-sink.ts'
import { CONNECTIONS, IDLE_WITHIN_MS, measureWork } from './measure.ts'
import type { Durations, RunningContestant, Sample } from './measure.ts'
import { runIdleLoops } from './processors.ts'
import { medianOf } from './report.ts'
import { untilIdle } from './usage.ts'
import { workloads } from './workloads.ts'
import type { Workload } from './workloads.ts'

const SIGNUPS_PER_SECOND = 100
/** Enough that the processor is busy while calls wait for a sync of 20 ms. */
const WAITING_CONNECTIONS = 512
/** Until the signups have a steady rate. */
const HEAD_START_S = 1
/** At saturation, so that the signups beside the reads run compiled code. */
const SIGNUP_WARM_UP_S = 4
const READS = new Set<Workload>(['protected', 'exchange'])
/** The floor writes nothing, and of the targets on PostgreSQL only the service signs up. */
const SIGNING_UP = new Set(['paylink-auth', 'paylink-auth-postgres', 'necessary', 'express', unsynced.name])
export const DISK_NAMES = ['paylink-auth', 'floor', 'necessary', 'express']

type Latencies = LoadResult['latenciesMs']
type Beside = Readonly<{ contestant: string; alone: Latencies; beside: Latencies; signup: Latencies }>

/** Parses `0ms,5ms`. */
export function delaysOf(text: string): number[] {
  return text.split(',').map((delay) => {
    const [, ms] = /^(\d+)ms$/.exec(delay) ?? []
    if (ms === undefined) throw new Error(`--disk ${text}: expected milliseconds, for example 0ms,5ms`)
    return Number(ms)
  })
}

/**
 * Prints the tables of each delay.
 * @param delays what a sync takes longer, in ms
 */
export async function measureDisk(
  delays: readonly number[],
  names: readonly string[],
  works: readonly Workload[],
  rounds: number,
  durations: Durations,
): Promise<void> {
  for (const syncMs of delays) {
    console.log(`\n### A sync takes ${syncMs} ms longer\n`)
    await measureDelay(syncMs, names, works, rounds, durations)
  }
}

async function measureDelay(
  syncMs: number,
  names: readonly string[],
  works: readonly Workload[],
  rounds: number,
  durations: Durations,
): Promise<void> {
  const folder = temporaryFolder()
  const [load, writes] = [startLoad(), startLoad()]
  const competing: RunningContestant[] = []
  let besides = 0
  const chosen = contestants.filter(({ name }) => names.includes(name))
  const slowDisk = diskEnv({ syncMs })
  const hasServer = chosen.some(({ group }) => group === 'PostgreSQL')
  runIdleLoops(!hasServer)
  const cluster = hasServer ? await startCluster(DURABLE, {}, slowDisk) : undefined
  try {
    const arena = { folder: folder.path, mailPort: await startMailSink(), cluster: cluster?.url }
    const references = chosen.some(({ group }) => group === 'embedded') ? [unsynced] : []
    for (const contestant of [...chosen, ...references]) {
      const env = contestant.group === 'embedded' ? slowDisk : {}
      competing.push(await setUp(contestant, arena, Object.keys(workloads) as Workload[], env))
    }
    for (const one of competing.filter(({ contestant }) => SIGNING_UP.has(contestant.name))) {
      await writes.run({ ...signupsOf(one, 'warm-up'), seconds: SIGNUP_WARM_UP_S })
    }
    for (const work of works) {
      const own = competing.filter(({ contestant }) => contestant.works.includes(work))
      const isRead = READS.has(work)
      const samples: Sample[] = []
      const beside: Beside[] = []
      const [latency, connections] = isRead ? [0, CONNECTIONS] : [durations.latency, WAITING_CONNECTIONS]
      const measured = (sample: Sample) => void samples.push(sample)
      await measureWork(load, work, own, rounds, { ...durations, latency }, measured, connections)
      // Each table at once: a later measurement may fail.
      console.log(`${tableOfSaturation(work, samples)}\n`)
      if (!isRead) continue
      for (let round = 0; round < rounds; round++) {
        for (const one of own.filter(({ contestant }) => SIGNING_UP.has(contestant.name))) {
          const rates = samples.filter((sample) => sample.contestant === one.contestant.name)
          const perSecond = medianOf(rates.map((sample) => sample.perSecond)) / 3
          beside.push(await measureBeside(load, writes, one, work, perSecond, (besides += 1), durations))
        }
      }
      console.log(`${tableOfReads(work, beside)}\n`)
    }
  } finally {
    load.end()
    writes.end()
    for (const { running } of competing) await running.stop()
    await cluster?.stop()
    folder.remove()
  }
}

/** Requests of one work, on connections of their own. */
const requestsOf = ({ running, calls }: RunningContestant, of: Workload) => ({
  port: running.port,
  pid: running.pid,
  requests: (calls.works[of] ?? []).map((call) => toRequest(call)),
  status: calls.works[of]?.[0]?.status ?? 200,
  connections: CONNECTIONS,
  first: 2,
  before: 99_999_999,
})

/** @param name seven characters that no other signups use, because an address signs up once */
function signupsOf(one: RunningContestant, name: string) {
  const signup = requestsOf(one, 'signup')
  return { ...signup, requests: signup.requests.map((text) => text.replace('program', name)) }
}

/** The same calls at the same rate, alone and beside signups. */
async function measureBeside(
  load: Load,
  writes: Load,
  one: RunningContestant,
  work: Workload,
  perSecond: number,
  number: number,
  durations: Durations,
): Promise<Beside> {
  const { contestant, running } = one
  const uncounted = durations.warmUp
  const seconds = uncounted + durations.latency
  const read = async () => (await load.run({ ...requestsOf(one, work), seconds, perSecond, uncounted })).latenciesMs
  await untilIdle(running.pid, IDLE_WITHIN_MS)
  const alone = await read()
  await untilIdle(running.pid, IDLE_WITHIN_MS)
  const signups = signupsOf(one, `w${String(number).padStart(6, '0')}`)
  const rate = { perSecond: SIGNUPS_PER_SECOND, uncounted }
  const writing = writes.run({ ...signups, ...rate, seconds: seconds + HEAD_START_S })
  await new Promise((resolve) => setTimeout(resolve, HEAD_START_S * 1000))
  const beside = await read()
  return { contestant: contestant.name, alone, beside, signup: (await writing).latenciesMs }
}

const median = (found: readonly Latencies[], quantile: keyof Latencies) => medianOf(found.map((each) => each[quantile]))
const quantiles = (found: readonly Latencies[]) =>
  (['p50', 'p99', 'p999'] as const).map((quantile) => median(found, quantile).toFixed(1)).join(' / ')

function tableOfReads(work: Workload, besides: readonly Beside[]): string {
  const rows = [...Map.groupBy(besides, ({ contestant }) => contestant)].map(([name, own]) => {
    const of = (which: 'alone' | 'beside' | 'signup') => quantiles(own.map((each) => each[which]))
    const more = medianOf(own.map((each) => each.beside.p99 - each.alone.p99))
    return `| ${name} | ${of('alone')} | ${of('beside')} | ${more.toFixed(1)} | ${of('signup')} |`
  })
  return [
    `${workloads[work]}, at a third of saturation, alone and beside ${SIGNUPS_PER_SECOND} signups a second; p50 / p99 / p99.9 in ms:`,
    '',
    '| | alone | beside signups | p99, difference | the signups |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function tableOfSaturation(work: Workload, samples: readonly Sample[]): string {
  const byName = Map.groupBy(samples, ({ contestant }) => contestant)
  const references = byName.get(unsynced.name) ?? []
  const rows = [...byName].map(([name, own]) => {
    const ratios = own.map(({ perSecond }, round) => perSecond / (references[round]?.perSecond ?? NaN))
    const ratio = references.length === 0 ? '–' : medianOf(ratios).toFixed(2)
    const latencies = own.flatMap(({ latenciesMs }) => latenciesMs ?? [])
    const third = latencies.length === 0 ? '–' : quantiles(latencies)
    const perSecond = Math.round(medianOf(own.map((sample) => sample.perSecond)))
    const busy = medianOf(own.map(({ targetBusy }) => targetBusy)).toFixed(2)
    const quiet = Math.round(medianOf(own.map(({ quietShare }) => quietShare)) * 100)
    return `| ${name} | ${perSecond} | ${ratio} | ${busy} | ${third} | ${quiet} % |`
  })
  return [
    `${workloads[work]}, at saturation, and for writes the latencies at a third of it, nothing beside:`,
    '',
    '| | calls/s | ratio to the necessary work without syncs | processors used | p50 / p99 / p99.9 ms | undisturbed |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
