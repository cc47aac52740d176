/**
 * `node bench/profile.ts WORK…` runs each workload against the service under `--cpu-prof`, and prints the functions and
 * packages with the most self time. The start of the process is excluded.
 */
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../test/support/files.ts'
import { contestants } from './contestants.ts'
import { install } from './install.ts'
import { startLoad, toRequest } from './load.ts'
import { startMailSink } from './mail-sink.ts'
import { CONNECTIONS } from './measure.ts'
import { start } from './running.ts'
import type { Workload } from './workloads.ts'

const SECONDS = 6
const SHOWN = 25

type Profile = Readonly<{
  nodes: readonly Readonly<{
    id: number
    callFrame: Readonly<{ functionName: string; url: string; lineNumber: number }>
  }>[]
  samples: readonly number[]
  timeDeltas: readonly number[]
  startTime: number
  endTime: number
}>

type Frame = Profile['nodes'][number]['callFrame']

const placeOf = (url: string) =>
  url.replace(/^.*\/(node_modules|src|cli)\//, (_, top: string) => (top === 'node_modules' ? '' : `${top}/`))

function functionOf({ functionName, url, lineNumber }: Frame): string {
  return `${functionName || '(anonymous)'} ${url === '' ? '' : `${placeOf(url)}:${lineNumber + 1}`}`.trim()
}

// A package, a folder of src, or a module of Node. Native code has no URL.
function partOf({ functionName, url }: Frame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)'
  const [first = '', second = ''] = placeOf(url).split('/')
  return first === 'src' || first.startsWith('@') ? `${first}/${second}` : first
}

// Self time by group, as shares of non-idle time, in descending order.
function ownTimes(path: string, groupOf: (frame: Frame) => string): [string, number][] {
  const { nodes, samples, timeDeltas, startTime, endTime } = JSON.parse(readFileSync(path, 'utf8')) as Profile
  const names = new Map(nodes.map(({ id, callFrame }) => [id, groupOf(callFrame)]))
  const times = new Map<string, number>()
  let now = startTime
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0
    now += delta
    const name = names.get(id) ?? '?'
    if (now < endTime - SECONDS * 1e6 || name === '(idle)') continue
    times.set(name, (times.get(name) ?? 0) + delta)
  }
  const total = times.values().reduce((sum, time) => sum + time, 0)
  return [...times].map(([name, time]): [string, number] => [name, time / total]).toSorted((a, b) => b[1] - a[1])
}

install(false)
const [ours] = contestants
if (ours === undefined) throw new Error('the service is not among the contestants')
for (const work of process.argv.slice(2) as Workload[]) {
  const folder = temporaryFolder()
  const load = startLoad()
  try {
    const arena = { folder: folder.path, mailPort: await startMailSink(), cluster: undefined }
    const prepared = await ours.prepare(arena)
    const profiled = { ...prepared, args: ['--cpu-prof', `--cpu-prof-dir=${folder.path}`, ...prepared.args] }
    const running = await start(ours.name, profiled, folder.path)
    const calls = (await prepared.calls()).works[work] ?? []
    const { answered, seconds } = await load.run({
      port: running.port,
      pid: running.pid,
      requests: calls.map((call) => toRequest(call)),
      status: calls[0]?.status ?? 200,
      connections: CONNECTIONS,
      seconds: SECONDS,
      first: 2,
      before: work === 'link-verify' ? 50_000 : 99_999_999,
    })
    await running.stop()
    const [file = ''] = globSync('*.cpuprofile', { cwd: folder.path })
    console.log(`\n${work}: ${Math.round(answered / seconds)} calls/s under the profiler`)
    for (const groupOf of [functionOf, partOf]) {
      for (const [name, share] of ownTimes(join(folder.path, file), groupOf).slice(0, SHOWN)) {
        console.log(`${(share * 100).toFixed(1).padStart(5)} %  ${name}`)
      }
      console.log()
    }
  } finally {
    load.end()
    rmSync(folder.path, { recursive: true, force: true })
  }
}
