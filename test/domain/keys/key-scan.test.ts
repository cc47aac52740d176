import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createKeyScanner } from '../../../src/domain/keys/key-scan.ts'
import type { Finding } from '../../../src/domain/keys/key-scan.ts'
import { newKeySecret } from '../../../src/domain/keys/key-secret.ts'
import { systemRandom } from '../../../src/lib/random.ts'

function scanAll(pieces: readonly string[]): Finding[] {
  const scanner = createKeyScanner()
  return pieces.flatMap((piece) => scanner.scan(piece))
}

const noise = fc.string({ unit: fc.constantFrom('a', 'p', 'pls', 'pls_', '_', '\n', ' ', '9', '"', 'é') })
const part = fc.oneof(noise, fc.constant(null))

test('every secret is found once, at its line and column, wherever the text is cut into pieces', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.array(fc.nat(400)), (parts, cuts) => {
      const expected: Finding[] = []
      let text = ''
      for (const each of parts) {
        if (each === null) {
          const lines = text.split('\n')
          expected.push({ line: lines.length, column: (lines.at(-1) ?? '').length + 1 })
        }
        text += each ?? newKeySecret(systemRandom)
      }
      const ends = [...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length]
      const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
      assert.deepEqual(scanAll(pieces), expected)
    }),
  )
})

test('text that resembles a secret is not found: a wrong checksum, a missing character, another prefix', () => {
  const secret = newKeySecret(systemRandom)
  const wrongEnd = secret.slice(0, -1) + (secret.endsWith('x') ? 'y' : 'x')
  for (const text of [wrongEnd, secret.slice(0, -1), secret.replace('pls_', 'plk_'), secret.replace('_', '-')]) {
    assert.deepEqual(scanAll([text]), [], text)
    assert.deepEqual(scanAll([`${text} ${secret}`]), [{ line: 1, column: text.length + 2 }])
  }
})

test('a secret is found in UTF-16 text, in quotes, in a URL and inside a longer word', () => {
  const secret = newKeySecret(systemRandom)
  const utf16 = Buffer.from(`key: ${secret}\n`, 'utf16le').toString('latin1')
  for (const text of [utf16, `"${secret}"`, `?key=${secret}&x`, `xyz${secret}xyz`, `pls_pls_${secret}`]) {
    assert.equal(scanAll([text]).length, 1, text)
    assert.equal(scanAll([...text]).length, 1, `${text}, a character at a time`)
  }
})
