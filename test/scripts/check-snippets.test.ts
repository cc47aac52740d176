import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { asProgram, problemsInSnippets, snippetsIn } from '../../scripts/check-snippets.ts'

const root = join(import.meta.dirname, '../..')
/** Their snippets are programs for Node; those of other pages run in a browser too. */
const programPages = ['docs/behind-the-gate.md', 'docs/programs.md']

test('every TypeScript snippet of the documentation type-checks; errors have the page’s name and line', () => {
  const pages = new Map(
    globSync('{*,docs/**/*}.md', { cwd: root }).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  )
  for (const page of programPages) pages.delete(page)
  assert.ok([...pages.values()].flatMap(snippetsIn).length >= 4, 'the snippets were not found')
  pages.set('wrong.md', 'Text\n\n```ts\nconst a: number = 1\n```\n\n```ts\nconst b: number = location.hash\n```\n')
  const [problem, ...others] = problemsInSnippets(pages)
  assert.match(problem ?? '', /^wrong\.md\(8,7\): error TS2322: /)
  assert.deepEqual(others, [])
})

test('every snippet of the client’s README and of the pages with programs type-checks against the client', () => {
  const page = readFileSync(join(root, 'sdk/README.md'), 'utf8')
  assert.ok(snippetsIn(page).length >= 6, 'the snippets were not found')
  const wrong = page.replace("'/users/me'", "'/users/you'").replace('request.auth?.userId', 'request.auth?.email')
  const problems = problemsInSnippets(
    new Map([
      ['sdk/README.md', page],
      ...programPages.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
      ['wrong', wrong],
    ]),
    asProgram,
  )
  assert.deepEqual(
    problems.map((problem) => problem.replace(/\(.*$/, '')),
    ['wrong', 'wrong'],
    problems.join('\n'),
  )
})
