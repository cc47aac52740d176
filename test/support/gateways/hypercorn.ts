/** Hypercorn: a real server that accepts `Upgrade: h2c` and WebSockets and records what reached it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { endsWithTest } from '../process/ends-with-test.ts'
import { freePort } from '../files.ts'
import { listens } from '../http/listens.ts'

export type Served = Readonly<{
  type: string
  version: string
  path: string
  headers: readonly (readonly [string, string])[]
}>

export type Hypercorn = Readonly<{ port: number; served: Served[]; stop(): Promise<void> }>

export async function startHypercorn(): Promise<Hypercorn> {
  const port = await freePort()
  const served: Served[] = []
  const cwd = fileURLToPath(new URL('.', import.meta.url))
  const child = spawn('/usr/bin/hypercorn', ['--bind', `127.0.0.1:${port}`, 'hypercorn_app:app'], {
    cwd,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  endsWithTest(child, 'KILL')
  const exited = once(child, 'exit')
  createInterface(child.stdout).on(
    'line',
    (line) => void (line.startsWith('{') && served.push(JSON.parse(line) as Served)),
  )
  await listens(child, port, 'Hypercorn')
  return {
    port,
    served,
    async stop() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
