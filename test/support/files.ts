import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY_FROM_BYTES = 4 * 2 ** 30
const root = temporaryRoot()

/** A sync of a disk takes longer than the rest of a test, so files are in memory where Linux offers enough of it. */
function temporaryRoot(): string {
  const inMemory = '/dev/shm'
  if (process.env['TMPDIR'] !== undefined || !existsSync(inMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(inMemory)
  return bavail * bsize > IN_MEMORY_FROM_BYTES ? inMemory : tmpdir()
}

type TemporaryFolder = Readonly<{ path: string; remove: () => void }>

export const temporaryFolder = (): TemporaryFolder => temporaryFolderIn(root)

/** For tests of the file system itself. */
export const temporaryFolderOnDisk = (): TemporaryFolder => temporaryFolderIn(tmpdir())

function temporaryFolderIn(parent: string): TemporaryFolder {
  const path = mkdtempSync(join(parent, 'paylink-auth-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Ports reserved for this process, below the system's ephemeral range and disjoint from those of other tests. */
const PORTS = 20
const firstPort = 20_000 + (process.pid % 600) * PORTS
let given = 0

/** A free loopback port. Not an ephemeral one: the caller listens later, and might find it taken by then. */
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
