import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { asProgram, problemsInSnippets, snippetsIn } from '../../scripts/check-snippets.ts'
import { callsOf } from '../../scripts/docs/document.ts'
import type { Document } from '../../scripts/docs/document.ts'
import { resolveReferences } from '../../scripts/docs/resolve-references.ts'
import { clientCallOf, sampleOf } from '../../scripts/docs/samples.ts'

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

/** The samples of the API reference for the client, by operation. */
function clientSamples(): Map<string, string> {
  const calls = callsOf(resolveReferences(JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as Document))
  const samples = calls.flatMap((call) => {
    const sample = sampleOf(call, calls)
    if (sample.isForm) return []
    const code = clientCallOf(call, sample, 'http://localhost:3000/api/v1')
    return [[`${call.method} ${call.path}`, `\`\`\`ts\n${code}\n\`\`\`\n`] as const]
  })
  assert.equal(new Set(samples.map(([name]) => name)).size, calls.length - 3)
  return new Map(samples)
}

test('every snippet of the client’s README and of the pages with programs, and every sample of the API reference for the client, type-checks against the client', () => {
  const page = readFileSync(join(root, 'sdk/README.md'), 'utf8')
  assert.ok(snippetsIn(page).length >= 6, 'the snippets were not found')
  const samples = clientSamples()
  const creation = samples.get('POST /payment-links') ?? assert.fail()
  const wrong = page.replace("'/users/me'", "'/users/you'").replace('request.auth?.userId', 'request.auth?.email')
  // One compilation for all of them: the compiler takes a second to read the client's types.
  const problems = problemsInSnippets(
    new Map([
      ['sdk/README.md', page],
      ...programPages.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
      ...samples,
      ['wrong', wrong],
      ['wrong field', creation.replace('amount:', 'amounts:')],
      ['wrong path', creation.replace("'/payment-links'", "'/payment-link'")],
    ]),
    asProgram,
  )
  const pages = problems.map((problem) => problem.replace(/\(\d.*$/, ''))
  assert.deepEqual(
    pages.filter((name) => !/^wrong (field|path)$/.test(name)),
    ['wrong', 'wrong'],
    problems.join('\n'),
  )
  for (const name of ['wrong field', 'wrong path']) assert.ok(pages.includes(name), name)
})
