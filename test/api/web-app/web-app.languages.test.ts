import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { parseAst } from 'vite'

const built = new URL('../../../web/dist/', import.meta.url)
/** Each language is named in its own words, so that its readers find it. */
const OWN_NAMES = new Set(['English', 'Română'])
const ROMANIAN = /[ăâîșț]|\b(?:nu|și|cu|din|pentru|cheia|este|linkul)\b/i
const ENGLISH = /\b(?:the|your|you|with|this|that|was|from|again)\b/i
/** Messages for developers, which no page shows. */
const UNSHOWN = /Not the address of the script/

function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn)
  if (typeof node !== 'object' || node === null) return []
  const { type, value } = node as { type?: string; value?: unknown }
  if (type === 'Literal') return typeof value === 'string' ? [value] : []
  // A tagged template may have escapes that are none: they are not texts.
  if (type === 'TemplateElement') return [(value as { cooked: string | null }).cooked ?? '']
  return Object.values(node).flatMap(textsIn)
}

function textsOf(language: string): string[] {
  const names = readdirSync(new URL('assets/', built)).filter((name) =>
    new RegExp(`\\.${language}-.*\\.js$`).test(name),
  )
  assert.ok(names.length >= 3, 'sign-in, what both share, and the pages behind the sign-in')
  const scripts = names.flatMap((name) => textsIn(parseAst(readFileSync(new URL(`assets/${name}`, built), 'utf8'))))
  const [, page = ''] = readFileSync(new URL(`index.${language}.html`, built), 'utf8').split('<body')
  // Only examples of code have several lines.
  const words = scripts.filter((text) => !text.includes('\n') && !OWN_NAMES.has(text) && !UNSHOWN.test(text))
  return [...words, page]
}

test('the English build contains no Romanian text', () => {
  const texts = textsOf('en')
  assert.ok(texts.some((text) => ENGLISH.test(text)))
  assert.deepEqual(
    texts.filter((text) => ROMANIAN.test(text)),
    [],
  )
})

test('the Romanian build contains no English text', () => {
  const texts = textsOf('ro')
  assert.ok(texts.some((text) => ROMANIAN.test(text)))
  assert.deepEqual(
    texts.filter((text) => ENGLISH.test(text)),
    [],
  )
})

test('both languages share one style sheet for each part of the app', () => {
  const sheets = readdirSync(new URL('assets/', built)).filter((name) => name.endsWith('.css'))
  const parts = sheets.map((name) => name.split('-').slice(0, -1).join('-'))
  assert.deepEqual(parts, [...new Set(parts)])
})

test('a count has the form of its language: Romanian puts "de" from 20 on, English does not', async () => {
  const forms = { one: '# cheie', few: '# chei', other: '# de chei' }
  const expected = {
    1: '1 cheie',
    2: '2 chei',
    19: '19 chei',
    20: '20 de chei',
    101: '101 chei',
    1000: '1.000 de chei',
  }
  const romanian = await pluralIn('ro')
  for (const [count, text] of Object.entries(expected)) assert.equal(romanian(Number(count), forms), text)
  const english = await pluralIn('en')
  const keys = [1, 2, 1000].map((count) => english(count, { one: '# key', other: '# keys' }))
  assert.deepEqual(keys, ['1 key', '2 keys', '1,000 keys'])
})

/** Bundled with the constant that the build of the app sets. */
async function pluralIn(language: string): Promise<(count: number, forms: Readonly<Record<string, string>>) => string> {
  const source = new URL('../../../web/src/', import.meta.url)
  const build = await rolldown({
    input: fileURLToPath(new URL('plural.ts', source)),
    transform: { define: { BUILD_LANGUAGE: JSON.stringify(language) } },
  })
  const { output } = await build.generate({ format: 'cjs' })
  await build.close()
  const exports: Record<string, any> = {}
  runInNewContext(output[0].code, { exports, Intl })
  return exports['plural']
}
