/** Starts and stops a contestant's process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { freePort } from '../test/support/files.ts'
import { endsWithTest } from '../test/support/process/ends-with-test.ts'
import type { Prepared } from './contestants.ts'
import type { Call } from './workloads.ts'

export type Running = Readonly<{
  pid: number
  port: number
  stop(): Promise<void>
}>

export type Answer = Readonly<{ status: number; rawHeaders: readonly string[]; body: string }>

/** Timeout for the first answer, including the time to create data. */
const STARTED_WITHIN_MS = 120_000

/** Resolves once the process answers. Its output goes to a log file in `folder`. */
export async function start(name: string, { args, env }: Prepared, folder: string): Promise<Running> {
  const port = await freePort()
  const log = openSync(join(folder, `${name}.log`), 'a')
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...env, PORT: String(port) },
    stdio: ['ignore', log, log],
  })
  endsWithTest(child, 'KILL')
  const ended = once(child, 'exit')
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  const probe: Call = { method: 'GET', path: '/', status: 0 }
  for (const deadline = performance.now() + STARTED_WITHIN_MS; ;) {
    if (hasEnded || performance.now() > deadline) throw new Error(`${name} does not start: see its log in ${folder}`)
    if (
      await ask(port, probe).then(
        () => true,
        () => false,
      )
    )
      break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return {
    pid: child.pid as number,
    port,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Time from the start of a new process to its first expected answer. The process is killed afterwards. */
export async function startTimeMs(name: string, prepared: Prepared, folder: string, call: Call): Promise<number> {
  const port = await freePort()
  const log = openSync(join(folder, `${name}.log`), 'a')
  const startedAtMs = performance.now()
  const child = spawn(process.execPath, prepared.args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...prepared.env, PORT: String(port) },
    stdio: ['ignore', log, log],
  })
  const ended = once(child, 'exit')
  try {
    while (performance.now() - startedAtMs < STARTED_WITHIN_MS) {
      const status = await ask(port, call).then(
        (answer) => answer.status,
        () => 0,
      )
      if (status === call.status) return performance.now() - startedAtMs
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    throw new Error(`${name} does not give the expected answer after a restart`)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/** Makes one call on a new connection. */
export function ask(port: number, call: Call, number = '00000000'): Promise<Answer> {
  const fill = (text: string) => text.replaceAll('{n}', number)
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      method: call.method,
      path: fill(call.path),
      headers: call.headers,
      agent: false,
    }
    const asked = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          rawHeaders: response.rawHeaders,
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
    asked.on('error', reject)
    if (call.body === undefined) asked.end()
    else asked.end(fill(call.body))
  })
}
