/** docs/security.md says nothing that is not so: every case of its lists is tried or explained, every path is there. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { caseProblems, LISTS, PAGE, pathProblems, requirementProblems } from '../scripts/check-security.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read(PAGE)

test('every case of the lists is carried out by a test or explained, and no test names another', () => {
  const tests = globSync('test/**/*.test.ts', { cwd: root })
  assert.ok(tests.length > 80, 'the tests were not found')
  const paths = [...LISTS, PAGE, ...tests]
  assert.deepEqual(caseProblems(new Map(paths.map((path) => [path, read(path)]))), [])
})

test('every path that the page names is there', () => {
  assert.deepEqual(
    pathProblems(page, (path) => existsSync(join(root, path))),
    [],
  )
})

test('every requirement of OWASP ASVS 5.0 that applies is there once, and every deviation is declared', () => {
  assert.deepEqual(requirementProblems(page), [])
})
