/** Known bypasses of redirect checks, from published vulnerabilities of comparable systems. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { redirectTricks, scannerPayloads } from '../../support/http/redirect-tricks.ts'
import { assertSafe, frontend } from '../../support/http/redirects.ts'

describe('accepted, and used in its parsed form:', () => {
  for (const [given, target] of [
    ['https://app.example.com', 'https://app.example.com/'],
    ['https://app.example.com/signed-in?x=1#top', 'https://app.example.com/signed-in?x=1#top'],
    ['https://app.example.com:443/', 'https://app.example.com/'],
    ['HTTPS://APP.EXAMPLE.COM/A', 'https://app.example.com/A'],
    ['https:\\\\app.example.com\\a', 'https://app.example.com/a'],
    ['https://app.example.com\\@evil.example/', 'https://app.example.com/@evil.example/'],
    ['https:/app.example.com/a', 'https://app.example.com/a'],
    ['https:app.example.com/a', 'https://app.example.com/a'],
    ['https://app.example.com/a/../b', 'https://app.example.com/b'],
    [' \thttps://app.example.com/a\n', 'https://app.example.com/a'],
    ['ht\ntps://app.exa\tmple.com/a', 'https://app.example.com/a'],
    ['https://app.example.com/ă', 'https://app.example.com/%C4%83'],
    ['https://ａｐｐ.example.com/', 'https://app.example.com/'],
    ['https://app%2eexample.com/', 'https://app.example.com/'],
    ['https://app.example.com/?u=https://evil.example', 'https://app.example.com/?u=https://evil.example'],
    ['https://app.example.com//evil.example', 'https://app.example.com//evil.example'],
    ['https://app.example.com/@evil.example', 'https://app.example.com/@evil.example'],
  ] as const) {
    test(JSON.stringify(given), () => assert.equal(assertSafe(given), target))
  }
})

for (const [kind, inputs] of Object.entries(redirectTricks)) {
  describe(`refused: ${kind}`, () => {
    for (const input of inputs) {
      test(JSON.stringify(input), () => assert.equal(assertSafe(input), undefined))
    }
  })
}

test('every payload of an open-redirect scanner is refused [GHSA-qqxw-m5fj-f7gv]', () => {
  const payloads = scannerPayloads(frontend.host)
  assert.ok(payloads.length > 400)
  for (const payload of payloads) assert.equal(assertSafe(payload), undefined, payload)
})
