/** A running service in a process of its own: started, called and stopped from outside. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { callAt } from './call.ts'
import type { Answer, Call } from './call.ts'
import { freePort } from './files.ts'
import { runCli } from './process.ts'
import type { CliProcess } from './process.ts'

/** A service that listens. */
export type Served = Readonly<{
  process: CliProcess
  origin: string
  baseUrl: string
  /** `method path` below the base URL, for example `POST /auth/request`. Never follows a redirect. */
  call(route: string, call?: Call): Promise<Answer>
  /** Ends it as an operator does, and asserts that it ended well. */
  stop(): Promise<void>
}>

/**
 * Runs `paylink-auth serve` in a folder and waits until it listens.
 * @param env settings that differ from the usual ones; `PORT` makes it one that was free before
 */
export async function serveIn(folder: string, env: Record<string, string> = {}): Promise<Served> {
  const port = env['PORT'] ?? String(await freePort())
  const origin = `http://127.0.0.1:${port}`
  const settings = { PORT: port, PUBLIC_URL: origin, RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...env }
  const process = runCli(['serve'], { cwd: folder, env: settings })
  await process.waitFor('is listening on')
  const baseUrl = `${origin}/api/v1`
  return {
    process,
    origin,
    baseUrl,
    call: (route, options) => callAt(baseUrl, route, options),
    async stop() {
      process.kill('SIGTERM')
      const { code, output } = await process.exited
      assert.equal(code, 0, output)
    },
  }
}

/** Where a service that runs in this folder has its database. */
export const databasePath = (folder: string) => join(folder, 'data', 'paylink-auth.db')

/** A second connection to the database of a service that runs in this folder. */
export function openBeside(folder: string): DatabaseSync {
  return new DatabaseSync(databasePath(folder), { timeout: 5000 })
}
