/** The OAuth programs of docs/programs.md run as they are printed, against this service. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { appendFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { ask, decide, startApp } from '../support/accounts/apps.ts'
import { introspectingKey } from '../support/accounts/introspecting-key.ts'
import { createKey, tokenOf } from '../support/accounts/keys.ts'
import { temporaryFolder } from '../support/files.ts'
import { blocksOf } from '../support/process/documented-commands.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

const run = promisify(execFile)

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const root = join(import.meta.dirname, '../..')

/** The example with a text, as a program. @param changes by what is printed */
function programWith(t: TestContext, text: string, changes: Readonly<Record<string, string>>): string {
  let program = blocksOf('docs/programs.md').find(
    ({ language, code }) => language === 'ts' && code.includes(text),
  )?.code
  assert.ok(program)
  // Not https, unlike the service that the page names.
  const insecure = "import { allowInsecureRequests } from 'openid-client'\n"
  const edits = {
    ...changes,
    'https://auth.example.com': service.origin,
    "{ algorithm: 'oauth2' }": "{ algorithm: 'oauth2', execute: [allowInsecureRequests] }",
  }
  for (const [printed, used] of Object.entries(edits)) {
    assert.ok(program.includes(printed), printed)
    program = program.replaceAll(printed, used)
  }
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'))
  const file = join(folder.path, 'example.mts')
  writeFileSync(file, insecure + program)
  return file
}

test('a program on a command line is connected by its redirect to loopback', async (t) => {
  const app = await startApp(t)
  const person = await service.signIn('ana@example.com')
  const file = programWith(t, 'createServer()', { 'https://assistant.example/client.json': app.clientId })
  const program = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => program.kill())
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]()
  const opened = (await lines.next()).value?.replace(/^Open /, '') ?? ''
  const { search } = new URL(opened)
  const { id } = await ask(service, person, { ...app, query: () => search.slice(1) })
  const { body } = await decide(service, person, { requestId: id, allow: true })
  const page = await fetch(body.redirectTo)
  assert.equal(await page.text(), 'Connected. You can close this page.')
  assert.equal((await lines.next()).value, 'Connected: payment_links:read payment_links:write')
})

test('a service behind learns whose token it is, and nothing of a token that it must not take', async (t) => {
  const owner = await service.signIn('bob@example.com')
  const { apiKey, keySecret } = await introspectingKey(service, 'services@example.com')
  const file = programWith(t, 'tokenIntrospection', { 'plk_…': apiKey.keyId, 'pls_…': keySecret })
  appendFileSync(file, 'console.log(await userOf(process.argv[2] ?? "", "203.0.113.7"))\n')
  const userOf = async (token: string) => (await run(process.execPath, [file, token])).stdout.trim()
  const user = (await service.call('GET /users/me', { token: owner })).body.user
  assert.equal(await userOf(owner), user.id)
  const writing = await createKey(service, owner, { restrictions: { scopes: ['payment_links:write'] } })
  assert.equal(await userOf(await tokenOf(service, writing)), 'undefined')
  await service.call('POST /auth/tokens/revoke', { token: owner })
  assert.equal(await userOf(owner), 'undefined')
})
