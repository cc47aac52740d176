import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Server } from 'node:net'
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

/** Below the ephemeral ports of Linux and gVisor, so that no outgoing connection takes one of them. */
const FIRST_PORT = 10_000
const PORTS_IN_BLOCK = 20
const BLOCKS = 299

let block: Promise<number> | undefined
let given = 0

/**
 * A free loopback port of this process's block. The caller may listen, stop and listen again: no other test gets it
 * meanwhile.
 */
export async function freePort(): Promise<number> {
  block ??= reserveBlock()
  const guard = await block
  for (let tries = 1; tries < PORTS_IN_BLOCK; tries++) {
    const port = guard + 1 + (given++ % (PORTS_IN_BLOCK - 1))
    const server = await listenOn(port)
    if (server === undefined) continue
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error(`no free port in the block of ${guard}`)
}

/** A block belongs to the process that listens on its first port; the system frees it when the process ends. */
async function reserveBlock(): Promise<number> {
  for (let tries = 0; tries < BLOCKS; tries++) {
    const first = FIRST_PORT + ((process.pid + tries) % BLOCKS) * PORTS_IN_BLOCK
    const guard = await listenOn(first)
    if (guard === undefined) continue
    guard.unref()
    return first
  }
  throw new Error('no free block of ports')
}

async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1')
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  )
}
