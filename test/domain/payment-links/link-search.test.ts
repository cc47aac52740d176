import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMatching } from '../../../src/domain/payment-links/link-search.ts'

const link = { id: '0199d6c2-7f3a-7c41', title: 'Plată pentru ȘCOALĂ & Straße', reference: 'INV-2026/014' }

const findsIn = (one: typeof link | (Omit<typeof link, 'reference'> & { reference: null }), search: string) =>
  findMatching([one], search, 1).found.length === 1

test('a search finds parts of title, reference and id, in any order and case, with or without accents', () => {
  for (const search of [
    'plata',
    'PLATĂ',
    'scoala',
    'școală',
    'şcoală',
    'inv-2026',
    '014 plat',
    '  plata   inv ',
    '0199D6C2',
    '&',
    '2026/',
  ])
    assert.equal(findsIn(link, search), true, search)
})

test('a search finds no link without every word, across two fields, or by a pattern', () => {
  for (const search of ['plata 015', 'straßeinv', '0140199', 'straße inv-2026 x', '%', '_', '.*', 'undefined'])
    assert.equal(findsIn(link, search), false, search)
  assert.equal(findsIn({ ...link, reference: null }, 'null'), false)
})

test('a search for a word that is accents alone, or a character that only resembles one, finds no link', () => {
  for (const search of ['\u0301', 'plata \u0301', '\u00b4', '\u00a8 \u00b8'])
    assert.equal(findsIn(link, search), false, JSON.stringify(search))
})

test('a search looks at all links with short titles of any script, and at a part of those that take long', () => {
  const compared = (title: string, reference: string | null = null) =>
    findMatching(
      Array.from({ length: 1000 }, () => ({ ...link, title, reference })),
      'none',
      100,
    ).compared
  assert.equal(compared('a'.repeat(100), 'b'.repeat(100)), 1000)
  assert.equal(compared('Plată pentru școală, luna mai.'), 1000)
  assert.equal(compared('\u1f82'.repeat(100)), 300)
  assert.equal(compared(`a${'\u0300'.repeat(99)}`, '\ufdfa'.repeat(100)), 150)
})

test('a search stops at its limit', () => {
  const { found, compared } = findMatching(
    Array.from({ length: 1000 }, () => link),
    'plata',
    20,
  )
  assert.deepEqual([found.length, compared], [20, 20])
})
