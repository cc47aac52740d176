/**
 * Every code block of the documentation is run, type-checked, or listed here with what tests it; every command exists.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { answers, blocksOf } from '../support/process/documented-commands.ts'
import { CLI } from '../support/process/shipped-build.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = globSync('{*,docs/**/*,sdk/*}.md', { cwd: root })

/**
 * Blocks in other languages by page: their number (`any`: the sections themselves state what was tested), and what
 * tests them.
 */
const others: Readonly<Record<string, readonly [count: number | 'any', triedBy: string]>> = {
  'ARCHITECTURE.md': [2, 'test/architecture.test.ts'],
  'CONTRIBUTING.md': [18, 'test/system/add-endpoint.test.ts'],
  'README.md': [2, '.ci/run'],
  'sdk/README.md': [1, 'test/system/sdk-package.test.ts'],
  'docs/behind-the-gate.md': [3, 'test/api/changes/list-changes.test.ts'],
  'docs/examples.md': ['any', 'test/journeys/examples.test.ts'],
  'docs/frontend.md': [1, 'test/system/web-frontend.test.ts'],
  // The configurations for nginx, Caddy and HAProxy are separate files; sections on gateways that were not available
  // say so.
  'docs/gateways.md': [6, 'test/system/forward-auth-upgrade-attacks.test.ts'],
  'docs/keys.md': [1, 'test/journeys/keys-scan.test.ts'],
  'docs/operations.md': ['any', 'test/journeys/copy-to-postgres.test.ts'],
  // A document like the one shown is what test/support/accounts/apps.ts serves.
  'docs/programs.md': [2, 'test/journeys/operator-commands.test.ts'],
  'docs/quick-start.md': [5, 'test/system/quick-start-samples.test.ts'],
  'docs/retention.md': [3, 'test/journeys/operator-commands.test.ts'],
}

test('every code block of every page is run, shown as an answer, type-checked, or tested elsewhere', () => {
  // bash and its answers: test/journeys/documentation.test.ts; ts: test/scripts/check-snippets.test.ts
  const checked = new Set(['bash', 'ts', ...answers])
  const found = pages.flatMap((page) => {
    const count = blocksOf(page).filter(({ language }) => !checked.has(language)).length
    return count === 0 ? [] : [[page, others[page]?.[0] === 'any' ? 'any' : count] as const]
  })
  const expected = Object.entries(others).map(([page, [count]]) => [page, count])
  assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected))
  for (const [, path] of Object.values(others)) assert.ok(existsSync(join(root, path)), path)
})

test('every npm script and paylink-auth command on a page exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const text = pages.map(read).join('\n')
  const named = [...text.matchAll(/(?<!--prefix \S+ )\bnpm run ([a-z][\w:]*)/g)].map(([, name = '']) => name)
  const called = [...text.matchAll(/(?:^|`|\S+=\S+ )paylink-auth ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/gm)].map(
    ([, first = '', second = '']) => [first, `${first} ${second}`],
  )
  assert.ok(named.length > 10 && called.length > 8)
  assert.deepEqual(
    named.filter((name) => scripts[name] === undefined),
    [],
  )
  const help = execFileSync(process.execPath, [CLI, '--help'], { encoding: 'utf8' })
  assert.deepEqual(
    called.filter((names) => !names.some((name) => help.includes(`\n  ${name} `))),
    [],
  )
})
