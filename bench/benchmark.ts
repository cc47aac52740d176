/** One benchmark run: sets up, checks and measures every contestant, one workload after the other. */
import { rmSync } from 'node:fs'
import { startCluster } from '../test/support/postgres/cluster.ts'
import type { Cluster } from '../test/support/postgres/cluster.ts'
import { temporaryFolder } from '../test/support/files.ts'
import { checkAnswers, checkLengths, recordAnswers } from './checks.ts'
import { answersIn } from './contestants.ts'
import type { Environment, Contestant, Prepared } from './contestants.ts'
import { compareGenerators } from './compare-autocannon.ts'
import { startLoad } from './load.ts'
import { startMailSink } from './mail-sink.ts'
import { measureWork } from './measure.ts'
import type { RunningContestant, Durations, Sample } from './measure.ts'
import { runIdleLoops } from './processors.ts'
import { medianOf } from './report.ts'
import type { Footprint } from './report.ts'
import { start, startTimeMs } from './running.ts'
import { peakMemoryBytes } from './usage.ts'
import type { Workload } from './workloads.ts'

export type BenchmarkOptions = Readonly<{
  contestants: readonly Contestant[]
  works: readonly Workload[]
  rounds: number
  durations: Durations
  /** Also measure start time and memory, and compare the load generator with autocannon. */
  hasFootprints: boolean
}>

export type CompetitionOutcome = Readonly<{ samples: Sample[]; footprints: Footprint[]; notes: string[] }>

/** Starts per contestant for the median start time. */
const STARTS = 5

export const say = (text: string) => void process.stderr.write(`${text}\n`)

/** A server that loses nothing it has acknowledged. */
export const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', autovacuum: 'on' }

async function clusterOrNone(contestants: readonly Contestant[], notes: string[]): Promise<Cluster | undefined> {
  if (!contestants.some(({ group }) => group === 'PostgreSQL')) return undefined
  try {
    return await startCluster(DURABLE)
  } catch (error) {
    notes.push(`PostgreSQL was not measured: ${(error as Error).message}`)
    return undefined
  }
}

type Competing = RunningContestant & Readonly<{ prepared: Prepared }>

/**
 * Starts and checks a contestant. The service must come first, because others replay its answers.
 * @param env in addition to its own
 */
export async function setUp(
  contestant: Contestant,
  arena: Environment,
  works: readonly Workload[],
  env: Readonly<Record<string, string>> = {},
): Promise<Competing> {
  const { name } = contestant
  const plain = await contestant.prepare(arena)
  const prepared = { ...plain, env: { ...plain.env, ...env } }
  const running = await start(name, prepared, arena.folder)
  const calls = await prepared.calls()
  if (name === 'paylink-auth') await recordAnswers(running.port, calls, answersIn(arena))
  const own = contestant.works.filter((work) => works.includes(work))
  await checkAnswers(name, running.port, calls, own, name === 'floor')
  if (/^(floor|necessary)/.test(name)) await checkLengths(name, running.port, calls, answersIn(arena))
  say(`${name} is set up and passed its checks`)
  return { contestant, prepared, running, calls }
}

export async function runBenchmark(competition: BenchmarkOptions): Promise<CompetitionOutcome> {
  const { works, rounds, durations } = competition
  const notes: string[] = []
  const samples: Sample[] = []
  runIdleLoops(false)
  const cluster = await clusterOrNone(competition.contestants, notes)
  const contestants = competition.contestants.filter(({ group }) => group === 'embedded' || cluster !== undefined)
  const folder = temporaryFolder()
  const load = startLoad()
  const competing: Competing[] = []
  try {
    const arena: Environment = { folder: folder.path, mailPort: await startMailSink(), cluster: cluster?.url }
    for (const contestant of contestants) {
      runIdleLoops(contestant.group === 'embedded')
      competing.push(await setUp(contestant, arena, works))
    }

    const floor = competing.find(({ contestant }) => contestant.name === 'floor')
    // The floor takes the first load: a cold generator calls slowly, and V8 would optimise the target for that rate.
    const inTurn = floor === undefined ? competing : [floor, ...competing.filter((one) => one !== floor)]
    for (const work of works) {
      for (const group of ['embedded', 'PostgreSQL'] as const) {
        const own = inTurn.filter(({ contestant }) => contestant.group === group && contestant.works.includes(work))
        const measured = (sample: Sample) => {
          samples.push(sample)
          tell(sample)
        }
        runIdleLoops(group === 'embedded')
        // The results of other workloads remain valid.
        await measureWork(load, work, own, rounds, durations, measured).catch((error: Error) => {
          process.exitCode = 1
          notes.push(`INCOMPLETE, ${work}: ${error.message}`)
          say(error.message)
        })
      }
    }
    runIdleLoops(true)
    if (!competition.hasFootprints) return { samples, footprints: [], notes }

    if (floor !== undefined) notes.push(await compareGenerators(load, floor))
    const footprints: Footprint[] = []
    for (const { contestant, prepared, running, calls } of competing) {
      runIdleLoops(contestant.group === 'embedded')
      const peak = peakMemoryBytes(running.pid)
      await running.stop()
      const call = calls.works.exchange?.[0]
      const times: number[] = []
      for (let n = 0; n < STARTS; n++) {
        if (call !== undefined) times.push(await startTimeMs(contestant.name, prepared, arena.folder, call))
      }
      footprints.push({
        contestant: contestant.name,
        startMs: times.length > 0 ? medianOf(times) : undefined,
        peakMemoryBytes: peak,
      })
    }
    return { samples, footprints, notes }
  } finally {
    load.end()
    for (const { running } of competing) await running.stop()
    await cluster?.stop()
    rmSync(folder.path, { recursive: true, force: true })
  }
}

function tell({
  contestant,
  work,
  round,
  perSecond,
  quietShare,
  cpuUsPerCall,
  targetBusy,
  generatorBusy,
  latenciesMs,
}: Sample): void {
  const latency = latenciesMs === undefined ? '' : `, p99 ${latenciesMs.p99.toFixed(1)} ms`
  const busy = `busy ${targetBusy.toFixed(2)}, generator ${generatorBusy.toFixed(2)}, quiet ${Math.round(quietShare * 100)} %`
  say(
    `${work}, round ${round + 1}: ${contestant} ${Math.round(perSecond)}/s, ${cpuUsPerCall.toFixed(0)} µs, ${busy}${latency}`,
  )
}
