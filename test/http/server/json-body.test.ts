import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { assertError } from '../../support/http/answers.ts'
import { sendBytes, sendRaw } from '../../support/wire/raw.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Service } from '../../support/service.ts'
import { databaseContent, recipientsOf } from '../../support/database/state.ts'
import { stopwatch } from '../../support/process/stopwatch.ts'

const SIGNUP = '/api/v1/auth/api/signup'
let service: Service

before(async () => {
  service = await startService({ LOG_LEVEL: 'trace' })
})
after(() => service.close())

/** Signs up with these bytes as body. */
function signUpWith(body: Uint8Array | string, fields: readonly string[] = []): Promise<Answer> {
  const bytes = Buffer.from(body as string)
  const head = [
    `POST ${SIGNUP} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${bytes.length}`,
    ...fields,
  ]
  return sendBytes(service.origin, Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]))
}

/** Asserts that each body is refused, and that nothing of it is stored, sent, quoted or logged. */
async function assertRefused(bodies: readonly (Uint8Array | string)[], message: RegExp): Promise<void> {
  await recipientsOf(service)
  const stored = await databaseContent(service.db)
  const sent = service.smtp.mails.length
  for (const body of bodies) {
    const answer = await signUpWith(body)
    assertError(answer, 'VALIDATION_FAILED', message)
    assert.doesNotMatch(answer.text, /QZXJ/)
  }
  assert.deepEqual(await databaseContent(service.db), stored)
  assert.equal(service.smtp.mails.length, sent)
  assert.doesNotMatch(service.logLines.join(''), /QZXJ/)
}

const NOT_JSON = /^The request body is not valid JSON\.$/
const ENCODED = 'The request body must be sent without a Content-Encoding.'
const NOT_UTF8 = /^The request body is not valid UTF-8\.$/
const right = (email: string) => JSON.stringify({ email })

const inName = (bytes: readonly number[]) =>
  Buffer.concat([Buffer.from('{"email":"QZXJ@example.com","name":"'), Buffer.from(bytes), Buffer.from('"}')])

describe('bytes', () => {
  test('that are not UTF-8 are refused, not replaced', async () => {
    const broken = [
      [0xff],
      [0xfe, 0xff],
      [0x80],
      [0xc3],
      [0xc3, 0x28],
      [0xe2, 0x82],
      [0xf0, 0x9f, 0x98],
      // An overlong slash and quote, a surrogate half, and a code point beyond Unicode.
      [0xc0, 0xaf],
      [0xc0, 0xa2],
      [0xe0, 0x80, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      // "é" in ISO 8859-1.
      [0xe9],
    ]
    await assertRefused(broken.map(inName), NOT_UTF8)
  })

  test('of UTF-16 and UTF-32 are refused, with and without a byte order mark', async () => {
    const json = right('QZXJ@example.com')
    const little = Buffer.from(json, 'utf16le')
    const big = Buffer.from(little).swap16()
    const wide = Buffer.from([...Buffer.from(json)].flatMap((byte) => [byte, 0, 0, 0]))
    await assertRefused([little, big, wide], NOT_JSON)
    await assertRefused(
      [Buffer.from(`\ufeff${json}`, 'utf16le'), Buffer.concat([Buffer.from([0xfe, 0xff]), big])],
      NOT_UTF8,
    )
  })

  test('of a compressed body are refused: nothing is ever decompressed [F32]', async () => {
    const json = right('QZXJ@example.com')
    const codings = {
      gzip: gzipSync(json),
      deflate: deflateSync(json),
      br: brotliCompressSync(json),
      zstd: zstdCompressSync(json),
    }
    for (const [coding, packed] of Object.entries(codings)) {
      assertError(await signUpWith(packed, [`Content-Encoding: ${coding}`]), 'UNSUPPORTED_MEDIA_TYPE', ENCODED)
      await assertRefused([packed], /^The request body is not valid (UTF-8|JSON)\.$/)
    }
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
    assert.ok(bomb.length < 64 * 1024)
    const tookMs = stopwatch()
    assertError(await signUpWith(bomb, ['Content-Encoding: gzip']), 'UNSUPPORTED_MEDIA_TYPE', ENCODED)
    assert.ok(tookMs() < 1000)
  })

  test('with a Content-Encoding that they do not have, which a proxy might decode, are refused too [F32]', async () => {
    await recipientsOf(service)
    const stored = await databaseContent(service.db)
    for (const fields of [['gzip'], ['GZIP'], ['x'], ['identity, gzip'], ['identity', 'gzip'], ['gzip', 'identity']]) {
      const answer = await signUpWith(
        right('QZXJ@example.com'),
        fields.map((coding) => `Content-Encoding: ${coding}`),
      )
      assertError(answer, 'UNSUPPORTED_MEDIA_TYPE', ENCODED)
    }
    assert.deepEqual(await databaseContent(service.db), stored)
    for (const [index, coding] of ['', 'identity', 'Identity'].entries()) {
      const answer = await signUpWith(right(`plain${index}@example.com`), [`Content-Encoding: ${coding}`])
      assert.equal(answer.status, 201, `${coding}: ${answer.text}`)
    }
  })

  test('of a byte order mark before valid JSON do no harm: one account, with that address', async () => {
    const answer = await signUpWith(`\ufeff${right('bom@example.com')}`)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.body.user.email, 'bom@example.com')
  })
})

const deep = (open: string, close: string, inside = '1') => open.repeat(10_000) + inside + close.repeat(10_000)

describe('text', () => {
  test('that is not JSON is refused and never quoted back or logged', async () => {
    const malformed = [
      'QZXJ',
      '{"email":"QZXJ@example.com"',
      '{"email":"QZXJ@example.com",}',
      "{'email':'QZXJ@example.com'}",
      '{email:"QZXJ@example.com"}',
      '{"email":"QZXJ@example.com"}{"email":"QZXJ@example.com"}',
      '{"email":"QZXJ@example.com"} x',
      '{"email":"QZXJ@example.com"}\u0000',
      '{"email":"QZXJ@example.com"}//',
      '{"email":NaN}',
      '{"email":undefined}',
      '{"email":0x1}',
      '{"email":"QZXJ@example.com","name":"a\nb"}',
      '{"email":"QZXJ\\x41@example.com"}',
      '{"email":"QZXJ',
      'email=QZXJ@example.com',
      '<email>QZXJ@example.com</email>',
      '\u00a0{"email":"QZXJ@example.com"}',
      ')]}\',\n{"email":"QZXJ@example.com"}',
      '{',
      '[',
      '"',
      ' ',
      '\r\n',
    ]
    await assertRefused(malformed, NOT_JSON)
  })

  test('that is JSON but does not match the schema is refused, without quoting its values', async () => {
    await assertRefused(
      ['null', '0', '"QZXJ"', 'true', '[]', '["QZXJ@example.com"]'],
      /^The body must be a JSON object(, not an? [a-z]+)?\.$/,
    )
    await assertRefused(['{"email":"QZXJ"}'], /^`email` must be one plain e-mail address: it has no @\.$/)
  })

  test('that would set a prototype is refused, in every spelling and at any depth [F34]', async () => {
    const reaching = [
      '"__proto__":{"QZXJ":1}',
      '"__proto__":null',
      '"__proto__" : "QZXJ"',
      '"\\u005f\\u005fproto\\u005f\\u005f":{"QZXJ":1}',
      '"\\u005F_proto__":{}',
      '"constructor":{"prototype":{"QZXJ":1}}',
      '"c\\u006fnstructor":{"prototype":{}}',
      '"constructor":{"\\u0070rototype":{}}',
      '"name":{"a":[{"__proto__":{"QZXJ":1}}]}',
    ]
    await assertRefused(
      reaching.map((field) => `{"email":"QZXJ@example.com",${field}}`),
      /^The request body must not have a field `__proto__`/,
    )
    await assertRefused(['{"email":"QZXJ@example.com","constructor":1}'], /^`constructor` is not a known field\.$/)
    assert.equal(({} as Record<string, unknown>)['QZXJ'], undefined)
  })

  test('with ten thousand levels is refused at once, and the service continues [CVE-2025-59466, F34]', async () => {
    const bodies = [
      '['.repeat(60_000),
      '{"a":'.repeat(10_000),
      deep('[', ']'),
      deep('{"a":', '}'),
      `{"email":${deep('[', ']')}}`,
      `{"email":"a@example.com","name":${deep('[', ']')}}`,
      deep('{"a":', '}', '{"__proto__":1}'),
    ]
    const tookMs = stopwatch()
    await assertRefused(
      bodies,
      /^(The request body is not valid JSON|The request body must not have a field `__proto__`, or `constructor` with a `prototype`|(The body|`\w+`) (must be a (JSON object|string), not an? \w+|is required|is not a known field))\.$/,
    )
    assert.ok(tookMs() < 1000)
    assert.equal((await service.call('GET /auth/config')).status, 200)
  })

  test('that repeats a field uses its last value: one account and one mail', async () => {
    const { status, body } = await signUpWith('{"email":"first@example.com","email":"second@example.com"}')
    assert.equal(status, 201)
    assert.equal(body.user.email, 'second@example.com')
    assert.ok(!(await recipientsOf(service)).includes('first@example.com'))
    assert.ok(!(await databaseContent(service.db)).users.some(({ email }) => email === 'first@example.com'))
  })
})

describe('an empty body', () => {
  test('with a JSON content type counts as no body where none is required', async () => {
    const { token } = await service.signUp('empty@example.com')
    const head = [
      'POST /api/v1/auth/api-keys HTTP/1.1',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
    ]
    for (const length of ['Content-Length: 0', 'X-No-Length: 1']) {
      const answer = await sendRaw(service.origin, [...head, length])
      assert.equal(answer.status, 201, answer.text)
      assert.equal(answer.body.apiKey.name, 'API key')
    }
    const chunked = await sendBytes(
      service.origin,
      [...head, 'Host: x', 'Connection: close', 'Transfer-Encoding: chunked', '', '0', '', ''].join('\r\n'),
    )
    assert.equal(chunked.status, 201, chunked.text)
  })

  test('is refused where a body is required', async () => {
    await assertRefused([''], /^The body must be a JSON object(, not an? [a-z]+)?\.$/)
  })
})
