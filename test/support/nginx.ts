/** nginx with the configuration that is in the repository, in front of processes of a test. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endsWithTest } from './ends-with-test.ts'
import { temporaryFolder } from './files.ts'
import { until } from './until.ts'

/** The balancer. */
export type Nginx = Readonly<{
  origin: string
  baseUrl: string
  /** Everything it has written to its logs. */
  logs(): string
  stop(): Promise<void>
}>

const CONFIGURATION = fileURLToPath(new URL('../../deploy/nginx.conf', import.meta.url))
const PORTS = [3000, 3001, 3002]

/** What Debian has around the files of conf.d, with places that the test may write to. */
const around = (file: string) => `
daemon off;
pid nginx.pid;
error_log error.log info;
worker_processes 1;
events { worker_connections 8192; }
http {
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include ${file};
}
`

/**
 * Starts it.
 * @param port where it is to listen
 * @param processes the ports of the three processes
 */
export async function startNginx(port: number, processes: readonly number[]): Promise<Nginx> {
  const folder = temporaryFolder()
  const accessLog = join(folder.path, 'access.log')
  let configuration = readFileSync(CONFIGURATION, 'utf8')
  const substitute = (from: string, to: string) => {
    assert.equal(configuration.split(from).length, 2, `${from} is there, once`)
    configuration = configuration.replace(from, to)
  }
  for (const [index, from] of PORTS.entries()) {
    substitute(`server 127.0.0.1:${from} `, `server 127.0.0.1:${processes[index]} `)
  }
  substitute('listen 8080;', `listen 127.0.0.1:${port};`)
  substitute('/var/log/nginx/paylink-auth.log', accessLog)
  const file = join(folder.path, 'paylink-auth.conf')
  writeFileSync(file, configuration)
  writeFileSync(join(folder.path, 'nginx.conf'), around(file))
  // Started by root, its workers are another user's.
  chmodSync(folder.path, 0o755)
  const child = spawn('nginx', ['-p', folder.path, '-e', 'error.log', '-c', 'nginx.conf'], { stdio: 'ignore' })
  endsWithTest(child, 'TERM')
  const exited = once(child, 'exit')
  const logs = () => [accessLog, join(folder.path, 'error.log')].map((path) => readFileSync(path, 'utf8')).join('')
  await until(async () => {
    assert.equal(child.exitCode, null, 'nginx ended')
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(() => true, () => false)
    socket.destroy()
    return isOpen
  }, 'nginx listens')
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    baseUrl: `${origin}/api/v1`,
    logs,
    async stop() {
      child.kill('SIGTERM')
      await exited
      folder.remove()
    },
  }
}
