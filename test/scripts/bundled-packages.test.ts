import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { billOfMaterials, noticesOf, packagesOf } from '../../scripts/bundled-packages.ts'
import { temporaryFolder } from '../support/files.ts'

const folder = temporaryFolder()
after(() => folder.remove())

/** Creates a package, and returns its folder. */
function place(path: string, manifest: object, files: Readonly<Record<string, string>> = {}): string {
  const at = join(folder.path, path)
  mkdirSync(at, { recursive: true })
  for (const [name, text] of Object.entries({ 'package.json': JSON.stringify(manifest), 'index.js': '', ...files }))
    writeFileSync(join(at, name), text)
  return at
}

test('each package is listed once by name and version, also when nested; our own code is not', () => {
  const outer = place(
    'node_modules/outer',
    { name: 'outer', version: '2.0.0', license: 'ISC' },
    { LICENSE: 'of outer\n', NOTICE: 'by outer\n' },
  )
  const scoped = place(
    'node_modules/@a/scoped',
    { name: '@a/scoped', version: '1.0.0', license: 'MIT' },
    { 'license.md': 'of scoped' },
  )
  const inner = place(
    'node_modules/outer/node_modules/@a/scoped',
    { name: '@a/scoped', version: '0.9.0', license: 'MIT' },
    { LICENCE: 'of inner' },
  )
  place('node_modules/outer/dist', { type: 'commonjs' })
  const modules = [
    `${outer}/dist/index.js`,
    `${outer}/index.js`,
    `\0${scoped}/index.js?commonjs-es-import`,
    `${inner}/index.js`,
    '/src/main.ts',
    '\0runtime',
  ]
  const found = packagesOf(modules)
  assert.deepEqual(
    found.map(({ name, version, notice }) => [name, version, notice]),
    [
      ['@a/scoped', '0.9.0', 'of inner'],
      ['@a/scoped', '1.0.0', 'of scoped'],
      ['outer', '2.0.0', 'of outer\n\nby outer'],
    ],
  )
  assert.match(noticesOf(found), /^outer 2\.0\.0 \(ISC\)\n\nof outer\n\nby outer\n$/m)
  const { components } = JSON.parse(billOfMaterials('paylink-auth', '1.2.3', found)) as {
    components: { purl: string }[]
  }
  assert.deepEqual(
    components.map(({ purl }) => purl),
    ['pkg:npm/%40a/scoped@0.9.0', 'pkg:npm/%40a/scoped@1.0.0', 'pkg:npm/outer@2.0.0'],
  )
})

test('a licence text in the readme counts, and the MIT text is known; without any text the build fails', () => {
  const readme = '# License\n\nCopyright (c) 2013 Ana\n\nPermission is hereby granted, to anybody.'
  const inReadme = place(
    'node_modules/in-readme',
    { name: 'in-readme', version: '1.0.0', license: 'MIT' },
    { 'README.md': readme },
  )
  const forgotten = place('node_modules/forgotten', {
    name: 'forgotten',
    version: '1.0.0',
    license: 'MIT',
    author: { name: 'Ion' },
  })
  const [known, read] = packagesOf([`${inReadme}/index.js`, `${forgotten}/index.js`])
  assert.equal(read?.notice, readme.replace('# License\n\n', ''))
  assert.match(known?.notice ?? '', /^Copyright Ion\n\nPermission is hereby granted/)
  const silent = place('node_modules/silent', { name: 'silent', version: '1.0.0', license: 'Apache-2.0' })
  assert.throws(() => packagesOf([`${silent}/index.js`]), /silent 1\.0\.0 \(Apache-2\.0\) ships no text/)
  const nameless = place('node_modules/nameless', { name: 'nameless', version: '1.0.0' })
  assert.throws(() => packagesOf([`${nameless}/index.js`]), /nameless has no name, version or licence/)
})

test('credits in a comment at the top of a module are listed too, once', () => {
  const block = '/* Copied from there.\n * Copyright Ana */'
  const lines = '// Based on that.\n// Copyright (c) 2012 Ion'
  const files = {
    LICENSE: 'of taker',
    'a.js': `'use strict'\n/* no credit */\n${block}\nlet a /* copyright below */`,
    'b.js': `${lines}\nlet b`,
    'c.js': block,
    'd.js': 'let d',
  }
  const taker = place('node_modules/taker', { name: 'taker', version: '1.0.0', license: 'MIT' }, files)
  const [found] = packagesOf(['a', 'b', 'c', 'd'].map((name) => `${taker}/${name}.js`))
  assert.equal(found?.notice, ['of taker', block, lines].join('\n\n'))
})
