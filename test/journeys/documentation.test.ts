/** The documentation runs: the commands of its pages, pasted as they stand, have the answers that are shown below them. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort, temporaryFolder } from '../support/files.ts'
import { answers, assertAsShown, blocksOf, paste } from '../support/process/pasted.ts'
import type { Block, Pasted } from '../support/process/pasted.ts'
import { runCli } from '../support/process/process.ts'
import type { CliProcess } from '../support/process/process.ts'

const folder = temporaryFolder()
let service: CliProcess
let origin: string

// As a reader has it: nothing is set but the port, so mail goes to the mailbox page and Google is the stand-in.
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

function missing(): string | false {
  try {
    for (const program of ['curl', 'sed', 'bash']) execFileSync(program, ['--version'])
    return false
  } catch {
    return 'curl, sed or bash is not installed'
  }
}

const quickStart = blocksOf('docs/quick-start.md')
const QUICK_START = 'quick@example.com'
let followed: Pasted

test('the quick start leads from nothing to a protected call, and to its end', { skip: missing() }, async () => {
  followed = await paste(quickStart, origin, QUICK_START)
  assert.equal(assertAsShown(quickStart, followed, origin, QUICK_START), 5)
})

test('an answer that is not what the page shows is found, whatever of it differs', { skip: missing() }, () => {
  const breaches: readonly (readonly [from: string | RegExp, to: string])[] = [
    ['"expiresInSeconds":3600', '"expiresInSeconds":60'],
    ['"needsOnboarding":true', '"needsOnboarding":true,"more":1'],
    [/pls_\w+/, 'pls_short'],
    ['201 Created', '200 OK'],
    ['x-currency: EUR', 'x-currency: RON'],
    ['"status":"REVOKED"', '"status":"ACTIVE"'],
    // Another record than the one that was made.
    [
      /"id":"[^"]+","name":"API key","keyId":"[^"]+","status"/,
      '"id":"01a1fc70-601c-7264-a20a-83664e204c99","name":"API key","keyId":"plk_B2VQcWpA4v3FuvdoyrCKLZ","status"',
    ],
    ['www-authenticate: Bearer', 'www-authenticate: Basic'],
  ]
  for (const [from, to] of breaches) {
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
const pages = globSync('{*,docs/**/*,sdk/*}.md', { cwd: root }).filter(
  (page) => page !== 'docs/quick-start.md' && blocksOf(page).some(({ language }) => language === 'bash'),
)

/** What the other pages go on from: everything up to where the quick start ends its key. */
const begun = quickStart.slice(
  0,
  quickStart.findIndex(({ code }) => code.includes('/revoke')),
)

for (const page of pages) {
  test(`the commands of ${page} do what it shows, after those of the quick start`, { skip: missing() }, async () => {
    const blocks: Block[] = blocksOf(page)
    const email = `you.${page.replaceAll(/\W+/g, '-')}@example.com`
    const both = [...begun, ...blocks]
    const pasted = await paste(both, origin, email)
    const shown = both.filter(({ language }) => answers.has(language))
    assert.equal(assertAsShown(both, pasted, origin, email), shown.length, 'an answer stands below no command')
  })
}

test('the pages with commands were found', () => assert.ok(pages.length >= 5, pages.join()))
