import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { findCaseProblems, LISTS, PAGE, pathProblems, requirementProblems } from '../scripts/check-security.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read(PAGE)

test('every case of the lists is covered by a test or explained, and no test names another', () => {
  const tests = globSync('test/**/*.test.ts', { cwd: root })
  assert.ok(tests.length > 80, 'the tests were not found')
  const paths = [...LISTS, PAGE, ...tests]
  assert.deepEqual(findCaseProblems(new Map(paths.map((path) => [path, read(path)]))), [])
})

test('every path on the page exists', () => {
  assert.deepEqual(
    pathProblems(page, (path) => existsSync(join(root, path))),
    [],
  )
})

test('every applicable requirement of OWASP ASVS 5.0 is listed once, and every deviation is declared', () => {
  assert.deepEqual(requirementProblems(page), [])
})
