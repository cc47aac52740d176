/** The compiler does not know the classes of a CSS module: a typing error would style nothing. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const source = join(root, 'web/src')
const read = (path: string): string => readFileSync(join(source, path), 'utf8')

test('the classes of each CSS module are exactly those that its importers use', () => {
  const modules = globSync('**/*.module.css', { cwd: source })
  assert.ok(modules.length > 5)
  const used = new Map<string, Set<string>>(modules.map((path) => [path, new Set()]))
  for (const path of globSync('**/*.tsx', { cwd: source })) {
    const text = read(path)
    const code = text.replaceAll(/^import .*$/gm, '')
    for (const [, name = '', module = ''] of text.matchAll(/^import (\w+) from '(.+\.module\.css)'$/gm)) {
      const classes = used.get(relative(source, join(source, path, '..', module)))
      assert.ok(classes, `${path} imports ${module}`)
      for (const [, dotted, quoted = ''] of code.matchAll(
        new RegExp(`\\b${name}(?:\\.(\\w+)|\\['([\\w-]+)'\\])`, 'g'),
      )) {
        classes.add(dotted ?? quoted)
      }
    }
  }
  for (const [path, classes] of used) {
    const selectors = read(path)
      .replaceAll(/\/\*.*?\*\//gs, '')
      .replaceAll(/:global\([^)]*\)/g, '')
      .replaceAll(/\{[^{}]*\}/g, '')
    const defined = new Set([...selectors.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name))
    assert.deepEqual([...defined].toSorted(), [...classes].toSorted(), path)
  }
})
