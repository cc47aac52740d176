/** pgbouncer in transaction mode: each transaction may run on another server connection. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { endsWithTest } from '../process/ends-with-test.ts'
import { freePort, temporaryFolder } from '../files.ts'
import { until } from '../until.ts'

export type Pgbouncer = Readonly<{
  url: string
  kill(): Promise<void>
  start(): Promise<void>
  /** Writes another server into its configuration and reloads it, as an operator does. */
  pointTo(port: number): Promise<void>
  /** Rows of one of its admin tables: `pools`, `servers`, `clients` … */
  show(what: string): Promise<any[]>
  stop(): Promise<void>
}>

/** @param settings lines of its configuration */
export async function startPgbouncer(
  serverPort: number,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Pgbouncer> {
  const folder = temporaryFolder()
  const isRoot = process.getuid?.() === 0
  // It refuses to run as root, and drops its privileges once it has read the files.
  chmodSync(folder.path, 0o755)
  const port = await freePort()
  const file = join(folder.path, 'pgbouncer.ini')
  const write = (server: number) => {
    const lines = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'any',
      pool_mode: 'transaction',
      default_pool_size: 8,
      max_client_conn: 200,
      admin_users: 'postgres',
      server_login_retry: 1,
      server_connect_timeout: 2,
      query_wait_timeout: 2,
      ...settings,
    }
    const database = `paylink = host=127.0.0.1 port=${server} user=postgres dbname=paylink`
    const text = Object.entries(lines)
      .map(([name, value]) => `${name} = ${value}`)
      .join('\n')
    writeFileSync(file, `[databases]\n${database}\n\n[pgbouncer]\n${text}\n`, { mode: 0o644 })
  }
  write(serverPort)

  const show = async (what: string) => {
    const client = new Client({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      database: 'pgbouncer',
      connectionTimeoutMillis: 2000,
    })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(what)).rows
    } finally {
      await client.end()
    }
  }
  let child: ChildProcess
  const start = async () => {
    const started = spawn('pgbouncer', [...(isRoot ? ['-u', 'postgres'] : []), file], { stdio: 'ignore' })
    child = started
    endsWithTest(started, 'KILL')
    await until(async () => {
      assert.equal(started.exitCode, null, 'pgbouncer ended')
      return show('show version').then(
        () => true,
        () => false,
      )
    }, 'pgbouncer listens')
  }
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/paylink`,
    kill: () => end('SIGKILL'),
    start,
    async pointTo(server) {
      write(server)
      await show('reload')
    },
    show: (what) => show(`show ${what}`),
    async stop() {
      await end('SIGKILL')
      folder.remove()
    },
  }
}
