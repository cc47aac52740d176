/**
 * Every operation has an example in docs/examples.md, and gives the answer shown there: to curl and to the client.
 * UPDATE_EXAMPLES=1 writes the answers of curl into the page.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { asProgram, problemsInSnippets } from '../../scripts/check-snippets.ts'
import { operations } from '../support/documented.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { clientCalls, clientProgram, runClientProgram } from '../support/process/client-examples.ts'
import {
  answers,
  assertAsShown,
  assertBodyAsShown,
  blocksOf,
  missingPrograms,
  runBlocks,
  withAnswers,
} from '../support/process/documented-commands.ts'
import { runCli } from '../support/process/process.ts'
import type { CliProcess } from '../support/process/process.ts'

const PAGE = 'docs/examples.md'
const file = join(import.meta.dirname, '../..', PAGE)
const blocks = blocksOf(PAGE)
const isUpdating = process.env['UPDATE_EXAMPLES'] === '1'
/** A browser is redirected there, a standard OAuth client calls it, or it takes an app with a document. */
const notForClient = new Set([
  'startGoogle',
  'googleCallback',
  'issueToken',
  'introspectToken',
  'revokeToken',
  'authorize',
  'decideAuthorization',
  'revokeApp',
])

type Running = Readonly<{ origin: string; stop(): Promise<void> }>
const running: Running[] = []

/** As for a reader: only the port is set. Two, because the examples of both start with the same signup. */
async function start(): Promise<Running> {
  const folder = temporaryFolder()
  const port = String(await freePort())
  const service: CliProcess = runCli(['serve'], { cwd: folder.path, env: { PORT: port } })
  await service.waitFor('is listening on')
  return {
    origin: `http://localhost:${port}`,
    async stop() {
      service.kill('SIGTERM')
      const { code, output } = await service.exited
      folder.remove()
      assert.equal(code, 0, output)
    },
  }
}
before(async () => void running.push(await start(), await start()))
after(async () => {
  for (const service of running) await service.stop()
})

test('every operation has an example for curl and for the client', () => {
  const page = readFileSync(file, 'utf8')
  for (const { route, id, content } of operations) {
    const [, example] = page.split(`\n### ${content.summary}\n\n\`${route}\`\n`)
    assert.ok(example !== undefined, `${route} is missing`)
    const [own = ''] = example.split('\n### ')
    const [method = '', path = ''] = route.split(' ')
    const url = path.split(/\{\w+\}/).map((part) => RegExp.escape(part))
    assert.match(own, new RegExp(`curl [^]*\\$BASE/api/v1${url.join('\\$\\w+')}`), route)
    if (!notForClient.has(id)) assert.ok(own.includes(`.${method}('${path}'`), `${route} has no call of the client`)
  }
})

test('curl gets the answers on the page', { skip: missingPrograms() }, async () => {
  const { origin } = running[0] ?? assert.fail()
  const pasted = await runBlocks(blocks, origin, 'you@example.com')
  if (isUpdating) return writeFileSync(file, withAnswers(PAGE, blocks, pasted, origin))
  const shown = blocks.filter(({ language }) => answers.has(language))
  assert.equal(shown.length, operations.length)
  assert.equal(assertAsShown(blocks, pasted, origin, 'you@example.com'), shown.length)
})

test('the client’s examples type-check, and get the same answers', { skip: isUpdating }, async () => {
  const { origin } = running[1] ?? assert.fail()
  const program = clientProgram(blocks)
  assert.deepEqual(problemsInSnippets(new Map([[PAGE, `\`\`\`ts\n${program}\`\`\`\n`]]), asProgram), [])

  const given = await runClientProgram(program, origin)
  const calls = clientCalls(blocks)
  assert.equal(calls.length, operations.length - notForClient.size)
  const ids = new Map<string, string>()
  for (const [index, call] of calls.entries()) {
    const shown = blocks[blocks.indexOf(call) - 1] ?? assert.fail()
    assertBodyAsShown(given[index], shown, origin, ids)
  }
})
