/** The shipped package installs without dependencies and runs on the oldest supported Node. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { callAt } from '../support/http/call.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { startPostgres } from '../support/postgres/postgres-server.ts'
import { runCli } from '../support/process/process.ts'
import { serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { linkIn, startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'

/** The minimum of `engines` in package.json. */
const OLDEST_NODE = '24.21.0'

const root = join(import.meta.dirname, '../..')
const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
  engines: { node: string }
}
const folder = temporaryFolder()
const project = join(folder.path, 'project')
const installed = join(project, 'node_modules/paylink-auth')
let packed: string
const npx = ['npx', '--silent', '--no-install', 'paylink-auth']

const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
const emptyProject = (name: string): string => {
  const path = join(folder.path, name)
  mkdirSync(path)
  writeFileSync(join(path, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }')
  return path
}
const builtPackage = (): string => {
  npm(root, 'run', '--silent', 'build')
  return join(folder.path, npm(root, 'pack', './dist', '--silent', '--pack-destination', folder.path).trim())
}
const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

before(() => {
  packed = builtPackage()
  const digest = digestOf(packed)
  assert.equal(digestOf(builtPackage()), digest, 'the build is reproducible')
  npm(emptyProject('project'), 'install', '--silent', '--offline', packed)
})
after(() => folder.remove())

test("it has no dependencies, and consists of compiled code, built pages and the operator's files", () => {
  assert.deepEqual(
    readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['paylink-auth'],
  )
  const files = globSync('**/{*,.*}', { cwd: installed, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1))
  const known = [
    /^(package\.json|paylink-auth\.js|THIRD-PARTY-NOTICES\.txt|sbom\.cdx\.json|openapi\.json|\.env\.example|(README|CHANGELOG|SECURITY)\.md)$/,
    /^chunks\/[\w.-]+\.js$/,
    /^web\/dist\/(index\.(en|ro)\.html|pages\.json|assets\/[\w.-]+\.(js|css|svg)(\.(br|gz))?)$/,
    /^web\/dist\/documentation\/([\w-]+\/)*[\w-]+\.(html|md|txt|css|svg|conf|cfg|lua|env|service|timer|yml|yaml|Caddyfile)$/,
    /^web\/dist\/documentation\/docs\/assets\/[\w-]+\.(js|json)$/,
    /^web\/dist\/pay\.html$/,
    /^src\/dev\/[a-z-]+\.(css|js)$/,
    /^src\/(database\/sqlite\/log\/(checkpoint|sync)|mail\/smtp)-thread\.js$/,
    /^docs\/([a-z-]+\/)?[\w-]+\.(md|webp)$/,
    /^deploy\/[a-z-]+\.(conf|cfg|lua|env|service|timer|yml|Caddyfile)$/,
  ]
  assert.deepEqual(
    paths.filter((path) => !known.some((pattern) => pattern.test(path))),
    [],
  )
  for (const needed of [
    'paylink-auth.js',
    'web/dist/index.en.html',
    'web/dist/index.ro.html',
    'web/dist/pages.json',
    'web/dist/pay.html',
    'src/dev/page.css',
    'src/database/sqlite/log/checkpoint-thread.js',
    'src/database/sqlite/log/sync-thread.js',
    'src/mail/smtp-thread.js',
    'docs/operations.md',
  ])
    assert.ok(paths.includes(needed), needed)
  for (const path of paths)
    assert.ok(
      !readFileSync(join(installed, path), 'latin1').includes(root),
      `${path} names the machine it was built on`,
    )
})

test('its code is Latin-1: any other character makes V8 store the whole file with two bytes per character', () => {
  for (const path of globSync(['paylink-auth.js', 'chunks/*.js'], { cwd: installed })) {
    assert.doesNotMatch(readFileSync(join(installed, path), 'utf8'), /[^\u0000-\u00ff]/, path)
  }
})

test('it lists its bundled packages with all their notices, and does not contain the stand-in for Google', () => {
  const { components } = JSON.parse(readFileSync(join(installed, 'sbom.cdx.json'), 'utf8')) as {
    components: { name: string; version: string }[]
  }
  const notices = readFileSync(join(installed, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
  const names = new Set(components.map(({ name }) => name))
  for (const name of ['fastify', 'kysely', 'fast-jwt', 'pg', 'preact', 'minisearch']) assert.ok(names.has(name), name)
  assert.ok(!names.has('oidc-provider'))
  const texts = notices.split(/^-{78}$/m).slice(1)
  assert.equal(texts.length, components.length)
  for (const [index, { name, version: its }] of components.entries()) {
    assert.ok(texts[index]?.trim().startsWith(`${name} ${its} (`), name)
    assert.match(texts[index] ?? '', /permission|redistribution/i, name)
  }
})

test('on an older Node it says so and exits', async () => {
  const older = join(root, 'sdk/runtimes/node_modules/.bin/node')
  const refused = await runCli(['serve'], { cwd: folder.path, command: [older, join(installed, 'paylink-auth.js')] })
    .exited
  assert.equal(refused.code, 1)
  assert.match(refused.output, /^paylink-auth needs Node 24 or newer; this is v22\.[\d.]+\.\n$/)
  assert.ok(!existsSync(join(folder.path, 'data')))
})

test('without settings it is a development service: help, version, pages, mailbox', async () => {
  const run = (...args: string[]) => runCli(args, { cwd: project, command: npx }).exited
  const [help, its] = await Promise.all([run('--help'), run('--version')])
  assert.match(help.output, /^Usage: paylink-auth COMMAND/)
  assert.equal(its.output, `${version}\n`)
  const port = String(await freePort())
  const origin = `http://127.0.0.1:${port}`
  const service = runCli(['serve'], { cwd: project, env: { PORT: port }, command: ['setsid', ...npx] })
  // In the lines after "is listening on".
  await service.waitFor('Google  is not configured')
  await assertServesPeople(origin)
  assert.equal((await callAt(origin, 'POST /api/v1/auth/request', { body: { email: 'ana@example.com' } })).status, 200)
  assert.match((await callAt(origin, 'GET /dev/mailbox')).text, /href="\/dev\/page.css"/)
  assert.equal((await callAt(origin, 'GET /dev/page.css')).status, 200)
  // Like Ctrl+C on a terminal: the signal goes to the process group.
  process.kill(-(service.child.pid ?? 0), 'SIGINT')
  assert.match((await service.exited).output, /"msg":"closed"/)
})

async function assertServesPeople(origin: string): Promise<void> {
  const page = await callAt(origin, 'GET /')
  assert.equal(page.status, 200)
  const [asset = ''] = /\/assets\/[\w-]+\.js/.exec(page.text) ?? []
  assert.equal((await callAt(origin, `GET ${asset}`)).status, 200)
  assert.match((await callAt(origin, 'GET /docs/operations')).text, /<h1/)
  assert.equal((await callAt(origin, 'GET /api/v1/openapi.json')).body.info.version, version)
}

describe('in production', () => {
  let smtp: SmtpStandIn
  before(async () => void (smtp = await startSmtp()))
  after(() => smtp.close())

  const settings = () => ({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://auth.example.com',
    JWT_SECRET: 'mB7rVq2xW0sTz9LdKf5hYc8nGp3uJe6aRiXoQwEt1ZvN4CyU',
    SMTP_URL: smtp.url,
  })

  async function assertSignsIn(service: Served, email: string): Promise<void> {
    await assertServesPeople(service.origin)
    assertError(await callAt(service.origin, 'GET /dev/mailbox'), 'NOT_FOUND')
    const signedUp = await service.call('POST /auth/api/signup', { body: { email } })
    assert.equal(signedUp.status, 201, signedUp.text)
    const body = { keyId: signedUp.body.apiKey.keyId, keySecret: signedUp.body.keySecret }
    const { token } = (await service.call('POST /auth/api/token', { body })).body
    assert.equal((await service.call('GET /users/me', { token })).body.user.email, email)
    assert.equal((await service.call('POST /auth/request', { body: { email } })).status, 200)
    const link = linkIn(await smtp.mailTo(email, undefined, '/auth/verify'))
    assert.equal((await callAt(service.origin, `GET ${link.pathname}${link.search}`)).status, 200)
    assertError(await service.call('GET /users/me', { token }), 'UNAUTHORIZED')
  }

  test('on SQLite, with the oldest supported Node', async () => {
    assert.equal(engines.node, `>=${OLDEST_NODE.split('.')[0]}`)
    const oldest = emptyProject('oldest')
    npm(oldest, 'install', '--silent', '--prefer-offline', `node@${OLDEST_NODE}`)
    const node = join(oldest, 'node_modules/.bin/node')
    assert.equal(execFileSync(node, ['--version'], { encoding: 'utf8' }), `v${OLDEST_NODE}\n`)
    const env = { ...settings(), DATA_DIR: 'data-of-production' }
    // As under a process manager: npm forwards no signal.
    const command = [node, join(installed, 'paylink-auth.js')]
    const migrated = await runCli(['migrate'], { cwd: project, env, command }).exited
    assert.match(migrated.output, /^Applied /m)
    assert.equal(migrated.code, 0)
    const service = await serveIn(project, env, command)
    await assertSignsIn(service, 'oldest@example.com')
    await service.stop()
    assert.ok(existsSync(join(project, 'data-of-production/paylink-auth.db')))
    assert.ok(!existsSync(join(project, 'data-of-production/paylink-auth.db-wal')), 'it shut down on the signal')
  })

  test('on PostgreSQL', async () => {
    const postgres = await startPostgres()
    try {
      // Unpacked and linked as docs/operations.md describes.
      const unpacked = join(folder.path, 'opt')
      const command = join(folder.path, 'paylink-auth')
      mkdirSync(unpacked)
      execFileSync('tar', ['-xzf', packed, '--no-same-owner', '--strip-components=1', '-C', unpacked])
      symlinkSync(join(unpacked, 'paylink-auth.js'), command)
      const service = await serveIn(folder.path, { ...settings(), DATABASE_URL: postgres.url }, [command])
      await assertSignsIn(service, 'postgres@example.com')
      await service.stop()
      assert.equal(await postgres.connections(), 0)
    } finally {
      await postgres.remove()
    }
  })
})
