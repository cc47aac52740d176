/** Compares the load generator with autocannon on the floor, to show that it is not the bottleneck. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { toRequest } from './load.ts'
import type { Load } from './load.ts'
import { CONNECTIONS } from './measure.ts'
import type { RunningContestant } from './measure.ts'

const SECONDS = 3
const AUTOCANNON = fileURLToPath(new URL('node_modules/autocannon/autocannon.js', import.meta.url))

const most = (figures: readonly number[]) => Math.round(Math.max(...figures))

/** Returns a note for docs/performance.md. */
export async function compareGenerators(load: Load, { running, calls }: RunningContestant): Promise<string> {
  const call = calls.works['protected-one']?.[0]
  if (call === undefined) throw new Error('the floor has no protected call')
  const order = {
    port: running.port,
    pid: running.pid,
    requests: [toRequest(call)],
    status: 200,
    connections: CONNECTIONS,
    first: 2,
    before: 99_999_999,
  }
  const own: number[] = []
  const known: number[] = []
  for (let round = 0; round < 3; round++) {
    const { answered, seconds } = await load.run({ ...order, seconds: SECONDS })
    own.push(answered / seconds)
    const headers = Object.entries(call.headers ?? {}).flatMap(([name, value]) => ['-H', `${name}=${value}`])
    const args = [AUTOCANNON, '-c', String(CONNECTIONS), '-d', String(SECONDS), '-j', '-n', ...headers]
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...args,
      `http://127.0.0.1:${running.port}${call.path}`,
    ])
    known.push((JSON.parse(stdout) as { requests: { average: number } }).requests.average)
  }
  return `Load generator on the floor: ${most(own)} calls/s, autocannon: ${most(known)}; best of three rounds each`
}
