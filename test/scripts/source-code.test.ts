import assert from 'node:assert/strict'
import test from 'node:test'
import { readSource } from '../../scripts/source-code.ts'

const codeOf = (text: string) => readSource('src/lib/example.ts', text).code
const importsOf = (text: string) => readSource('src/lib/example.ts', text).imports

const samples: Readonly<Record<string, string>> = {
  'a line comment': "const a = 1 // SAID, it's SAID",
  'a block comment': '/** SAID\n * `SAID */\nconst a = 1',
  'the first line of a script': '#!/usr/bin/env SAID\nconst a = 1',
  'a string in single quotes': String.raw`const a = 'SAID // it\'s "SAID"'`,
  'a string in double quotes': String.raw`const a = "SAID /* it's \"SAID\""`,
  'a string with surrogate pairs': "const a = '🙂 SAID 🙂' // 🙂 SAID",
  'a template': "const a = `SAID // it's {SAID} $SAID \\` \\${SAID}`",
  'a regular expression': String.raw`const a = b.replace(/["'\x60SAID/\/]+[/'SAID]/g, c)`,
}

for (const [name, text] of Object.entries(samples)) {
  test(`the content of ${name} is not code; what follows is`, () => {
    const code = codeOf(`${text}\nconst after = RUNS\n`)
    assert.doesNotMatch(code, /SAID/)
    assert.match(code, /\nconst after = RUNS\n$/)
    assert.equal(code.length, text.length + '\nconst after = RUNS\n'.length)
    assert.equal(code.split('\n').length, text.split('\n').length + 2)
  })
}

test('expressions in templates are code, also in nested templates and objects', () => {
  const code = codeOf('const a = `SAID ${RUNS({ b: `SAID ${RUNS} SAID` })} SAID ${RUNS} SAID`; RUNS()\n')
  assert.equal(code.match(/RUNS/g)?.length, 4)
  assert.doesNotMatch(code, /SAID/)
})

test('a division does not begin a regular expression', () => {
  assert.match(codeOf("const a = b / 2; RUNS('x'); const c = (d) / 3\n"), /RUNS\(' '\)/)
})

test('a truncated file is rejected', () => {
  for (const text of ['const a = `never ends', 'function a() {'])
    assert.throws(() => codeOf(text), /^Error: src\/lib\/example\.ts: /, text)
})

test('every form of import is found, with its target from the repository’s root', () => {
  const file = 'src/database/database.ts'
  const ways: Readonly<Record<string, boolean>> = {
    "import { a } from '../database/database.ts'": false,
    "import a, * as b from '../database/database.ts'": false,
    "import {\n  a,\n  type B,\n} from '../database/database.ts'": false,
    'import "../database/database.ts"': false,
    "import { type B } from '../database/database.ts'": false,
    "export { a } from '../database/database.ts'": false,
    "export * from '../database/database.ts'": false,
    "const a = await import('../database/database.ts')": false,
    "type B = import('../database/database.ts').B": true,
    "import type { B } from '../database/database.ts'": true,
    "import type A from '../database/database.ts'": true,
    "export type { B } from '../database/database.ts'": true,
  }
  for (const [text, isTypeOnly] of Object.entries(ways)) {
    assert.deepEqual(importsOf(`const x = 1\n${text}\n`), [{ file, isTypeOnly }], text)
  }
})

test('packages, files and computed names are distinguished', () => {
  assert.deepEqual(importsOf("import { join } from 'node:path'"), [{ package: 'node:path', isTypeOnly: false }])
  assert.deepEqual(importsOf('const a = await import(`./${name}.ts`)'), [{ isTypeOnly: false }])
  assert.deepEqual(importsOf('const a = await import(name)'), [{ isTypeOnly: false }])
})

test('text that looks like an import is ignored', () => {
  const texts = [
    "// import { a } from './a.ts'",
    'const a = "import { a } from \'./a.ts\'"',
    "const url = new URL('./a.ts', import.meta.url)",
    "export const from = 'a'\nconst b = 'b'",
    "export type A = 'a'",
  ]
  for (const text of texts) assert.deepEqual(importsOf(text), [], text)
})
