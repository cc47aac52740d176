/** Faults planted in a small tree: each is counted for the check that catches it first, and the tree stays as it is. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { temporaryFolder } from '../../support/files.ts'

const root = join(import.meta.dirname, '../../..')

const suites = {
  unit: 'test/unit/*.test.ts',
  attacks: 'test/attacks/*.test.ts',
  model: 'test/model/*.test.ts',
  journeys: 'test/journeys/*.test.ts',
}
const files: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    type: 'module',
    scripts: {
      'test:files': 'node --test',
      ...Object.fromEntries(
        Object.entries(suites).map(([name, glob]) => [`test:${name}`, `npm run -s test:files -- '${glob}'`]),
      ),
    },
  }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      moduleDetection: 'force',
      types: [],
      lib: ['esnext'],
      target: 'esnext',
      module: 'nodenext',
    },
    include: ['src'],
  }),
  'src/unit/larger.ts': 'export const larger = (a: number, b: number): number => (a > b ? a : b)\n',
  'src/attacks/allow.ts': 'export const allow = (a: boolean, b: boolean): boolean => a && b\n',
  'src/journeys/main.ts': "export const said: string[] = []\nsaid.push('started')\n",
  'src/types/pad.ts': "export const pad = (a: string): string => a.padStart(2, '0')\n",
  'src/untested/same.ts': 'export const same = (a: string, b: string): boolean => a === b\n',
  'test/unit/larger.test.ts': `
    import assert from 'node:assert/strict'
    import { larger } from '../../src/unit/larger.ts'
    import '../../src/untested/same.ts'
    assert.equal(larger(1, 2), 2)`,
  'test/attacks/allow.test.ts': `
    import assert from 'node:assert/strict'
    import { allow } from '../../src/attacks/allow.ts'
    assert.equal(allow(true, false), false)`,
  'test/journeys/main.test.ts': `
    import { execFileSync } from 'node:child_process'
    import assert from 'node:assert/strict'
    const code = 'console.log((await import("./src/journeys/main.ts")).said.join())'
    assert.equal(execFileSync(process.execPath, ['--input-type=module', '-e', code], { env: {}, encoding: 'utf8' }), 'started\\n')`,
}

type Report = { faults: { file: string; executedBy: number; outcomes: Record<string, string | null> }[] }

test('each fault meets the checks in turn, in a copy, and what was tried is not tried again', (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const [tree, out] = [join(folder.path, 'tree'), join(folder.path, 'out')]
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  mkdirSync(join(tree, 'node_modules/.bin'), { recursive: true })
  symlinkSync(process.execPath, join(tree, 'node_modules/.bin/node'))
  symlinkSync(join(root, 'node_modules/typescript/bin/tsc'), join(tree, 'node_modules/.bin/tsc'))
  const run = (...options: string[]) =>
    spawnSync(
      process.execPath,
      [join(root, 'scripts/plant-faults.ts'), '--tree', tree, '--out', out, '--count', '60', ...options],
      { encoding: 'utf8' },
    )

  const { stdout, stderr, status } = run()
  assert.equal(status, 0, stderr)
  const { faults } = JSON.parse(readFileSync(join(out, 'report-1-60.json'), 'utf8')) as Report
  const outcomesOf = (path: string) => faults.filter(({ file }) => file === path).map(({ outcomes }) => outcomes)
  assert.deepEqual(outcomesOf('src/unit/larger.ts'), [{ types: null, unit: 'test/unit/larger.test.ts' }], stderr)
  assert.deepEqual(outcomesOf('src/attacks/allow.ts'), [
    { types: null, unit: null, endpoints: null, attacks: 'test/attacks/allow.test.ts' },
  ])
  // In a process that the test starts with an empty environment.
  const ofJourney = {
    types: null,
    unit: null,
    endpoints: null,
    attacks: null,
    model: null,
    journeys: 'test/journeys/main.test.ts',
  }
  assert.deepEqual(outcomesOf('src/journeys/main.ts'), [ofJourney])
  assert.match(outcomesOf('src/types/pad.ts')[0]?.['types'] ?? '', /^src\/types\/pad\.ts\(1,\d+\): error TS2345/)
  const nobody = { types: null, unit: null, endpoints: null, attacks: null, model: null, journeys: null }
  assert.deepEqual(outcomesOf('src/untested/same.ts'), [nobody])
  assert.match(stdout, /^all +5 +1 +1 +0 +1 +0 +1 +1 +0 +80 %$/m)
  assert.match(
    stripVTControlCharacters(stdout),
    /1 survived\nsrc\/untested\/same\.ts:1 \(condition, no test executes it\)\n {2}- a === b\n {2}\+ a !== b\n/,
  )

  for (const [path, text] of Object.entries(files)) assert.equal(readFileSync(join(tree, path), 'utf8'), text)
  assert.equal(readFileSync(join(out, 'tree/src/unit/larger.ts'), 'utf8'), files['src/unit/larger.ts'])

  const again = run()
  assert.equal(again.stderr, '')
  assert.equal(again.stdout, stdout)

  // One suite by itself: it meets what another has caught before it, too.
  assert.equal(run('--suite', 'attacks').status, 0)
  const asked = JSON.parse(readFileSync(join(out, 'report-1-60.json'), 'utf8')) as Report
  assert.ok(asked.faults.every(({ outcomes }) => outcomes['attacks'] !== undefined))

  writeFileSync(join(tree, 'src/unit/larger.ts'), '')
  assert.match(run().stderr, /is of another tree, or of another state of it/)
})
