/** Runs a command with its own PostgreSQL cluster (`TEST_POSTGRES_URL`), and exits with the command's code. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { startCluster } from './cluster.ts'
import { makeTemplate } from '../database/database.ts'
import { isMarked } from './on-postgres.ts'

const [command = '', ...given] = process.argv.slice(2)
if (command === '') throw new Error('usage: with-postgres.ts COMMAND ARGS…')
// A pattern selects marked files only; a file given by name always runs.
const args = given.flatMap((arg) =>
  /^test\/.*\*/.test(arg) ? globSync(arg).filter((file) => isMarked(readFileSync(file, 'utf8'))) : [arg],
)

// Ctrl+C reaches the command too; it ends first, the cluster after it.
let child: ReturnType<typeof spawn> | undefined
let interrupted: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = signal
    child?.kill(signal)
  })
}

const cluster = await startCluster()
try {
  const template = await makeTemplate(cluster.url)
  const env = { ...process.env, TEST_POSTGRES_URL: cluster.url, TEST_POSTGRES_TEMPLATE: template }
  if (interrupted === undefined) {
    child = spawn(command, args, { stdio: 'inherit', env })
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    interrupted ??= signal ?? undefined
    process.exitCode = code ?? 1
  }
} finally {
  await cluster.stop()
}
if (interrupted !== undefined) process.exitCode = 128 + constants.signals[interrupted]
