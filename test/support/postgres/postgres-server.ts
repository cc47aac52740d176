/** A durable PostgreSQL server (fsync on) for tests that kill, pause and restart it. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, chownSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { endsWithTest } from '../process/ends-with-test.ts'
import { freePort, temporaryFolder } from '../files.ts'
import { until } from '../until.ts'

/** Has one database, `paylink`. */
export type PostgresServer = Readonly<{
  port: number
  url: string
  folder: string
  /** Runs one statement as the superuser on its own connection, and returns the rows. */
  query(statement: string, values?: readonly unknown[]): Promise<any[]>
  /** Connections of the service's processes, in any state. */
  connections(): Promise<number>
  /** Kills all its processes at once, as a machine failure does. */
  kill(): Promise<void>
  /** `pg_ctl stop -m immediate`: cuts every connection and writes nothing more. */
  stopImmediately(): Promise<void>
  /** Stops every process with SIGSTOP: it answers nothing and closes nothing. */
  pause(): void
  resume(): void
  start(): Promise<void>
  promote(): Promise<void>
  remove(): Promise<void>
}>

const [BIN = ''] = readdirSync('/usr/lib/postgresql')
  .sort((one, other) => Number(other) - Number(one))
  .map((version) => `/usr/lib/postgresql/${version}/bin`)

/** PostgreSQL refuses to run as root: another user runs it then. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

const user = serverUser()
const environment = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' }

function run(program: string, cwd: string, ...args: readonly string[]): void {
  execFileSync(join(BIN, program), args, { cwd, env: environment, stdio: ['ignore', 'ignore', 'pipe'], ...user })
}

/** `settings` are lines of postgresql.conf; `primary` is the server to replicate. */
export async function startPostgres(
  settings: Readonly<Record<string, string | number>> = {},
  primary?: PostgresServer,
): Promise<PostgresServer> {
  const folder = temporaryFolder()
  if (user !== undefined) chownSync(folder.path, user.uid, user.gid)
  chmodSync(folder.path, 0o700)
  const data = join(folder.path, 'data')
  if (primary === undefined) {
    run(
      'initdb',
      folder.path,
      '-D',
      data,
      '-U',
      'postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    )
  } else {
    const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=replica`
    run('pg_basebackup', folder.path, '-D', data, '-d', from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync')
  }
  const port = await freePort()
  const all = {
    port,
    listen_addresses: "'127.0.0.1'",
    unix_socket_directories: "''",
    fsync: 'on',
    max_connections: 60,
    shared_buffers: '16MB',
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`)
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''))
  writeFileSync(join(folder.path, 'log'), '')

  let server: ChildProcess | undefined
  const connect = async (database: string) => {
    const client = new Client({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      database,
      connectionTimeoutMillis: 5000,
      query_timeout: 20_000,
    })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const query = async (statement: string, values: readonly unknown[] = [], database = 'paylink') => {
    const client = await connect(database)
    try {
      return (await client.query(statement, [...values])).rows
    } finally {
      await client.end()
    }
  }
  // The postmaster and its children, listed by the kernel, which works while they are stopped too.
  const family = () => {
    const pid = server?.pid ?? 0
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return [pid, ...children.filter((id) => id !== '').map(Number)]
  }
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of family()) {
      try {
        process.kill(pid, signal)
      } catch (error) {
        // It has ended in the meantime.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
  }
  const ended = async () => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    await once(server, 'exit')
  }
  const start = async () => {
    const child = spawn(join(BIN, 'postgres'), ['-D', data], {
      cwd: folder.path,
      env: environment,
      stdio: 'ignore',
      ...user,
    })
    server = child
    endsWithTest(child, 'QUIT')
    await until(async () => {
      assert.equal(child.exitCode, null, 'the server ended')
      return query('select 1', [], 'postgres').then(
        () => true,
        () => false,
      )
    })
  }
  await start()
  if (primary === undefined) await query('create database paylink', [], 'postgres')

  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/paylink`,
    folder: folder.path,
    query: (statement, values) => query(statement, values),
    async connections() {
      const [row] = await query(
        `select count(*)::int as n from pg_stat_activity where application_name = 'paylink-auth'`,
      )
      return row.n
    },
    async kill() {
      const processes = family()
      signalAll('SIGKILL')
      await ended()
      // Every process must be gone before a restart.
      await until(async () => processes.every((pid) => !isAlive(pid)))
    },
    async stopImmediately() {
      server?.kill('SIGQUIT')
      await ended()
    },
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    start,
    async promote() {
      run('pg_ctl', folder.path, 'promote', '-D', data, '-w')
    },
    async remove() {
      if (server?.exitCode === null && server.signalCode === null) {
        signalAll('SIGCONT')
        signalAll('SIGKILL')
        await ended()
      }
      folder.remove()
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    // Third field: `Z` is a zombie, which is dead but not reaped.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
