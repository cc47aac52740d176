/** Caddy and HAProxy with the configuration files of the repository. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endsWithTest } from '../process/ends-with-test.ts'
import { freePort, temporaryFolder } from '../files.ts'
import { listens } from '../http/listens.ts'

type Ports = Readonly<{ auth: number; behind: number }>

export type Gateway = Readonly<{ origin: string; stop(): Promise<void> }>

type Substitutions = Readonly<Record<string, (port: number, folder: string) => string>>
type Start = (ports: Ports) => Promise<Gateway>

/** Starts each gateway for the given ports. */
export const gateways: Readonly<Record<string, Start>> = { Caddy: caddy(), HAProxy: haproxy() }

/** The same, speaking HTTP/2 without TLS. HAProxy does so by itself, and can be told to speak nothing else. */
export const http2Gateways: Readonly<Record<string, Start>> = {
  Caddy: caddy({ 'admin off': () => 'admin off\nservers {\nprotocols h1 h2 h2c\n}' }),
  HAProxy: haproxy(),
  'HAProxy, HTTP/2 only': haproxy({ 'bind :8081': (port) => `bind 127.0.0.1:${port} proto h2` }),
}

function caddy(more: Substitutions = {}): Start {
  const substitutions: Substitutions = { 'http://:8081': (port) => `http://:${port}`, ...more }
  return (ports) =>
    start(ports, ['forward-auth.Caddyfile'], substitutions, (folder) => [
      'caddy',
      'run',
      '--config',
      join(folder, 'forward-auth.Caddyfile'),
      '--adapter',
      'caddyfile',
    ])
}

function haproxy(more: Substitutions = {}): Start {
  const substitutions: Substitutions = {
    'bind :8081': (port) => `bind 127.0.0.1:${port}`,
    '/etc/haproxy/haproxy-forward-auth.lua': (_, folder) => join(folder, 'haproxy-forward-auth.lua'),
    ...more,
  }
  return (ports) =>
    start(ports, ['haproxy-forward-auth.cfg', 'haproxy-forward-auth.lua'], substitutions, (folder) => [
      'haproxy',
      '-db',
      '-f',
      join(folder, 'haproxy-forward-auth.cfg'),
    ])
}

async function start(
  ports: Ports,
  files: readonly string[],
  substitutions: Substitutions,
  command: (folder: string) => readonly string[],
): Promise<Gateway> {
  const folder = temporaryFolder()
  const port = await freePort()
  const texts = files.map((name) => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8'))
  for (const from of [...Object.keys(substitutions), '127.0.0.1:3000', '127.0.0.1:4000'])
    assert.ok(
      texts.some((text) => text.includes(from)),
      from,
    )
  for (const [index, text] of texts.entries()) {
    let configuration = text
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.auth}`)
      .replaceAll('127.0.0.1:4000', `127.0.0.1:${ports.behind}`)
    for (const [from, to] of Object.entries(substitutions))
      configuration = configuration.replace(from, to(port, folder.path))
    writeFileSync(join(folder.path, files[index] ?? ''), configuration)
  }
  const [program = '', ...options] = command(folder.path)
  const child = spawn(program, options, { stdio: 'ignore', env: { ...process.env, HOME: folder.path } })
  endsWithTest(child, 'KILL')
  const exited = once(child, 'exit')
  await listens(child, port, program)
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGKILL')
      await exited
      folder.remove()
    },
  }
}
