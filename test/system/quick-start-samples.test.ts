/** The programs that the quick start shows, run as a reader runs them. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { request as forward } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/files.ts'
import { selfSigned } from '../support/http/certificate.ts'
import { serving } from '../support/http/serving.ts'
import { assertAccessible } from '../support/browser/web-checks.ts'
import { dialogOf, press, webKeys } from '../support/browser/web-keys.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'
import type { Sample, Values } from '../../web/src/samples/sample.ts'
import { samples } from '../../web/src/samples/samples.ts'

const root = join(import.meta.dirname, '../..')
const tsc = join(root, 'node_modules/.bin/tsc')
const folder = temporaryFolder()
const { cert, key } = selfSigned()
const certificate = join(folder.path, 'service.crt')
let web: Web

before(async () => {
  web = await startWeb()
  writeFileSync(certificate, cert)
  // The client as it is packed, where `npm install` puts it. Not built in its own folder, which other tests read.
  const client = join(folder.path, 'node_modules/@paylink-auth/client')
  mkdirSync(client, { recursive: true })
  cpSync(join(root, 'sdk/package.json'), join(client, 'package.json'))
  execFileSync(tsc, ['-p', join(root, 'sdk/tsconfig.build.json'), '--outDir', join(client, 'dist')])
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    cpSync(join(root, 'node_modules', name), join(folder.path, 'node_modules', name), { recursive: true })
  }
  writeFileSync(join(folder.path, 'package.json'), '{ "name": "a-program", "private": true }')
  // Debian's package gccgo names the command after its version.
  mkdirSync(join(folder.path, 'bin'))
  symlinkSync(
    execFileSync('sh', ['-c', 'command -v go || ls /usr/bin/go-[0-9]*'], { encoding: 'utf8' }).trim(),
    goPath(),
  )
})
after(async () => {
  await web.stop()
  folder.remove()
})

const goPath = (): string => join(folder.path, 'bin/go')

type Outcome = Readonly<{ code: number; stdout: string; stderr: string }>

/** Saves the program under the name that the page gives it, and runs the command that the page shows. */
async function run({ file }: Pick<Sample, 'file'>, command: string, program: string): Promise<Outcome> {
  writeFileSync(join(folder.path, file), program)
  const env = {
    PATH: `${join(folder.path, 'bin')}:${join(process.execPath, '..')}:${process.env['PATH']}`,
    HOME: folder.path,
    // Each language has its own way to trust a certificate.
    CURL_CA_BUNDLE: certificate,
    NODE_EXTRA_CA_CERTS: certificate,
    SSL_CERT_FILE: certificate,
  }
  const options = { cwd: folder.path, env }
  return promisify(execFile)('sh', ['-c', command], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Outcome) => ({ code, stdout, stderr }),
  )
}

const runSample = (sample: Sample, values: Values): Promise<Outcome> => run(sample, sample.run, sample.program(values))

const linksOf = async (token: string): Promise<readonly { url: string; title: string }[]> =>
  (await web.callApi('GET /payment-links', { token })).body.paymentLinks

test('the page fills a new key into every program, and each program as shown creates the payment link', async () => {
  const { page, token, assertClean } = await webKeys(web).openAccount('samples')
  await page.goto('/dashboard/quick-start')
  await press(page, 'Create a key and fill it in')
  await press(dialogOf(page), 'Create key')
  await page.getByRole('button', { name: 'I have stored the secret' }).waitFor()
  await assertAccessible(page, 'the quick start with a key')
  const urls = new Set<string>()
  for (const [index, sample] of samples.entries()) {
    const tab = page.getByRole('tab', { name: sample.language, exact: true })
    if (index === 0) await tab.focus()
    else await page.keyboard.press('ArrowRight')
    assert.equal(await tab.getAttribute('aria-selected'), 'true', sample.language)
    const shown = await page.getByRole('tabpanel').locator('pre').innerText()
    const command = await page.getByRole('tabpanel').locator('p > code').first().innerText()
    const { code, stdout, stderr } = await run(sample, command, shown)
    assert.equal(code, 0, `${sample.language}: ${stdout}${stderr}`)
    assert.equal(stderr, '', sample.language)
    urls.add(stdout.trimEnd())
  }
  const links = await linksOf(token)
  assert.deepEqual(
    [...urls],
    links.map(({ url }) => url),
    'all show the one link: each repeats the first call',
  )
  assert.equal(links.length, 1)
  await assertClean()
})

test('the TypeScript program has no type error', async () => {
  const sample = samples.find(({ language }) => language === 'TypeScript')
  assert.ok(sample)
  writeFileSync(
    join(folder.path, sample.file),
    sample.program({ baseUrl: 'https://a.example/api/v1', keyId: 'a', keySecret: 'b' }),
  )
  const flags = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'esnext',
    '--module',
    'nodenext',
    '--types',
    'node',
  ]
  symlinkSync(join(root, 'node_modules/@types'), join(folder.path, 'node_modules/@types'))
  const { stdout } = await promisify(execFile)(tsc, [...flags, sample.file], {
    cwd: folder.path,
  }).catch(({ stdout: problems }: Outcome) => ({ stdout: problems }))
  assert.equal(stdout, '')
})

describe('every program', { concurrency: 1 }, () => {
  for (const sample of samples) {
    test(`in ${sample.language} works over TLS, reports a refusal, and sends any secret unchanged`, async (t) => {
      const keys = webKeys(web)
      const { token } = await accountOf(sample.language)
      const made = await keys.make(token, 'Program')
      const proxy = await startTlsProxy(t)
      const created = await runSample(sample, { baseUrl: `${proxy}/api/v1`, ...made })
      assert.equal(created.code, 0, created.stderr)
      assert.deepEqual(
        (await linksOf(token)).map(({ url }) => `${url}\n`),
        [created.stdout],
      )

      const refused = await runSample(sample, { baseUrl: `${proxy}/api/v1`, ...made, keySecret: 'pls_wrong' })
      assert.notEqual(refused.code, 0)
      assert.match(refused.stderr, /INVALID_CREDENTIALS/)
      assert.match(
        refused.stderr + refused.stdout,
        /request.*[\da-f]{8}-[\da-f]{4}/s,
        'which the page says support needs',
      )
      assert.doesNotMatch(refused.stderr + refused.stdout, /pls_wrong/)

      const secret = String.raw`pls_'"\ \\ \' $HOME ${'`'}id${'`'} $(id) {0} %s \n \u0041 #{a} !x é`
      const { url, requests } = await serving(t, (_request, response) => void response.writeHead(401).end('{}'))
      await runSample(sample, { baseUrl: `${url}/api/v1`, keyId: 'plk_a', keySecret: secret })
      const [exchange = '', ...others] = requests
      assert.equal(exchange.split(' ', 2).join(' '), 'POST /api/v1/auth/api/token')
      assert.deepEqual(JSON.parse(exchange.slice(exchange.indexOf('{'))), { keyId: 'plk_a', keySecret: secret })
      assert.deepEqual(others, [], 'nothing follows a refusal')

      const unreachable = await runSample(sample, { baseUrl: 'http://127.0.0.1:9/api/v1', ...made })
      assert.notEqual(unreachable.code, 0)
      assert.ok(!unreachable.stderr.includes(made.keySecret))
      assert.ok(unreachable.stderr.trim().split('\n').length <= 3, unreachable.stderr)
    })
  }
})

async function accountOf(language: string): Promise<Readonly<{ token: string }>> {
  return { token: await web.signInWithGoogle(`${language.toLowerCase()}@gmail.com`, language) }
}

async function startTlsProxy(t: { after(end: () => void): void }): Promise<string> {
  const server = createServer({ cert, key }, (request, response) => {
    const { method, headers, url } = request
    const onwards = forward(web.origin + (url ?? ''), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onwards)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}
