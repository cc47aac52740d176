/** Runs the commands of the documentation as they stand and compares their output with the answers shown below them. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort, temporaryFolder } from '../support/files.ts'
import { answers, assertAsShown, blocksOf, missingPrograms, runBlocks } from '../support/process/documented-commands.ts'
import type { Block, Pasted } from '../support/process/documented-commands.ts'
import { runCli } from '../support/process/process.ts'
import type { CliProcess } from '../support/process/process.ts'

const folder = temporaryFolder()
let service: CliProcess
let origin: string

// As for a reader: only the port is set, so mail goes to the mailbox page and Google is the stand-in.
before(async () => {
  const port = String(await freePort())
  origin = `http://localhost:${port}`
  service = runCli(['serve'], { cwd: folder.path, env: { PORT: port } })
  await service.waitFor('is listening on')
})
after(async () => {
  service.kill('SIGTERM')
  const { code, output } = await service.exited
  folder.remove()
  assert.equal(code, 0, output)
})

const quickStart = blocksOf('docs/quick-start.md')
const QUICK_START = 'quick@example.com'
let followed: Pasted

test(
  'the quick start leads from an empty folder to a protected call and to the end of the key',
  { skip: missingPrograms() },
  async () => {
    followed = await runBlocks(quickStart, origin, QUICK_START)
    assert.equal(assertAsShown(quickStart, followed, origin, QUICK_START), 5)
  },
)

test('an answer that differs from the page in any part is detected', { skip: missingPrograms() }, () => {
  const alterations: readonly (readonly [from: string | RegExp, to: string])[] = [
    ['"expiresInSeconds":3600', '"expiresInSeconds":60'],
    ['"needsOnboarding":true', '"needsOnboarding":true,"more":1'],
    [/pls_\w+/, 'pls_short'],
    ['201 Created', '200 OK'],
    ['x-currency: EUR', 'x-currency: RON'],
    ['"status":"REVOKED"', '"status":"ACTIVE"'],
    // The id of a record other than the one that was created.
    [
      /"id":"[^"]+","name":"API key","keyId":"[^"]+","status"/,
      '"id":"01a1fc70-601c-7264-a20a-83664e204c99","name":"API key","keyId":"plk_B2VQcWpA4v3FuvdoyrCKLZ","status"',
    ],
    ['www-authenticate: Bearer', 'www-authenticate: Basic'],
  ]
  for (const [from, to] of alterations) {
    let count = 0
    const changed = followed.map(({ block, output }) => {
      if (output.replace(from, to) !== output) count++
      return { block, output: output.replace(from, to) }
    })
    assert.ok(count > 0, String(from))
    assert.throws(() => assertAsShown(quickStart, changed, origin, QUICK_START), assert.AssertionError, String(from))
  }
})

const root = join(import.meta.dirname, '../..')
/** `docs/examples.md` has a test of its own. */
const pages = globSync('{*,docs/**/*,sdk/*}.md', { cwd: root }).filter(
  (page) =>
    !['docs/quick-start.md', 'docs/examples.md'].includes(page) &&
    blocksOf(page).some(({ language }) => language === 'bash'),
)

/** The other pages continue from here: the quick start up to where it revokes its key. */
const commonBlocks = quickStart.slice(
  0,
  quickStart.findIndex(({ code }) => code.includes('/revoke')),
)

for (const page of pages) {
  test(
    `the commands of ${page} print what the page shows, after those of the quick start`,
    { skip: missingPrograms() },
    async () => {
      const blocks: Block[] = blocksOf(page)
      const email = `you.${page.replaceAll(/\W+/g, '-')}@example.com`
      const both = [...commonBlocks, ...blocks]
      const pasted = await runBlocks(both, origin, email)
      const shown = both.filter(({ language }) => answers.has(language))
      assert.equal(assertAsShown(both, pasted, origin, email), shown.length, 'every answer follows a command')
    },
  )
}

test(
  'llms.txt alone leads an agent that knows nothing else from signup to a payment link and to an error',
  { skip: missingPrograms() },
  async () => {
    const blocks = blocksOf('scripts/docs/llms.md')
    const email = 'agent@example.com'
    const create = blocks.findIndex(({ code }) => code.includes('Idempotency-Key'))
    // Repeated with the same Idempotency-Key, it shows the first link again.
    const all = [...blocks, ...blocks.slice(create, create + 2)]
    const pasted = await runBlocks(all, origin, email)
    assert.equal(assertAsShown(all, pasted, origin, email), 5)
    const [first, second] = pasted.filter(({ block }) => block === blocks[create]).map(({ output }) => output)
    assert.equal(first, second)
    const served = await (await fetch(`${origin}/llms.txt`)).text()
    for (const { code } of blocks)
      assert.ok(served.includes(code.replaceAll('http://localhost:3000', origin)), `served as written: ${code}`)
  },
)

test(
  'when the signup is refused, field returns nothing instead of the refusal',
  { skip: missingPrograms() },
  async () => {
    for (const page of ['scripts/docs/llms.md', 'docs/quick-start.md', 'docs/examples.md']) {
      const define = /^field\(\) .*$/m.exec(
        blocksOf(page).find(({ code }) => code.includes('field()'))?.code ?? '',
      )?.[0]
      const block = { page, line: 0, language: 'bash' }
      const code = `${define}\necho '{"error":{"message":"m","code":"EMAIL_TAKEN"}}' | field keySecret`
      const [refused] = await runBlocks([{ ...block, code }], origin, 'you@example.com')
      assert.equal(refused?.output, '', page)
      const given = `${define}\necho '{"keySecret":"pls_x","token":"y"}' | field keySecret`
      const [got] = await runBlocks([{ ...block, code: given }], origin, 'you@example.com')
      assert.equal(got?.output, 'pls_x\n', page)
    }
  },
)

test('every page with commands was found', () => assert.ok(pages.length >= 5, pages.join()))
