/** The image and the compose file, checked without a container engine: what they name exists and behaves. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { validate } from 'dockerfile-utils'
import { parse } from 'yaml'
import { settings } from '../../src/config/settings.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { serveIn } from '../support/process/served.ts'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const folder = temporaryFolder()
after(() => folder.remove())

describe('the image', () => {
  const dockerfile = read('Dockerfile')
  /** The arguments of every instruction with this keyword, continued lines joined. */
  const instructions = (text: string, word: string) =>
    [
      ...text
        .replaceAll(/^#.*\n/gm, '')
        .replaceAll(/\\\n\s*/g, '')
        .matchAll(new RegExp(`^${word} (.*)$`, 'gm')),
    ].map(([, rest = '']) => rest)
  const [, ofBuild = '', ofImage = ''] = dockerfile.split(/^FROM .*$/m)
  const context = join(folder.path, 'build')

  before(() => {
    const patterns = read('.dockerignore')
      .split('\n')
      .filter((line) => /^[^#]/.test(line))
    // The last matching pattern decides; the file has only whole names of files and folders.
    const isSent = (path: string) => {
      const about = patterns.findLast((line) => line === '*' || `${path}/`.startsWith(`${line.replace('!', '')}/`))
      return about?.startsWith('!') === true
    }
    for (const path of [
      '.env',
      'data/paylink-auth.db',
      'secrets/jwt_secret',
      'node_modules/a/index.js',
      'web/dist/index.html',
      '.git/config',
    ]) {
      assert.ok(!isSent(path), `${path} stays out of the image`)
    }
    const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
    for (const path of tracked.filter((name) => isSent(name) && existsSync(join(root, name))))
      cpSync(join(root, path), join(context, path))
    symlinkSync(join(root, 'node_modules'), join(context, 'node_modules'))
  })

  test('has a Dockerfile in which a linter finds nothing', () => {
    assert.deepEqual(
      validate(dockerfile).map(({ message }) => message),
      [],
    )
    assert.deepEqual(
      validate(dockerfile.replace('--interval', '--intervall')).map(({ message }) => message),
      ['Unknown flag: intervall'],
    )
  })

  test('builds from what the build context contains, with the Node version of the tests', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
    assert.ok(dockerfile.includes(`ARG NODE_VERSION=${devDependencies['node']}\n`))
    const [copied = '', all, ...more] = instructions(ofBuild, 'COPY')
    for (const name of copied.split(' ').slice(0, -1)) assert.ok(existsSync(join(context, name)), name)
    assert.deepEqual([all, more], ['. .', []])
    const [install, ...steps] = instructions(ofBuild, 'RUN')
    assert.equal(install, 'npm ci --ignore-scripts')
    for (const step of steps) {
      const [program = '', ...args] = JSON.parse(step) as string[]
      execFileSync(program.replace('/usr/local/bin/node', process.execPath), args, { cwd: context, stdio: 'inherit' })
    }
    assert.deepEqual(instructions(ofImage, 'COPY'), ['--from=build /build/dist /app'])
  })

  test('runs its entry point as an unprivileged user, and its health check reports whether the service runs', async () => {
    const { bin } = JSON.parse(readFileSync(join(context, 'dist/package.json'), 'utf8')) as {
      bin: Record<string, string>
    }
    const entry = `/app/${bin['paylink-auth']}`
    assert.deepEqual(
      instructions(ofImage, 'ENTRYPOINT').map((line) => JSON.parse(line)),
      [['node', '--max-semi-space-size=8', '--max-old-space-size=512', '--no-allocation-site-pretenuring', entry]],
    )
    assert.deepEqual(
      instructions(ofImage, 'CMD').map((line) => JSON.parse(line)),
      [['serve']],
    )
    assert.equal(instructions(ofImage, 'USER').at(-1), '1000:1000')
    const [, check = ''] = /CMD (\[.*\])$/.exec(instructions(ofImage, 'HEALTHCHECK')[0] ?? '') ?? []
    const [, ...args] = JSON.parse(check) as string[]
    const port = String(await freePort())
    const checked = async () => {
      const child = spawn(process.execPath, args, { env: { PORT: port }, stdio: 'inherit' })
      return (await once(child, 'close'))[0] as number
    }
    assert.equal(await checked(), 1)
    const service = await serveIn(folder.path, { PORT: port }, [
      process.execPath,
      join(context, 'dist', entry.replace('/app/', '')),
    ])
    assert.equal(await checked(), 0)
    await service.stop()
  })
})

describe('the compose file', () => {
  type ComposeService = Readonly<{
    image: string
    environment?: Record<string, string>
    secrets?: string[]
    depends_on?: Record<string, { condition: string }>
    networks: Record<string, { ipv4_address?: string } | null> | string[]
    volumes?: string[]
    command?: string[]
    read_only?: boolean
    cap_drop?: string[]
    security_opt?: string[]
    logging?: Readonly<{ driver: string; options: Record<string, string> }>
  }>
  const { services, secrets } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, ComposeService>
    secrets: Record<string, { file: string }>
  }
  const ours = Object.keys(services).filter((name) => name.startsWith('paylink-auth'))
  const addressOf = (name: string) =>
    (services[name]?.networks as Record<string, { ipv4_address?: string }> | undefined)?.['web']?.ipv4_address

  test('confines every container and starts it after its dependencies are healthy', () => {
    assert.deepEqual(Object.keys(services), ['postgres', 'paylink-auth-1', 'paylink-auth-2', 'nginx'])
    for (const [
      name,
      { read_only: isReadOnly, cap_drop: dropped, security_opt: options, image, depends_on: needs = {}, logging },
    ] of Object.entries(services)) {
      assert.deepEqual([isReadOnly, dropped, options], [true, ['ALL'], ['no-new-privileges:true']], name)
      assert.deepEqual(Object.keys(logging?.options ?? {}), ['max-size', 'max-file'], `${name} has a bounded log`)
      for (const [needed, { condition }] of Object.entries(needs))
        assert.deepEqual([condition, needed in services], ['service_healthy', true], name)
      if (image !== 'paylink-auth') assert.match(image, /:\d/, `${name} has a version tag`)
    }
    assert.deepEqual(Object.keys(services['nginx']?.depends_on ?? {}), ours)
  })

  test('with the secrets in files, gives the service all of its settings', () => {
    const examples: Record<string, string> = {
      jwt_secret: 'mB7rVq2xW0sTz9LdKf5hYc8nGp3uJe6aRiXoQwEt1ZvN4CyU',
      database_url: 'postgres://paylink:PASSWORD@postgres/paylink?sslmode=disable',
      smtp_url: 'smtps://user:password@smtp.example.com:465',
    }
    assert.ok(read('compose.yaml').includes(`# ${examples['database_url']}:`))
    const names = new Set(
      Object.values(settings).flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])),
    )
    for (const name of ours) {
      const { environment = {}, secrets: given = [] } = services[name] ?? {}
      assert.deepEqual(
        Object.keys(environment).filter((setting) => !names.has(setting)),
        [],
      )
      assert.equal(environment['TRUST_PROXY'], addressOf('nginx'))
      for (const secret of given) {
        assert.deepEqual(secrets[secret], { file: `./secrets/${secret}` })
        writeFileSync(join(folder.path, secret), `${examples[secret]}\n`)
      }
      const asGiven = Object.entries({ ...environment, PUBLIC_URL: 'https://auth.example.com', NODE_ENV: 'production' })
      const there = Object.fromEntries(asGiven.map(([key, value]) => [key, value.replace('/run/secrets', folder.path)]))
      assert.equal(loadConfig(there, assert.fail).database.kind, 'postgres')
    }
  })

  test('lets nginx balance both processes, with the tested configuration', () => {
    const { command = [], volumes } = services['nginx'] ?? {}
    assert.deepEqual(volumes, ['./deploy/nginx.conf:/etc/paylink-auth/nginx.conf:ro'])
    const site = join(folder.path, 'site.conf')
    const [script = ''] = command
    assert.match(script, /^exec nginx -g 'daemon off;'$/m)
    const here = script
      .replace('/etc/paylink-auth/nginx.conf', join(root, 'deploy/nginx.conf'))
      .replace('/etc/nginx/conf.d/default.conf', site)
    execFileSync('/bin/sh', ['-euc', here.replace(/^exec nginx.*$/m, '')])
    const made = readFileSync(site, 'utf8')
    const asked = [...made.matchAll(/^ *server ([\d.:]+) (backup)?/gm)].map(
      ([, address, backup = '']) => `${address} ${backup}`,
    )
    const both = ours.map((name) => `${addressOf(name)}:3000`)
    assert.deepEqual(asked, [...both.map((address) => `${address} `), ...both.map((address) => `${address} backup`)])
    assert.match(made, /access_log \/dev\/stdout paylink_auth;/)
    assert.match(made, /listen 8080;/)
    const around = `pid ${folder.path}/pid; events {} http { ${made.replace('/dev/stdout', `${folder.path}/log`)} }`
    writeFileSync(join(folder.path, 'nginx.conf'), around)
    execFileSync('nginx', ['-t', '-q', '-e', join(folder.path, 'errors'), '-c', join(folder.path, 'nginx.conf')], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  })
})
