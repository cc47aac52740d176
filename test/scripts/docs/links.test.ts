import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { anchorsIn, createSlugs, linksIn, resolveLink, withLinks } from '../../../scripts/docs/links.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Problems with the links of these texts. */
function problemsIn(pages: ReadonlyMap<string, string>, hasFile: (path: string) => boolean): string[] {
  return [...pages].flatMap(([page, markdown]) =>
    linksIn(markdown).flatMap(({ target, line }) => {
      // A link with a leading slash leads elsewhere on GitHub than on the service.
      if (target.startsWith('/')) return [`${page}:${line}: ${target} is no link to a file`]
      const link = resolveLink(page, target)
      if (link === undefined) return []
      const { file, fragment } = link
      if (!hasFile(file)) return [`${page}:${line}: there is no ${file}`]
      const hasAnchor = fragment === '' || anchorsIn(pages.get(file) ?? '').has(fragment)
      return hasAnchor ? [] : [`${page}:${line}: ${file} has no heading for #${fragment}`]
    }),
  )
}

const pages = new Map(
  globSync(['*.md', '{docs,sdk,bench,deploy,cli,scripts,test,src,web}/**/*.md'], {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', 'scripts/docs/**'],
  }).map((path) => [path, read(path)] as const),
)

test('every link leads to an existing target', () => {
  assert.ok(pages.size > 30 && [...pages.values()].flatMap(linksIn).length > 150, 'the pages were not found')
  assert.deepEqual(
    problemsIn(pages, (path) => existsSync(join(root, path))),
    [],
  )
})

test('a broken link is reported: to a file, a heading, a picture or an address of the service', () => {
  const texts = new Map([
    [
      'a.md',
      '# A b, c\n[x](docs/b.md)\n[x](docs/c.md)\n![x](d.webp)\n[x](#a-b-c)\n[x](#c)\n[x](/docs)\n[x](https://example.com/#y)\n`[x](e.md)`\n\n```\n[x](f.md)\n```\n',
    ],
    ['docs/b.md', '# B\n## `B`\n[x](../a.md#a-b-c) [x](../a.md#b) [x](#b-1) [x](#b-2)\n<a href="../g.md">x</a>\n'],
  ])
  assert.deepEqual(
    problemsIn(texts, (path) => texts.has(path)),
    [
      'a.md:3: there is no docs/c.md',
      'a.md:4: there is no d.webp',
      'a.md:6: a.md has no heading for #c',
      'a.md:7: /docs is no link to a file',
      'docs/b.md:3: a.md has no heading for #b',
      'docs/b.md:3: docs/b.md has no heading for #b-2',
      'docs/b.md:4: there is no g.md',
    ],
  )
})

test('links are replaced, and code is unchanged', () => {
  const markdown = '[a](b.md) `[a](b.md)`\n\n```ts\n[a](b.md)\n```\n\n[c](d.md#e)\n'
  assert.equal(
    withLinks(markdown, (target) => `/${target}`),
    '[a](/b.md) `[a](b.md)`\n\n```ts\n[a](b.md)\n```\n\n[c](/d.md#e)\n',
  )
})

test('anchors are those of GitHub', () => {
  const slug = createSlugs()
  assert.deepEqual(['KEY_AWAITS_OWNER', 'Whose account it is', "It wasn't you", '`a` & b', 'It wasn’t you'].map(slug), [
    'key_awaits_owner',
    'whose-account-it-is',
    'it-wasnt-you',
    'a--b',
    'it-wasnt-you-1',
  ])
})
