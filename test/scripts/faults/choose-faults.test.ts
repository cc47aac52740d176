/** Planted faults are valid code, of every kind, spread over the folders, and the same for the same seed. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { parseAst } from 'rolldown/parseAst'
import { chooseFaults, faultsIn, plant } from '../../../scripts/faults/choose-faults.ts'
import { seededRandom } from '../../../scripts/seed-random.ts'

const root = join(import.meta.dirname, '../../..')
/** Every third file: parsing all of them takes most of a second. */
const texts = new Map(
  globSync('src/**/*.ts', { cwd: root })
    .toSorted()
    .filter((_file, index) => index % 3 === 0)
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)

const planted = (text: string) => faultsIn('src/a.ts', text).map((fault) => plant(text, fault))

test('a condition is negated', () => {
  assert.deepEqual(planted('if (a) b = c'), ['if (!(a)) b = c', 'if (a) {}'])
  assert.deepEqual(planted('const x = a.b(c) ? d : e'), ['const x = !(a.b(c)) ? d : e'])
  assert.deepEqual(planted('const x = (a as number) < b ? d : e'), ['const x = (a as number) >= b ? d : e'])
  assert.deepEqual(planted('const x = a && (b || c)'), ['const x = a || (b || c)', 'const x = a && (b && c)'])
  assert.deepEqual(planted('const x = a ?? b + c'), [])
})

test('a statement is dropped', () => {
  assert.deepEqual(planted('await save(row)\nnext++'), ['{}\nnext++', 'await save(row)\n{}'])
  assert.deepEqual(planted('function f() { throw failure }'), ['function f() { {} }'])
  assert.deepEqual(planted('"use strict"; class A extends B { constructor() { super() } }'), [])
})

test('two values next to each other are swapped', () => {
  assert.deepEqual(planted('const x = f(a, b, /* last */ c)'), [
    'const x = f(b, a, /* last */ c)',
    'const x = f(a, c, /* last */ b)',
  ])
  assert.deepEqual(planted('const x = new A<B>(c, ...d)'), [])
  assert.deepEqual(planted('const x = f(a, a)'), [])
  assert.deepEqual(planted('const x = { a: 1, b: c.d, e, f() {}, g: 2 }'), [
    'const x = { a: c.d, b: 1, e, f() {}, g: 2 }',
  ])
})

test('what only the types say is left as it is', () => {
  assert.deepEqual(planted('type A<B> = B extends C ? D : E\ninterface F { g(a: string, b: number): void }'), [])
})

test('faults of our own sources leave valid code', () => {
  const faults = chooseFaults(texts, 150, seededRandom(1))
  assert.equal(faults.length, 150)
  for (const fault of faults) parseAst(plant(texts.get(fault.file) ?? '', fault), { lang: 'ts' }, fault.file)
})

test('the same seed chooses the same faults, another others', () => {
  const some = new Map([...texts].filter(([file]) => file.startsWith('src/lib/')))
  const choice = (seed: number) => JSON.stringify(chooseFaults(some, 20, seededRandom(seed)))
  assert.equal(choice(1), choice(1))
  assert.notEqual(choice(1), choice(2))
})

test('each folder has its share by lines, and each kind a third', () => {
  const lines = (number: number) => 'const x = f(a && b, c)\nawait g()\n'.repeat(number / 2)
  const sources = {
    'src/a/a.ts': lines(40),
    'src/a/b.ts': lines(20),
    'src/b/a.ts': lines(40),
    'src/c/types.ts': 'type A = B\n'.repeat(100),
  }
  const faults = chooseFaults(new Map(Object.entries(sources)), 30, seededRandom(1))
  const numberOf = (pattern: RegExp) => faults.filter(({ file, kind }) => pattern.test(`${file} ${kind}`)).length
  assert.equal(faults.length, 30)
  assert.deepEqual([numberOf(/^src\/a\//), numberOf(/^src\/b\//)], [18, 12])
  assert.deepEqual([numberOf(/condition$/), numberOf(/statement$/), numberOf(/swap$/)], [10, 10, 10])
})
