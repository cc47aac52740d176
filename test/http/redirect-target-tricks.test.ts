/** The known tricks against redirect checks (published flaws of comparable systems), one by one. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertSafe } from '../support/redirects.ts'

describe('accepted, in the form that is used afterwards', () => {
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

const refused: Readonly<Record<string, readonly string[]>> = {
  'no absolute URL': ['', ' ', '/', '/signed-in', 'signed-in', '?x', '#x', '.', '..', 'app.example.com/a'],
  'no scheme, slashes and backslashes': [
    '//evil.example',
    '//app.example.com',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '///evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    '/%2fevil.example',
    '/%5cevil.example',
    'https:///evil.example',
    'https:\\\\evil.example',
    'https:/\\evil.example',
    'https:evil.example',
  ],
  'a login before the host': [
    'https://app.example.com@evil.example/',
    'https://app.example.com:443@evil.example/',
    'https://user@app.example.com/',
    'https://user:pass@app.example.com/',
    'https://:pass@app.example.com/',
    'https://app.example.com%40evil.example/',
    'https://evil.example@app.example.com/',
    'https://app.example.com%2f@evil.example/',
  ],
  'a host that only begins or ends alike': [
    'https://app.example.com.evil.example/',
    'https://app.example.comevil.example/',
    'https://evilapp.example.com/',
    'https://app.example.evil/',
    'https://x.app.example.com/',
    'https://example.com/',
    'https://app.example.com./',
    'https://app-example.com/',
    'https://app.example.co/',
    'https://evil.example/app.example.com',
    'https://evil.example?https://app.example.com',
    'https://evil.example#https://app.example.com',
    'https://evil.example\\.app.example.com/',
    'https://evil.example%00.app.example.com/',
    'https://evil.example%23.app.example.com/',
    'https://evil.example%2f.app.example.com/',
  ],
  'another scheme': [
    'http://app.example.com/',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'javascript://app.example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://app.example.com/0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10',
    'filesystem:https://app.example.com/temporary/x',
    'view-source:https://app.example.com/',
    'file:///etc/passwd',
    'ftp://app.example.com/',
    'ws://app.example.com/',
    'wss://app.example.com/',
    'about:blank',
    'mailto:ana@example.com',
    'app.example.com:https://x',
    'x-https://app.example.com/',
  ],
  'another port': [
    'https://app.example.com:444/',
    'https://app.example.com:80/',
    'https://app.example.com:0/',
    'https://app.example.com:65536/',
    'https://app.example.com:443x/',
    'https://app.example.com:-443/',
    'https://app.example.com:４４4/',
  ],
  'encoded once more': [
    'https%3A%2F%2Fapp.example.com',
    'https%253A%252F%252Fevil.example',
    'https:%2f%2fapp.example.com',
    '%68ttps://app.example.com',
    'https://app%252eexample.com/',
    'https://app.example.com%252f@evil.example/',
  ],
  'white space and control characters where they change the host': [
    'https://app.example.com .evil.example/',
    'https://app.example.com\u00a0.evil.example/',
    'https://app.example.com\0.evil.example/',
    'https://evil.example\t/app.example.com',
    'https://evil.example\r\nHost: app.example.com/',
    'https ://app.example.com/',
    '\u2028https://app.example.com/',
    '\ufeffhttps://app.example.com/',
  ],
  'letters that look alike': [
    'https://аpp.example.com/',
    'https://app.exаmple.com/',
    'https://app.example.com\uff0fevil.example/',
    'https://app.example.com。evil.example/',
    'https://app.example.com\u2100.evil.example/',
    'https://app\u2024example.evil/',
    'https://xn--pp-7kc.example.com/',
  ],
  'odd hosts': [
    'https://',
    'https://?app.example.com',
    'https://123?.app.example.com',
    'https://[::1]?app.example.com',
    'https://[::1].app.example.com/',
    'https://[app.example.com]/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://localhost/',
    'https://*.example.com/',
    'https://*/',
    'null',
    'undefined',
    '[object Object]',
  ],
}

for (const [kind, inputs] of Object.entries(refused)) {
  describe(`refused: ${kind}`, () => {
    for (const input of inputs) {
      test(JSON.stringify(input), () => assert.equal(assertSafe(input), undefined))
    }
  })
}
