/** Series for Prometheus' own tests of rules, from scrapes of a real service that goes on as it was. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { temporaryFolder } from '../files.ts'
import { RULES } from './prometheus.ts'
import type { Sample } from './metrics.ts'

type Series = Readonly<{ series: string; values: string }>

/** How long the service goes on after its last scrape. */
const CONTINUED = 1000

/** A scrape; `undefined`: it failed. */
export type Scrape = readonly Sample[] | undefined

/** The samples of each scrape in turn; then counters rise as they did last, and all else keeps its value. */
export function seriesOf(scrapes: readonly Scrape[]): Series[] {
  const all = scrapes.map((scrape, index) => [
    ...(scrape ?? []).map((sample) => [nameOf(sample), sample.value] as const),
    [`up{job="paylink-auth",instance="one"}`, scrapes[index] === undefined ? 0 : 1] as const,
  ])
  const names = new Set(all.flat().map(([name]) => name))
  const byName = all.map((scrape) => new Map(scrape))
  return [...names].map((series) => {
    const values = byName.map((scrape) => scrape.get(series))
    const [before = 0, last] = [values.at(-2), values.at(-1)]
    const step = last !== undefined && /^\w+_(total|bucket|sum|count)\b/.test(series) ? Math.max(0, last - before) : 0
    const continued =
      last === undefined ? `_x${CONTINUED}` : `${inPrometheus(last + step)}+${step.toFixed(6)}x${CONTINUED}`
    return { series, values: [...values.map(inPrometheus), continued].join(' ') }
  })
}

const inPrometheus = (value: number | undefined) =>
  value === undefined ? '_' : value === Infinity ? 'Inf' : String(value)

function nameOf({ name, labels }: Sample): string {
  const pairs = Object.entries({ ...labels, job: 'paylink-auth', instance: 'one' })
  return `${name}{${pairs.map(([label, value]) => `${label}=${JSON.stringify(value)}`).join(',')}}`
}

/**
 * Asserts with `promtool` which of the repository's alerts fire.
 * @param every time between scrapes, and between evaluations of the rules (default: as often), for example `1m`
 * @param firing per time, the names of all firing alerts, or of those among `only`
 * @returns what is wrong; empty: nothing
 */
export function alertProblems(
  scrapes: readonly Scrape[],
  { interval, evaluated = interval }: Readonly<{ interval: string; evaluated?: string }>,
  firing: Readonly<Record<string, readonly string[]>>,
  only: readonly string[] = ['.+'],
): string {
  const folder = temporaryFolder()
  const file = join(folder.path, 'test.yml')
  const promql_expr_test = Object.entries(firing).map(([eval_time, names]) => ({
    eval_time,
    expr: `group by (alertname) (ALERTS{alertstate="firing",alertname=~"${only.join('|')}"})`,
    exp_samples: names.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
  }))
  const tests = [{ interval, input_series: seriesOf(scrapes), promql_expr_test }]
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [fileURLToPath(RULES)], evaluation_interval: evaluated, tests }))
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
  folder.remove()
  return status === 0 ? '' : `${stdout}${stderr}`
}
