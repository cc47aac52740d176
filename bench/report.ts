/** Turns samples into the figures and tables of docs/performance.md. */
import { baselineOf } from './contestants.ts'
import type { Contestant } from './contestants.ts'
import type { Sample } from './measure.ts'
import { workloads } from './workloads.ts'
import type { Workload } from './workloads.ts'

export type Spread = Readonly<{ median: number; least: number; greatest: number }>

/** Summary of one contestant and workload over all rounds. */
export type Result = Readonly<{
  contestant: string
  work: Workload
  perSecond: Spread
  /** Relative to the necessary work in the same round. */
  throughputRatio: Spread
  cpuRatio: Spread
  cpuUsPerCall: Spread
  targetBusy: number
  generatorBusy: number
  latenciesMs: Readonly<{ p50: number; p99: number; p999: number }> | undefined
}>

export type Footprint = Readonly<{ contestant: string; startMs: number | undefined; peakMemoryBytes: number }>

function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? NaN
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2
  return { median, least: sorted[0] ?? NaN, greatest: sorted.at(-1) ?? NaN }
}

export const medianOf = (figures: readonly number[]): number => spreadOf(figures).median

/** Ordered by workload, then contestant. */
export function resultsOf(samples: readonly Sample[], contestants: readonly Contestant[]): Result[] {
  return (Object.keys(workloads) as Workload[]).flatMap((work) =>
    contestants.flatMap(({ name, group }) => {
      const own = samples.filter((sample) => sample.work === work && sample.contestant === name)
      if (own.length === 0) return []
      const necessary = samples.filter((sample) => sample.work === work && sample.contestant === baselineOf(group))
      const ratios = (pick: (sample: Sample) => number) =>
        own.flatMap((sample) => {
          const other = necessary.find(({ round }) => round === sample.round)
          return other === undefined ? [] : [pick(sample) / pick(other)]
        })
      const latencies = own.flatMap(({ latenciesMs }) => latenciesMs ?? [])
      return {
        contestant: name,
        work,
        perSecond: spreadOf(own.map(({ perSecond }) => perSecond)),
        throughputRatio: spreadOf(ratios(({ perSecond }) => perSecond)),
        cpuRatio: spreadOf(ratios(({ cpuUsPerCall }) => cpuUsPerCall)),
        cpuUsPerCall: spreadOf(own.map(({ cpuUsPerCall }) => cpuUsPerCall)),
        targetBusy: medianOf(own.map(({ targetBusy }) => targetBusy)),
        generatorBusy: medianOf(own.map(({ generatorBusy }) => generatorBusy)),
        latenciesMs:
          latencies.length === 0
            ? undefined
            : {
                p50: medianOf(latencies.map(({ p50 }) => p50)),
                p99: medianOf(latencies.map(({ p99 }) => p99)),
                p999: medianOf(latencies.map(({ p999 }) => p999)),
              },
      }
    }),
  )
}

const inRatio = ({ median, least, greatest }: Spread) =>
  `${median.toFixed(2)} (${least.toFixed(2)}–${greatest.toFixed(2)})`
const inMs = (ms: number | undefined) => (ms === undefined ? '–' : ms.toFixed(1))

export function tablesOf(results: readonly Result[], footprints: readonly Footprint[]): string {
  const parts = (Object.keys(workloads) as Workload[]).flatMap((work) => {
    const own = results.filter((result) => result.work === work)
    if (own.length === 0) return []
    const rows = own.map(
      ({
        contestant,
        perSecond,
        throughputRatio,
        cpuUsPerCall,
        cpuRatio,
        targetBusy,
        generatorBusy,
        latenciesMs: ms,
      }) =>
        `| ${contestant} | ${Math.round(perSecond.median)} | ${inRatio(throughputRatio)} | ${Math.round(cpuUsPerCall.median)} | ${inRatio(cpuRatio)} | ${inMs(ms?.p50)} | ${inMs(ms?.p99)} | ${inMs(ms?.p999)} | ${Math.round(targetBusy * 100)} % | ${Math.round(generatorBusy * 100)} % |`,
    )
    return [
      `### ${workloads[work]}`,
      '',
      '| | calls/s | throughput, ratio | CPU µs/call | CPU, ratio | p50 ms | p99 ms | p99.9 ms | target busy | generator busy |',
      '|---|---|---|---|---|---|---|---|---|---|',
    ].concat(rows, '')
  })
  if (footprints.length === 0) return parts.join('\n').trimEnd()
  const rows = footprints.map(
    ({ contestant, startMs, peakMemoryBytes }) =>
      `| ${contestant} | ${startMs === undefined ? '–' : (startMs / 1000).toFixed(2)} | ${Math.round(peakMemoryBytes / 2 ** 20)} |`,
  )
  return [
    ...parts,
    '### Start and memory',
    '',
    '| | first 200 after, s | peak memory, MiB |',
    '|---|---|---|',
    ...rows,
  ].join('\n')
}
