import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError, assertSecurityHeaders } from '../../../support/http/answers.ts'
import { sendBytes } from '../../../support/wire/raw.ts'
import { startService } from '../../../support/service.ts'
import type { Answer, Service } from '../../../support/service.ts'
import { databaseContent } from '../../../support/database/state.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

function assertMalformed(answer: Answer, code: string, status: number, label: string): void {
  assert.equal(answer.status, status, `${label}: ${answer.status} ${answer.text}`)
  assert.deepEqual(Object.keys(answer.body), ['error'], label)
  assert.deepEqual(Object.keys(answer.body.error).toSorted(), ['code', 'message'], label)
  assert.equal(answer.body.error.code, code, label)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8', label)
  assert.equal(answer.headers.get('cache-control'), 'no-store', label)
  assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(answer.text)), label)
  assert.equal(answer.headers.get('connection'), 'close', label)
  assertSecurityHeaders(answer, label)
}

const crlf = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`
const HOST = 'Host: 127.0.0.1'
const CHUNKED = [
  'POST /api/v1/auth/request HTTP/1.1',
  HOST,
  'Content-Type: application/json',
  'Transfer-Encoding: chunked',
]

describe('malformed bytes', () => {
  // `sendBytes` returns only when the server has closed, so each case tests that too.
  const garbage: Readonly<Record<string, string>> = {
    'not HTTP': 'QZXJ\r\n\r\n',
    'a TLS greeting': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'an SSH greeting': 'SSH-2.0-OpenSSH_9.9\r\n',
    'the HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    zeros: '\0\0\0\0\r\n\r\n',
    'another protocol': crlf('GET / QZXJ/1.1', HOST),
    'an unknown version': crlf('GET / HTTP/3.7', HOST),
    'three words after the path': crlf('GET / HTTP/1.1 QZXJ', HOST),
    'a space in the path': crlf('GET /a b HTTP/1.1', HOST),
    'no path': crlf('GET  HTTP/1.1', HOST),
    'a header field without a name': crlf('GET / HTTP/1.1', HOST, ': QZXJ'),
    'a header field without a colon': crlf('GET / HTTP/1.1', HOST, 'QZXJ'),
    'a blank before the colon': crlf('GET / HTTP/1.1', HOST, 'X-QZXJ : 1'),
    'a zero byte in a value': crlf('GET / HTTP/1.1', HOST, 'X: QZXJ\0'),
    'a bare CR in a value': crlf('GET / HTTP/1.1', HOST, 'X: a\rQZXJ: 1'),
    'a folded line': crlf('GET / HTTP/1.1', HOST, 'X: a', ' QZXJ: 1'),
    'a name outside ASCII': crlf('GET / HTTP/1.1', HOST, 'X-\u00e9: QZXJ'),
    'an invalid length': crlf('POST / HTTP/1.1', HOST, 'Content-Length: QZXJ'),
    'a negative length': crlf('POST / HTTP/1.1', HOST, 'Content-Length: -1'),
    'a length that overflows': crlf('POST / HTTP/1.1', HOST, 'Content-Length: 99999999999999999999999'),
    'two lengths': crlf('POST / HTTP/1.1', HOST, 'Content-Length: 1', 'Content-Length: 2') + 'ab',
    'a length and chunks':
      crlf('POST / HTTP/1.1', HOST, 'Content-Length: 5', 'Transfer-Encoding: chunked') + '0\r\n\r\n',
    'chunked before identity': crlf('POST / HTTP/1.1', HOST, 'Transfer-Encoding: chunked, identity') + '0\r\n\r\n',
    'a length with a sign': crlf('POST / HTTP/1.1', HOST, 'Content-Length: +5') + 'QZXJ!',
    'a list of lengths': crlf('POST / HTTP/1.1', HOST, 'Content-Length: 5, 5') + 'QZXJ!',
    'a blank before the colon of the length': crlf('POST / HTTP/1.1', HOST, 'Content-Length : 5') + 'QZXJ!',
    'a blank before the length': crlf('POST / HTTP/1.1', HOST, ' Content-Length: 5') + 'QZXJ!',
    'a blank before the colon of the coding':
      crlf('POST / HTTP/1.1', HOST, 'Transfer-Encoding : chunked') + '0\r\n\r\n',
    'chunks twice':
      crlf('POST / HTTP/1.1', HOST, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked') + '0\r\n\r\n',
    'an unknown coding': crlf('POST / HTTP/1.1', HOST, 'Transfer-Encoding: xchunked') + '0\r\n\r\n',
    'a head that ends with a lone CR': `GET /QZXJ HTTP/1.1\r\n${HOST}\r\n\rX`,
    'a head that ends with a lone CR, and a length': `GET /QZXJ HTTP/1.1\r\n${HOST}\r\n\rContent-Length: 5\r\n\r\n`,
    'lines that end with LF alone': `GET /QZXJ HTTP/1.1\n${HOST}\n\n`,
    'a chunk size in another notation': crlf(...CHUNKED) + '0x4\r\nQZXJ\r\n0\r\n\r\n',
    'a chunk size with a sign': crlf(...CHUNKED) + '+4\r\nQZXJ\r\n0\r\n\r\n',
    'a chunk size that overflows': crlf(...CHUNKED) + 'fffffffffffffffff\r\nQZXJ\r\n0\r\n\r\n',
    'a chunk longer than its size': crlf(...CHUNKED) + '1\r\nQZXJ\r\n0\r\n\r\n',
    'chunks that end with LF alone': crlf(...CHUNKED) + '4\nQZXJ\n0\n\n',
    'a chunk extension without end': `${crlf(...CHUNKED)}4;${'QZXJ'.repeat(10_000)}`,
    'an invalid chunk size': crlf(...CHUNKED) + 'QZXJ\r\n',
  }

  for (const [what, bytes] of Object.entries(garbage)) {
    test(`(${what}) get 400, are not echoed, and close the connection [CVE-2024-22019]`, async () => {
      const answer = await sendBytes(service.origin, bytes)
      assertMalformed(answer, 'VALIDATION_FAILED', 400, what)
      // RFC 9110, section 6.6.1.
      assert.ok(Math.abs(Date.parse(answer.headers.get('date') ?? '') - Date.now()) < 60_000)
      assert.doesNotMatch(`${answer.text}${[...answer.headers].join()}`, /QZXJ/)
    })
  }

  test('hide no further request on the same connection [CVE-2024-22019]', async () => {
    const signUp = JSON.stringify({ email: 'smuggled@example.com' })
    const smuggled = [
      'POST /api/v1/auth/api/signup HTTP/1.1',
      HOST,
      'Content-Type: application/json',
      `Content-Length: ${signUp.length}`,
    ]
    for (const bytes of Object.values(garbage)) await sendBytes(service.origin, bytes + crlf(...smuggled) + signUp)
    assert.deepEqual(Object.values(await databaseContent(service.db)).flat(), [])
  })
})

const withHeaders = (...fields: readonly string[]) =>
  sendBytes(service.origin, crlf('GET /healthz HTTP/1.1', HOST, 'Connection: close', ...fields))

describe('headers', () => {
  test('of less than 16 KB are read', async () => {
    assert.equal((await withHeaders(`X: ${'a'.repeat(15_000)}`)).status, 200)
  })

  test('of more, in one field or in many, get 431, and so does a path of that length [F33]', async () => {
    const many = Array.from({ length: 900 }, (_, n) => `X-${n}: ${'a'.repeat(16)}`)
    // Less than 16 KB: their number is limited too, because Node.js silently drops fields beyond its own limit.
    const tiny = Array.from({ length: 2500 }, () => 'a:')
    for (const [what, answer] of Object.entries({
      'one field': await withHeaders(`X: ${'a'.repeat(17_000)}`),
      'a name': await withHeaders(`${'a'.repeat(17_000)}: x`),
      'many fields': await withHeaders(...many),
      'thousands of fields': await withHeaders(...tiny),
      'thousands of fields before a second Host': await withHeaders(...tiny, 'Host: evil.example'),
      'a cookie': await withHeaders(`Cookie: ${'a=b; '.repeat(4000)}`),
      'ten thousand cookies': await withHeaders(`Cookie: ${'a=b; '.repeat(10_000)}`),
      'ten thousand Cookie fields': await withHeaders(...Array.from({ length: 10_000 }, () => 'Cookie: a=b')),
      'a megabyte': await withHeaders(`X: ${'a'.repeat(1_000_000)}`),
      'a trailer': await sendBytes(service.origin, `${crlf(...CHUNKED)}2\r\n{}\r\n0\r\nX: ${'a'.repeat(17_000)}`),
      'a token': await withHeaders(`Authorization: Bearer ${'a'.repeat(17_000)}`),
      'a path': await sendBytes(service.origin, crlf(`GET /${'a'.repeat(17_000)} HTTP/1.1`, HOST)),
      'a query': await sendBytes(
        service.origin,
        crlf(`GET /api/v1/auth/verify?token=${'a'.repeat(17_000)} HTTP/1.1`, HOST),
      ),
    }))
      assertMalformed(answer, 'HEADERS_TOO_LARGE', 431, what)
  })
})

test('a request without Host or with two gets 400 and does nothing; HTTP/1.0 needs none', async () => {
  const body = '{"email":"hostless@example.com"}'
  const fields = ['Connection: close', 'Content-Type: application/json', `Content-Length: ${body.length}`]
  for (const hosts of [[], [HOST, 'Host: evil.example'], [HOST, 'host: 127.0.0.1']]) {
    const answer = await sendBytes(
      service.origin,
      crlf('POST /api/v1/auth/api/signup HTTP/1.1', ...hosts, ...fields) + body,
    )
    assertError(answer, 'VALIDATION_FAILED', 'The request must have exactly one Host header.')
    assertSecurityHeaders(answer)
  }
  assert.deepEqual((await databaseContent(service.db)).users, [])
  assert.equal((await sendBytes(service.origin, 'GET /healthz HTTP/1.0\r\n\r\n')).status, 200)
})

test('field names that objects inherit are ordinary names [CVE-2026-21710]', async () => {
  const names = [
    '__proto__',
    '__PROTO__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
  ]
  const { token } = await service.signUp('inherited@example.com')
  for (const fields of [
    ...names.map((name) => [`${name}: x`]),
    names.map((name) => `${name}: x`),
    ['__proto__: x', '__proto__: y'],
  ]) {
    assert.equal((await withHeaders(...fields)).status, 200, fields.join())
    const protectedCall = ['GET /api/v1/users/me HTTP/1.1', HOST, 'Connection: close', ...fields]
    assertError(await sendBytes(service.origin, crlf(...protectedCall)), 'UNAUTHORIZED')
    const authorized = await sendBytes(service.origin, crlf(...protectedCall, `Authorization: Bearer ${token}`))
    assert.equal(authorized.status, 200, fields.join())
  }
  const trailed = await sendBytes(
    service.origin,
    `${crlf(...CHUNKED, 'Connection: close')}2\r\n{}\r\n0\r\n__proto__: x\r\n\r\n`,
  )
  assertError(trailed, 'VALIDATION_FAILED')
})
