/**
 * Recorded ratios to the necessary work, to detect regressions. They compare CPU time per call: throughput varies with the
 * other load of the machine. They are recorded on the slowest kind of machine that runs the check: one commit reached 1.3
 * and 1.03 on one kind, and 1.0 and 0.73 on another of half its speed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Result } from './report.ts'
import type { Workload } from './workloads.ts'

const file = new URL('recorded.json', import.meta.url)
/** Required share of a recorded ratio: machines and their other load differ. */
const MUST_REACH = 0.8
const GUARDED: ReadonlySet<Workload> = new Set(['protected', 'exchange'])

const ratiosOf = (results: readonly Result[]): Record<string, number> =>
  Object.fromEntries(
    results
      .filter(({ contestant, work }) => contestant === 'paylink-auth' && GUARDED.has(work))
      .map(({ work, cpuRatio }) => [work, Math.round(100 / cpuRatio.median) / 100]),
  )

export function record(results: readonly Result[]): void {
  writeFileSync(file, `${JSON.stringify(ratiosOf(results), null, 2)}\n`)
}

/** Prints the comparison with the recorded ratios. Returns the exit code: 1 for a regression. */
export function checkRatios(results: readonly Result[]): number {
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>
  const ratios = ratiosOf(results)
  let code = 0
  for (const [work, ratio] of Object.entries(recorded)) {
    const reached = ratios[work] ?? 0
    const isEnough = reached >= ratio * MUST_REACH
    console.log(`${work}: ratio to the necessary work ${reached}, recorded ${ratio}: ${isEnough ? 'ok' : 'REGRESSION'}`)
    if (!isEnough) code = 1
  }
  return code
}
