import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { columnsOf, visible, visibleJson } from '../../../src/lib/text/terminal.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { UNPRINTABLE } from '../../support/unprintable.ts'

test('escape sequences, controls, bidirectional overrides, invisible characters and lone surrogates are shown by code point', () => {
  const cases: Readonly<Record<string, string>> = {
    '\u001B[2J': '\\u{1b}[2J',
    'a\u009B31mb': 'a\\u{9b}31mb',
    'a\nb\r\tc': 'a\\u{a}b\\u{d}\\u{9}c',
    'exe\u202Egpj': 'exe\\u{202e}gpj',
    '\u2066\u2069\u200B\u00AD\uFEFF\u3164\u2028': '\\u{2066}\\u{2069}\\u{200b}\\u{ad}\\u{feff}\\u{3164}\\u{2028}',
    '\u{E0041}\uE000\uD800': '\\u{e0041}\\u{e000}\\u{d800}',
  }
  for (const [text, shown] of Object.entries(cases)) assert.equal(visible(text), shown)
})

test('ordinary text is unchanged', () => {
  for (const text of ['Ana Ștefănescu', '请求书', 'Δ → “€”', '\u{1F98A}', 'e\u0301', 'C:\\u{1b}', ' '])
    assert.equal(visible(text), text)
})

test('no text leaves unprintable characters, and JSON parses to the same value', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      assert.doesNotMatch(visible(text), UNPRINTABLE)
      const json = visibleJson(JSON.stringify({ [text]: [text] }, null, 2))
      assert.doesNotMatch(json.replaceAll('\n', ''), UNPRINTABLE)
      assert.deepEqual(JSON.parse(json), { [text]: [text] })
    }),
  )
})

test('columns are counted as a terminal shows them', () => {
  for (const [text, columns] of [
    ['abc', 3],
    ['请求', 4],
    ['\u{1F98A}', 2],
    ['e\u0301', 1],
    ['', 0],
  ] as const)
    assert.equal(columnsOf(text), columns, text)
})
