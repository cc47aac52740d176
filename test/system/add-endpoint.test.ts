/** The section "Add an endpoint" of CONTRIBUTING.md, followed literally in a copy of the tree. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { temporaryFolder } from '../support/files.ts'

const root = join(import.meta.dirname, '../..')
const folder = temporaryFolder()
after(() => folder.remove())

const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const [, section = ''] = page.split('\n## Add an endpoint\n')
const [steps = '', commands = ''] = section.split('\n### 7. The commands\n')

/** Tests whose lists step 5 extends, and the rules of the tree. */
const LISTS = [
  'test/architecture.test.ts',
  'test/openapi.test.ts',
  'test/openapi-answers.test.ts',
  'test/database/query-plans.test.ts',
  'test/http/access.test.ts',
  'test/http/access.methods.test.ts',
  'test/journeys/examples.test.ts',
]

before(() => {
  // `npm run generate` installs sdk/generate: through a link it would empty the original.
  const installed = ['', 'bench/', 'sdk/runtimes/', 'sdk/generate/', 'sdk/generators/'].map((path) =>
    join(root, path, 'node_modules'),
  )
  const left = new Set([...installed, join(root, '.git')])
  cpSync(root, folder.path, { recursive: true, filter: (path) => !left.has(path) })
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'))
})

function insert(path: string, anchor: string, added: string): void {
  const lines = readFileSync(path, 'utf8').split('\n')
  const begins = anchor.endsWith('…') ? anchor.slice(0, -1) : undefined
  const found = lines.flatMap((line, index) =>
    (begins === undefined ? line.trim() === anchor : line.trim().startsWith(begins)) ? [index] : [],
  )
  assert.equal(found.length, 1, `${path} must contain the anchor once: ${anchor}`)
  lines.splice((found[0] as number) + 1, 0, added.trimEnd())
  writeFileSync(path, lines.join('\n'))
}

const STEP =
  /^(?:Create `(?<created>[^`]+)`|At the end of `(?<extended>[^`]+)`, add|In `(?<changed>[^`]+)`, after the line (?<ticks>`{1,2})(?<anchor>.+?)\k<ticks>, add):\n\n```\w+\n(?<code>[^]*?)^```$/gm

test('every code block of the section is a step that applies', () => {
  let applied = 0
  for (const { groups } of steps.matchAll(STEP)) {
    const { created, extended, changed, anchor = '', code: written = '' } = groups as Record<string, string | undefined>
    // A block that contains blocks is indented.
    const code = /^ {0,3}\S/m.test(written) ? written : written.replaceAll(/^ {4}/gm, '')
    const path = join(folder.path, created ?? extended ?? changed ?? '')
    if (created !== undefined) {
      assert.ok(!existsSync(path), path)
      writeFileSync(path, code)
    } else if (extended !== undefined) appendFileSync(path, code)
    else insert(path, anchor, code)
    applied += 1
  }
  assert.equal(applied, steps.match(/^```\w+$/gm)?.length)
  assert.ok(applied > 5)
})

// `node --test` inside a test runs nothing while this is set.
const { NODE_TEST_CONTEXT: _, ...env } = process.env
const run = (...args: readonly string[]) =>
  execFileSync('npm', ['run', '-s', ...args], { cwd: folder.path, stdio: 'pipe', encoding: 'utf8', env })

test('the commands of the section, the checks and the tests of the lists pass', () => {
  const [block = ''] = /^```\n[^]*?^```$/m.exec(commands) ?? []
  const [, ...named] = block.split('\n').map((line) => line.replace(/^npm run /, '').split(' '))
  assert.deepEqual(
    named.slice(0, 4).map(([script]) => script),
    ['generate', 'format', 'test:files', 'check'],
  )
  for (const command of named.slice(0, 3)) run(...command)
  // The rest of `check` is the unit tests, which the list below stands for.
  for (const script of ['check:types', 'check:lint', 'check:generated']) run(script)
  assert.match(run('test:files', '--', ...LISTS), /^ℹ fail 0$/m)
})

test('without its entry in a list the endpoint is noticed', () => {
  const path = join(folder.path, 'test/http/access.test.ts')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace("'GET /api/v1/users/me/awaiting-keys/count',", ''))
  assert.throws(() => run('test:files', '--', 'test/http/access.test.ts'))
  rmSync(path)
})
