/**
 * The ratios to the necessary work that were reached once, and whether a run still reaches them. By what a second of
 * processor time does: throughput falls with whatever else the machine is busy with, in every run by another factor.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Result } from './report.ts'
import type { Work } from './works.ts'

const file = new URL('recorded.json', import.meta.url)
/** How much of what is recorded must be reached: machines differ, and are busy with other things. */
const MUST_REACH = 0.8
const GUARDED: ReadonlySet<Work> = new Set(['protected', 'exchange'])

const ratiosOf = (results: readonly Result[]): Record<string, number> =>
  Object.fromEntries(
    results
      .filter(({ contestant, work }) => contestant === 'paylink-auth' && GUARDED.has(work))
      .map(({ work, cpuRatio }) => [work, Math.round(100 / cpuRatio.median) / 100]),
  )

/** Writes the ratios of a run down. */
export function record(results: readonly Result[]): void {
  writeFileSync(file, `${JSON.stringify(ratiosOf(results), null, 2)}\n`)
}

/** Says how a run compares with what is recorded; the exit code: 1 where it fell behind. */
export function judge(results: readonly Result[]): number {
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>
  const ratios = ratiosOf(results)
  let code = 0
  for (const [work, ratio] of Object.entries(recorded)) {
    const reached = ratios[work] ?? 0
    const isEnough = reached >= ratio * MUST_REACH
    console.log(`${work}: ${reached} of the necessary work, recorded ${ratio}: ${isEnough ? 'enough' : 'FELL BEHIND'}`)
    if (!isEnough) code = 1
  }
  return code
}
