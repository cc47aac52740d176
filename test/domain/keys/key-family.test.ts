import assert from 'node:assert/strict'
import { test } from 'node:test'
import { familyOf, familyOfSignIns, familyOfTimeSpan } from '../../../src/domain/keys/key-family.ts'
import type { KeyMaker } from '../../../src/domain/keys/key-maker-store.ts'
import { stopwatch } from '../../support/process/stopwatch.ts'

let made = 0
const maker = (keyId: string, by: Partial<KeyMaker>, atMs = 0, how: KeyMaker['how'] = 'created'): KeyMaker => ({
  id: String(++made),
  user_id: 'user',
  key_id: keyId,
  how,
  maker_key_id: null,
  sign_in_id: null,
  at_ms: atMs,
  last_at_ms: null,
  ...by,
})
const byKey = (id: string): Partial<KeyMaker> => ({ maker_key_id: id })
const bySignIn = (id: string): Partial<KeyMaker> => ({ sign_in_id: id })
const sorted = (ids: Set<string>) => [...ids].toSorted()

test('the family of a key contains itself and what it made or rotated, directly or through others', () => {
  const makers = [
    maker('a', bySignIn('s')),
    maker('b', byKey('a')),
    maker('c', byKey('b')),
    maker('d', byKey('x')),
    maker('d', byKey('c'), 5, 'rotated'),
    maker('e', byKey('x')),
  ]
  assert.deepEqual(sorted(familyOf(makers, ['a'])), ['a', 'b', 'c', 'd'])
  assert.deepEqual(sorted(familyOf(makers, ['c'])), ['c', 'd'])
  assert.deepEqual(sorted(familyOf(makers, [])), [])
})

test('cycles end, and every key in a cycle stays in the family', () => {
  const makers = [
    maker('one', byKey('root'), 1, 'rotated'),
    maker('other', byKey('one'), 2, 'rotated'),
    maker('one', byKey('other'), 3, 'rotated'),
    maker('one', byKey('one'), 4, 'rotated'),
  ]
  assert.deepEqual(sorted(familyOf(makers, ['root'])), ['one', 'other', 'root'])
})

test('the family of a sign-in includes the keys it kept, whatever another sign-in did to them later', () => {
  const makers = [
    maker('kept', bySignIn('thief'), 1, 'kept'),
    maker('rotated', bySignIn('thief'), 2, 'rotated'),
    maker('child', byKey('rotated'), 3),
    maker('rotated', bySignIn('owner'), 4, 'rotated'),
    maker('own', bySignIn('owner'), 5),
  ]
  assert.deepEqual(sorted(familyOfSignIns(makers, new Set(['thief']))), ['child', 'kept', 'rotated'])
})

test('the family of a time span, ends included, contains the keys, the keys that made them, and everything else of the sign-ins behind them', () => {
  const makers = [
    maker('stolen', bySignIn('owner'), 1),
    maker('earlier', byKey('stolen'), 2),
    maker('told', byKey('stolen'), 10),
    maker('too', bySignIn('thief'), 20),
    maker('before', bySignIn('thief'), 3),
    maker('kept', bySignIn('other'), 15, 'kept'),
    maker('late', bySignIn('other'), 21),
  ]
  const expected = ['before', 'earlier', 'stolen', 'told', 'too']
  assert.deepEqual(sorted(familyOfTimeSpan(makers, 10, 20)), expected)
  assert.deepEqual(sorted(familyOfTimeSpan(makers, 11, 19)), [])
})

test('a family over a hundred thousand rows is computed in linear time', () => {
  const makers = Array.from({ length: 100_000 }, (_, index) => maker(`k${index + 1}`, byKey(`k${index}`)))
  const tookMs = stopwatch()
  assert.equal(familyOf(makers, ['k0']).size, 100_001)
  assert.ok(tookMs() < 3000)
})
