/**
 * `npm run bench`: measures all contestants and writes docs/performance.md. `-- --quick` compares the service with the
 * necessary work in protected call and exchange, takes a minute, and writes nothing. `--check` fails if a recorded ratio
 * has regressed; `--record` records the ratios. `--disk 0ms,5ms` measures reads beside writes, and writes, with slower
 * syncs. `--only A,B`, `--works A,B`, `--rounds N`, `--seconds N` and `--no-write`
 * measure a part.
 */
import { parseArgs } from 'node:util'
import { contestants } from './contestants.ts'
import { delaysOf, DISK_NAMES, measureDisk } from './disk.ts'
import { runBenchmark } from './benchmark.ts'
import { install } from './install.ts'
import { separateProcessors } from './processors.ts'
import { checkRatios, record } from './recorded-ratios.ts'
import { resultsOf, tablesOf } from './report.ts'
import { describeRun, writePage } from './performance-page.ts'
import { workloads } from './workloads.ts'
import type { Workload } from './workloads.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    disk: { type: 'string' },
    'no-write': { type: 'boolean', default: false },
    only: { type: 'string' },
    works: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
  },
})

const QUICK_NAMES = 'paylink-auth,necessary'
const QUICK_WORKS = 'protected,exchange'

const names = (values.only ?? (values.quick ? QUICK_NAMES : '')).split(',').filter(Boolean)
const chosenWorks = (values.works ?? (values.quick ? QUICK_WORKS : Object.keys(workloads).join(','))).split(
  ',',
) as Workload[]
const unknown = [
  ...names.filter((name) => !contestants.some((one) => one.name === name)),
  ...chosenWorks.filter((work) => !Object.hasOwn(workloads, work)),
]
if (unknown.length > 0) throw new Error(`Unknown contestant or workload: ${unknown.join(', ')}`)
const chosen = contestants.filter(({ name }) => names.length === 0 || names.includes(name))
const saturated = Number(values.seconds ?? 3)

if (values.disk !== undefined) {
  const durations = { warmUp: 1, saturated, latency: 4 }
  install(true)
  separateProcessors()
  await measureDisk(
    delaysOf(values.disk),
    names.length === 0 ? DISK_NAMES : names,
    chosenWorks,
    Number(values.rounds ?? 3),
    durations,
  )
  process.exit()
}

const isWhole = names.length === 0 && values.works === undefined && !values.quick

// The service and the necessary work need no packages of bench/.
install(chosen.some(({ name }) => /express|oidc|better/.test(name)))
separateProcessors()
const outcome = await runBenchmark({
  contestants: chosen,
  works: chosenWorks,
  rounds: Number(values.rounds ?? (values.quick ? 4 : 5)),
  durations: { warmUp: 1, saturated, latency: values.quick ? 0 : 2 },
  hasFootprints: isWhole,
})
const results = resultsOf(outcome.samples, chosen)
const tables = tablesOf(results, outcome.footprints)
console.log(`\n${tables}\n`)
for (const note of outcome.notes) console.log(note)

if (isWhole && !values['no-write']) writePage([...describeRun(process.argv.slice(2)), ...outcome.notes], tables)
if (values.record) record(results)
if (values.check) process.exitCode = checkRatios(results)
