/** The published client installs into an empty project, type-checks there, and runs on every listed runtime. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { build } from 'vite'
import { startBrowser } from '../support/browser/browser.ts'
import { endsWithTest } from '../support/process/ends-with-test.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import type { Found, Given } from '../support/sdk/sdk-program.ts'
import { createKey } from '../support/accounts/keys.ts'
import { serving } from '../support/http/serving.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { startMisbehavingServer } from '../support/sdk/misbehaving-server.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dirname, '../..')
const runtimes = join(root, 'sdk/runtimes/node_modules')
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  devDependencies: Record<string, string>
}

const expected: Found = {
  email: 'shop@example.com',
  currency: 'EUR',
  title: 'Logo',
  isUnknown: true,
  sentAgain: { amount: 1050, title: 'Logo' },
  waited: 'now',
  redirect: 'UnexpectedAnswerError',
  page: 'UnexpectedAnswerError',
  late: 'ConnectionError',
  givenUp: 'TimeoutError',
  wrongSecret: 'INVALID_CREDENTIALS',
  printed: '{}',
}

const folder = temporaryFolder()
const project = join(folder.path, 'project')
const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

before(() => {
  const packed = npm(join(root, 'sdk'), 'pack', '--silent', '--pack-destination', folder.path).trim()
  cpSync(join(root, 'sdk/.npmrc'), join(project, '.npmrc'))
  writeFileSync(join(project, 'package.json'), '{ "name": "a-program", "private": true, "type": "module" }')
  npm(project, 'install', '--silent', '--prefer-offline', join(folder.path, packed))
})
after(() => folder.remove())

test('it contains openapi-fetch, compiled code and types, and no source', () => {
  const installed = globSync('node_modules/{[!.@]*,@*/*}', { cwd: project }).map((path) =>
    path.replace('node_modules/', ''),
  )
  assert.deepEqual(installed.toSorted(), ['@paylink-auth/client', 'openapi-fetch', 'openapi-typescript-helpers'])
  const { version } = JSON.parse(readFileSync(join(project, 'node_modules/openapi-fetch/package.json'), 'utf8')) as {
    version: string
  }
  assert.equal(version, devDependencies['openapi-fetch'], 'it is tested with the version it ships with')
  const shipped = globSync('**/*', { cwd: join(project, 'node_modules/@paylink-auth/client') }).filter((path) =>
    /\.\w+$/.test(path),
  )
  for (const path of shipped) assert.match(path, /^(dist\/[\w/-]+(\.d\.ts|\.js)|package\.json|README\.md)$/)
})

test('its types, errors and public operations are exactly those of openapi.json', () => {
  execFileSync(process.execPath, [join(root, 'sdk/generate/generate.ts'), '--check-whole'])
})

test('it type-checks in a strict project without skipLibCheck, with this compiler and the previous one, and rejects wrong use', () => {
  for (const name of ['@types', 'express', 'fastify', 'hono'])
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
  writeFileSync(join(project, 'program.ts'), programThatUsesTypes)
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'es2022',
        module: 'nodenext',
        noEmit: true,
        types: ['node'],
        exactOptionalPropertyTypes: true,
      },
      files: ['program.ts'],
    }),
  )
  for (const tsc of ['node_modules/.bin/tsc', 'sdk/generate/node_modules/.bin/tsc']) {
    execFileSync(join(root, tsc), ['-p', project], { stdio: ['ignore', 'inherit', 'inherit'] })
  }
})

const programThatUsesTypes = `
import { createClient, RateLimitedError } from '@paylink-auth/client'
import type { ApiKey, Currency, ErrorCode, Money, PaymentLink, User } from '@paylink-auth/client'
import { paylinkAuth as forExpress } from '@paylink-auth/client/express'
import { paylinkAuth as forFastify } from '@paylink-auth/client/fastify'
import { paylinkAuth as forHono } from '@paylink-auth/client/hono'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'

const baseUrl = 'https://auth.example.com/api/v1'
const client = createClient({ baseUrl, keyId: 'plk_a', keySecret: 'pls_a', currency: 'EUR' })
const { data } = await client.POST('/payment-links', { body: { amount: 1050, title: 'Logo' } })
const link: PaymentLink = data.paymentLink
const original: Money = link.original
const inCurrency: Currency = original.currency
const keys: ApiKey[] = (await client.GET('/auth/api-keys')).data.apiKeys
const user: User = (await client.GET('/users/me')).data.user
const code: ErrorCode = 'RATE_LIMITED'
const page = await client.GET('/payment-links', { params: { query: { limit: 10 } } })
await client.POST('/auth/api-keys/{id}/revoke', { params: { path: { id: 'a' }, query: { withDescendants: true } } })
// @ts-expect-error a number
await client.GET('/payment-links', { params: { query: { limit: '10' } } })
// @ts-expect-error no such path
await client.GET('/payment-link')
// @ts-expect-error no such method of it
await client.DELETE('/payment-links/{id}', { params: { path: { id: 'a' } } })
// @ts-expect-error the path needs its id
await client.GET('/payment-links/{id}')
// @ts-expect-error the body needs its title
await client.POST('/payment-links', { body: { amount: 1050 } })
// @ts-expect-error it takes a form
await client.POST('/oauth/introspect', { body: { token: 'a' } })
// @ts-expect-error no such currency
createClient({ baseUrl, currency: 'USD' })
// @ts-expect-error half a key
createClient({ baseUrl, keyId: 'plk_a' })
// @ts-expect-error a key and a token
createClient({ baseUrl, keyId: 'plk_a', keySecret: 'pls_a', token: 'a' })
const seconds = (error: RateLimitedError): number | null => error.retryAfterSeconds

const app = express()
app.use(forExpress({ baseUrl }))
app.get('/', (request, response) => void response.json(request.auth?.apiKeyId))
const server = fastify()
await server.register(forFastify, { baseUrl })
server.get('/', async (request) => request.auth.userId satisfies string)
new Hono().use(forHono({ baseUrl })).get('/', (c) => c.json(c.var.auth.currency satisfies 'RON' | 'EUR' | 'GBP'))
export { code, inCurrency, keys, page, seconds, user }
`

describe('it runs', { concurrency: true }, () => {
  let service: Service
  let person: string
  let troublesomeUrl: string
  let page: string
  const exchanges: unknown[] = []
  const ends: (() => unknown)[] = []

  before(async () => {
    const lifetime = { after: (end: () => unknown) => void ends.push(end) }
    page = (
      await serving(lifetime, (request, response) => {
        const isCode = request.url === '/program.js'
        response.writeHead(200, { 'content-type': isCode ? 'text/javascript' : 'text/html' })
        response.end(
          isCode ? readFileSync(join(project, 'browser/program.js')) : '<!doctype html><link rel="icon" href="data:,">',
        )
      })
    ).url
    service = await startService({ APP_URL: page }, (app) => {
      app.addHook(
        'preHandler',
        async ({ url, body }) =>
          void (url.endsWith('/auth/api/token') && exchanges.push((body as { keyId: string }).keyId)),
      )
    })
    person = await service.signIn('shop@example.com')
    troublesomeUrl = (await startMisbehavingServer(lifetime)).url
    cpSync(join(root, 'test/support/sdk/sdk-program.ts'), join(project, 'sdk-program.ts'))
    const opening = "import * as sdk from '@paylink-auth/client'\nimport { program } from './sdk-program.ts'\n"
    writeFileSync(
      join(project, 'main.ts'),
      `${opening}import process from 'node:process'\nconsole.log(JSON.stringify(await program(sdk, JSON.parse(process.argv[2]))))\n`,
    )
    writeFileSync(join(project, 'page.ts'), `${opening}globalThis.run = (given) => program(sdk, given)\n`)
    writeFileSync(
      join(project, 'worker.ts'),
      `${opening}export default { fetch: async (request) => Response.json(request.method === 'POST' && (await program(sdk, await request.json()))) }\n`,
    )
  })
  after(async () => {
    for (const end of ends) await end()
    await service.close()
  })

  async function assertRuns(name: string, run: (given: string) => Promise<Found>): Promise<void> {
    const { apiKey, keySecret } = await createKey(service, person)
    const given: Given = {
      baseUrl: service.baseUrl,
      keyId: apiKey.keyId,
      keySecret,
      troublesomeUrl: `${troublesomeUrl}/${name}`,
    }
    assert.deepEqual(await run(JSON.stringify(given)), expected)
    const { length } = exchanges.filter((keyId) => keyId === apiKey.keyId)
    assert.equal(length, 2, 'one exchange for three concurrent calls, and one with a wrong secret')
  }

  const printed =
    (command: string, ...args: string[]) =>
    async (given: string): Promise<Found> => {
      const child = spawn(command, [...args, 'main.ts', given], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] })
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()))
      const [code] = await once(child, 'close')
      assert.equal(code, 0, output)
      return JSON.parse(output) as Found
    }

  async function bundle(name: string): Promise<void> {
    const lib = { entry: join(project, `${name}.ts`), formats: ['es' as const], fileName: () => 'program.js' }
    await build({
      configFile: false,
      root: project,
      logLevel: 'error',
      build: { lib, outDir: join(project, name === 'page' ? 'browser' : 'worker'), minify: true },
    })
  }

  test('in Node', () => assertRuns('node', printed(process.execPath)))
  test('in the oldest supported Node', async () => {
    const node = join(runtimes, '.bin/node')
    const { engines } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8')) as {
      engines: { node: string }
    }
    assert.ok(execFileSync(node, ['--version'], { encoding: 'utf8' }).startsWith(engines.node.replace('>=', 'v')))
    await assertRuns('oldest-node', printed(node))
  })
  test('in Bun', () => assertRuns('bun', printed(join(runtimes, '.bin/bun'), 'run')))
  test('in Deno', () =>
    assertRuns(
      'deno',
      printed(join(runtimes, '.bin/deno'), 'run', '--no-check', '--cached-only', '--allow-net=127.0.0.1'),
    ))

  test("in a browser, minified, from the frontend's origin", async () => {
    await bundle('page')
    const browser = await startBrowser()
    try {
      const tab = await browser.newPage()
      await tab.goto(page)
      await tab.addScriptTag({ type: 'module', url: '/program.js' })
      await assertRuns('browser', (given) => tab.evaluate<Found>(`run(${given})`))
    } finally {
      await browser.close()
    }
  })

  test('in an edge worker (workerd)', async () => {
    await bundle('worker')
    const port = await freePort()
    writeFileSync(
      join(project, 'worker/config.capnp'),
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["local"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const worker :Workerd.Worker = (modules = [(name = "program.js", esModule = embed "program.js")], compatibilityDate = "2026-01-01");
`,
    )
    // The package exports its binary's path; its command would start another process first.
    const { default: binary } = createRequire(join(root, 'sdk/runtimes/package.json'))('workerd') as { default: string }
    const workerd = spawn(binary, ['serve', 'config.capnp'], {
      cwd: join(project, 'worker'),
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    endsWithTest(workerd, 'KILL')
    const closed = once(workerd, 'close')
    try {
      const url = `http://127.0.0.1:${port}/`
      await until(
        () =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        'workerd',
      )
      await assertRuns(
        'worker',
        async (given) => (await fetch(url, { method: 'POST', body: given })).json() as Promise<Found>,
      )
    } finally {
      workerd.kill()
      await closed
    }
  })
})
