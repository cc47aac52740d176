/** nginx with a configuration file of the repository, in front of processes of a test. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endsWithTest } from '../process/ends-with-test.ts'
import { temporaryFolder } from '../files.ts'
import { listens } from '../http/listens.ts'

export type Nginx = Readonly<{
  origin: string
  baseUrl: string
  logs(): string
  stop(): Promise<void>
}>

const PORTS = [3000, 3001, 3002]

/** Debian's configuration around the files of conf.d, with paths the test can write to. */
const debianConfiguration = (file: string) => `
daemon off;
pid nginx.pid;
error_log error.log info;
worker_processes 1;
events { worker_connections 8192; }
http {
  access_log access.log;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include ${file};
}
`

/**
 * Starts the load balancer.
 * @param port where it listens
 * @param processes ports of at most three processes; unused lines of the configuration are removed
 */
export function startNginx(port: number, processes: readonly number[]): Promise<Nginx> {
  return start('nginx.conf', port, {
    'listen 8080;': `listen 127.0.0.1:${port};`,
    '/var/log/nginx/paylink-auth.log': 'access.log',
    ...Object.fromEntries(
      PORTS.flatMap((from, index) =>
        ['max_fails', 'backup'].map((kind) => {
          const to = processes[index]
          return [`server 127.0.0.1:${from} ${kind}`, to === undefined ? `# ${kind}` : `server 127.0.0.1:${to} ${kind}`]
        }),
      ),
    ),
  })
}

/**
 * Starts the gateway in front of another service.
 * @param port where it listens
 * @param ports of the auth endpoint and of the protected service
 * @param changes further substitutions in the configuration
 */
export function startGateway(
  port: number,
  { auth, behind }: Readonly<{ auth: number; behind: number }>,
  changes: Readonly<Record<string, string>> = {},
): Promise<Nginx> {
  return start('nginx-forward-auth.conf', port, {
    'listen 8081;': `listen 127.0.0.1:${port};`,
    'server 127.0.0.1:3000 ': `server 127.0.0.1:${auth} `,
    'server 127.0.0.1:4000;': `server 127.0.0.1:${behind};`,
    ...changes,
  })
}

/** A proxy with nginx's defaults: HTTP/1.0 before nginx 1.29.7, its own `Host`, no added header field. */
export function startPlainNginx(port: number, origin: string): Promise<Nginx> {
  return run(port, `server { listen 127.0.0.1:${port}; location / { proxy_pass ${origin}; } }`)
}

async function start(name: string, port: number, substitutions: Readonly<Record<string, string>>): Promise<Nginx> {
  let configuration = readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8')
  for (const [from, to] of Object.entries(substitutions)) {
    assert.equal(configuration.split(from).length, 2, `${from} occurs once`)
    configuration = configuration.replace(from, to)
  }
  return run(port, configuration)
}

async function run(port: number, configuration: string): Promise<Nginx> {
  const folder = temporaryFolder()
  const file = join(folder.path, 'site.conf')
  writeFileSync(file, configuration)
  writeFileSync(join(folder.path, 'nginx.conf'), debianConfiguration(file))
  // When root starts nginx, its workers run as another user.
  chmodSync(folder.path, 0o755)
  const child = spawn('nginx', ['-p', folder.path, '-e', 'error.log', '-c', 'nginx.conf'], { stdio: 'ignore' })
  endsWithTest(child, 'TERM')
  const exited = once(child, 'exit')
  const logs = () => ['access.log', 'error.log'].map((log) => readFileSync(join(folder.path, log), 'utf8')).join('')
  await listens(child, port, 'nginx')
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
