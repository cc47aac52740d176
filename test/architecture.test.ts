/** The tree follows the rules of CONTRIBUTING.md, and the checks cover all of it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { problemsIn } from '../scripts/check-architecture.ts'
import { readSource } from '../scripts/source-code.ts'
import { temporaryFolder } from './support/files.ts'
import { isMarked } from './support/postgres/on-postgres.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const paths = globSync('{src,cli,scripts,test,sdk,web,bench}/**/*.{ts,tsx,js,css,html}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**', 'sdk/src/generated/**'],
})

const tests = paths.filter((path) => path.endsWith('.test.ts'))

test('the whole tree follows the rules', () => {
  assert.ok(paths.length > 100, 'the tree was not found')
  assert.deepEqual(problemsIn(new Map(paths.map((path) => [path, read(path)]))), [])
})

test('one script of package.json runs each test, and test:slow runs what endpoints, attacks, model and journeys do', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const globs = Object.entries(scripts)
    .filter(([, script]) => /node --test |test:(files|groups) -- /.test(script))
    .map(([name, script]) => [name, [...script.matchAll(/'([^']+)'/g)].map(([, glob = '']) => glob)] as const)
  for (const path of tests) {
    const running = globs.filter(([, patterns]) => patterns.some((glob) => matchesGlob(path, glob)))
    const names = running.map(([name]) => name).filter((name) => name !== 'test:postgres')
    const [name = ''] = names
    const isSlow = ['test:endpoints', 'test:attacks', 'test:model', 'test:journeys'].includes(name)
    assert.deepEqual(names, isSlow ? [name, 'test:slow'] : [name], path)
    assert.notEqual(name, '', path)
  }
})

test('the test of every store, and of everything that differs on PostgreSQL, is marked to run there too', () => {
  const ownWay = tests.filter((path) => /\bclusterUrl\b|onEmbeddedOnly|isLeftOut/.test(read(path)))
  const ofStores = tests.filter((path) => /-store(\.[\w-]+)?\.test\.ts$/.test(path))
  assert.ok(ownWay.length > 10 && ofStores.length > 10)
  assert.deepEqual(
    [...ownWay, ...ofStores].filter((path) => !isMarked(read(path)) && path !== 'test/architecture.test.ts'),
    [],
  )
})

test('oxlint refuses terminal output outside of src/lib/text/terminal.ts, and code created at run time', () => {
  const planted: Readonly<Record<string, string>> = {
    'src/http/console.ts': 'no-console',
    'src/lib/text/terminal.ts': '',
    'src/main.ts': 'no-console',
    'cli/paylink-auth.ts': 'no-console',
    'cli/stdout.ts': 'no-restricted-properties',
    'src/main-stdout.ts': 'no-restricted-properties',
    'cli/import.ts': 'no-restricted-imports',
    'src/http/eval.ts': 'no-eval',
    'src/http/new-function.ts': 'no-new-func',
    'src/http/any.ts': 'no-explicit-any',
  }
  const code: Readonly<Record<string, string>> = {
    'no-restricted-properties': "const { stdout } = process\nstdout.write('a')\nprocess.stderr.write('a')\n",
    'no-restricted-imports': "import { stdout } from 'node:process'\nstdout.write('a')\n",
    'no-eval': 'export const a = eval(String(process.argv))\n',
    'no-new-func': 'export const a = new Function(String(process.argv))\n',
    'no-explicit-any': 'export const a: any = 1\n',
  }
  const folder = temporaryFolder()
  try {
    // Without type information, which needs the whole tree and which these rules do not use.
    const config = { ...JSON.parse(read('.oxlintrc.json')), options: { typeAware: false } }
    writeFileSync(join(folder.path, '.oxlintrc.json'), JSON.stringify(config))
    for (const [path, rule] of Object.entries(planted)) {
      mkdirSync(dirname(join(folder.path, path)), { recursive: true })
      writeFileSync(join(folder.path, path), code[rule] ?? "console.log('a')\n")
    }
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format=json'], {
      cwd: folder.path,
      encoding: 'utf8',
    })
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] }
    const found = diagnostics.map(({ filename, code: rule }) => `${filename}: ${/\((.*)\)/.exec(rule)?.[1]}`)
    const expected = Object.entries(planted).flatMap(([path, rule]) => (rule ? [`${path}: ${rule}`] : []))
    assert.deepEqual(new Set(found), new Set(expected))
  } finally {
    folder.remove()
  }
})

test('the command line loads no endpoints, no HTTP and no other part of the service’s runtime, but for `serve`', () => {
  const reached = new Set<string>()
  const pending = paths.filter((path) => path.startsWith('cli/'))
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    for (const { file, isTypeOnly } of readSource(path, read(path)).imports) {
      if (file !== undefined && !isTypeOnly && file !== 'src/main.ts') pending.push(file)
    }
  }
  assert.ok(reached.has('src/core.ts'))
  assert.deepEqual(
    [...reached].filter((path) => /^src\/(api|http|dev|app\.ts|runtime\.ts)/.test(path)),
    [],
  )
})

test('ARCHITECTURE.md names only files that exist, and every table', () => {
  const page = read('ARCHITECTURE.md')
  const named = [...page.matchAll(/`([\w-]+(?:\/[\w.-]+)*\.tsx?)`/g)].map(([, path = '']) => path)
  assert.ok(named.length > 50)
  assert.deepEqual(
    named.filter((path) => ![path, `src/${path}`].some((one) => existsSync(join(root, one)))),
    [],
  )
  const [, tables = ''] = /interface Tables \{(.*?)\n\}/s.exec(read('src/database/tables/tables.ts')) ?? []
  const names = [...tables.matchAll(/^ +(\w+):/gm)].map(([, name = '']) => name)
  assert.ok(names.length > 10)
  assert.deepEqual(
    names.filter((name) => !page.includes(`\`${name}\``)),
    [],
  )
})

test('the index of decisions has every page once, with the later decisions that its top names', () => {
  const linked = (text: string) => [...new Set([...text.matchAll(/\[(\d{4})\]/g)].map(([, number = '']) => number))]
  const rows = read('docs/decisions/README.md')
    .split('\n')
    .filter((line) => line.startsWith('| [0'))
    .map((row) => {
      const [number = '', ...changes] = linked(row)
      return { number, changes: changes.toSorted() }
    })
  const pages = globSync('docs/decisions/0*.md', { cwd: root })
    .toSorted()
    .map((path) => {
      const top = read(path)
        .split('\n')
        .find((line) => line.startsWith('> '))
      return { number: path.slice('docs/decisions/'.length).slice(0, 4), changes: linked(top ?? '').toSorted() }
    })
  assert.ok(pages.length > 50)
  assert.deepEqual(rows, pages)
})
