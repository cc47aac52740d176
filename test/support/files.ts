/** Folders and ports that one test has for itself. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new empty folder, and what removes it. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'paylink-auth-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Ports of this process: below those that the system gives to connections, and no other test's at the time. */
const PORTS = 20
const firstPort = 20_000 + (process.pid % 600) * PORTS
let given = 0

/**
 * A port of loopback that nothing listens on. Whoever is given it listens a while later: one that the
 * system chose could be another test's, or some connection's, by then.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS; tries++) {
    const port = firstPort + (given++ % PORTS)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error(`no free port from ${firstPort} on`)
}
