import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { assertError, assertUncacheable, assertSecurityHeaders } from '../../support/http/answers.ts'
import { sendBytes, sendRaw, untilClosed } from '../../support/wire/raw.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Service } from '../../support/service.ts'
import { databaseContent, recipientsOf } from '../../support/database/state.ts'

const LIMIT = 64 * 1024
let service: Service
before(async () => {
  service = await startService({ RATE_LIMITS: 'on', RATE_LIMIT_SIGN_IN_FAILURES: '1/1h' })
})
after(() => service.close())

const head = (line: string, ...fields: readonly string[]) => sendRaw(service.origin, [`${line} HTTP/1.1`, ...fields])

test('every answer, success or error, has security header fields, no-store and a request id', async () => {
  const { token } = await service.signUp('ana@example.com')
  const answers: Record<number, Answer[]> = {
    200: [await service.call('GET /users/me', { token }), await head('GET /'), await head('GET /api/v1/auth/config')],
    201: [await service.call('POST /auth/api-keys', { token })],
    204: [await head('OPTIONS /api/v1/users/me', 'Origin: https://evil.example', 'Access-Control-Request-Method: GET')],
    302: [await service.call('GET /auth/verify?token=x', { headers: { accept: 'text/html' } })],
    400: [
      await service.call('POST /auth/request', { body: {} }),
      await head('GET /%zz'),
      await head('GET /api/v1/auth/verify'),
    ],
    401: [await service.call('GET /users/me'), await service.call('GET /auth/verify?token=x')],
    403: [await service.call('POST /auth/request', { body: {}, headers: { origin: 'null' } })],
    404: [
      await head('GET /nowhere'),
      await service.call('POST /auth/api-keys/x/revoke', { token }),
      await head('PROPFIND /'),
    ],
    405: [await service.call('PUT /users/me', { token }), await head('POST /')],
    409: [await service.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })],
    413: [await service.call('POST /auth/request', { body: 'x'.repeat(LIMIT + 1) })],
    415: [await service.call('POST /auth/request', { body: '{}', headers: { 'content-type': 'text/plain' } })],
    429: [await service.call('GET /auth/verify?token=x')],
  }
  for (const [status, group] of Object.entries(answers)) {
    for (const [index, answer] of group.entries()) {
      const said = `${status}, ${index}`
      assert.equal(answer.status, Number(status), `${said}: ${answer.status} ${answer.text}`)
      assertUncacheable(answer)
      const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true
      assertSecurityHeaders(answer, said)
      if (!isPage && answer.text !== '')
        assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8', said)
      if (Number(status) >= 400) assertError(answer, answer.body.error.code)
    }
  }
})

test('an unknown path is 404 for every method, and is not echoed', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'MKCOL', 'REPORT', 'SUBSCRIBE']) {
    for (const path of [
      '/QZXJ',
      '/api/v1/QZXJ',
      '/api/v2/users/me',
      '/api/v2',
      '/QZXJ/%2e%2e/etc/passwd',
      '/.env',
      '/package.json',
    ]) {
      const answer = await head(`${method} ${path}`, 'X-Header: QZXJ')
      assertError(answer, 'NOT_FOUND', 'Not found.')
      assert.doesNotMatch(`${answer.text}${[...answer.headers].join()}`, /QZXJ/)
    }
  }
  const headed = await head('HEAD /nowhere')
  assert.deepEqual([headed.status, headed.text], [404, ''])
})

test('a path with invalid percent-encoding is 400, and is not echoed', async () => {
  for (const path of [
    '/%',
    '/%zz',
    '/QZXJ%',
    '/%e0%a4%a',
    '/api/v1/auth/api-keys/%ff/revoke',
    '/api/v1/auth/api-keys/%c0%af/keep',
    '/%u0041',
  ]) {
    const answer = await head(`POST ${path}`)
    assertError(answer, 'VALIDATION_FAILED', 'The path has an invalid percent-escape.')
    assertSecurityHeaders(answer, path)
    assert.doesNotMatch(answer.text, /QZXJ|%/)
  }
})

/** Valid JSON of this many bytes. */
const ofLength = (length: number) => {
  const [start, end] = ['{"email":"', '"}']
  return start + 'a'.repeat(length - start.length - end.length) + end
}

describe('a body', () => {
  test('of 64 KiB is read, valid or not; one byte more is 413 and nothing is stored [F32]', async () => {
    await recipientsOf(service)
    const stored = await databaseContent(service.db)
    assertError(await service.call('POST /auth/api/signup', { body: ofLength(LIMIT) }), 'VALIDATION_FAILED', /^`email`/)
    assertError(await service.call('POST /auth/api/signup', { body: ofLength(LIMIT + 1) }), 'PAYLOAD_TOO_LARGE')
    const padded = `${' '.repeat(LIMIT)}{"email":"padded@example.com"}`
    assertError(await service.call('POST /auth/api/signup', { body: padded }), 'PAYLOAD_TOO_LARGE')
    assert.deepEqual(await databaseContent(service.db), stored)
  })

  test('is counted on arrival when its length is unknown, and not awaited when the declared length is too large [F32]', async () => {
    const lines = [
      'POST /api/v1/auth/api/signup HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      'Connection: close',
    ]
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`
    const endless = [...lines, 'Transfer-Encoding: chunked', '', chunk.repeat(5)].join('\r\n')
    assertError(await sendBytes(service.origin, endless), 'PAYLOAD_TOO_LARGE')
    const announced = [...lines, `Content-Length: ${10 ** 12}`, '', '{'].join('\r\n')
    assertError(await sendBytes(service.origin, announced), 'PAYLOAD_TOO_LARGE')
  })

  test('is refused with an answer that reaches the caller while it is still sending, and the connection stays open', async () => {
    const { hostname, port } = new URL(service.origin)
    const socket = connect(Number(port), hostname)
    const received = untilClosed(socket)
    const lines = [
      'POST /api/v1/auth/api/signup HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      'Content-Length: 100000',
      '',
      '',
    ]
    socket.write(lines.join('\r\n'))
    await once(socket, 'data')
    for (let sent = 0; sent < 100_000; sent += 1000) socket.write(' '.repeat(1000))
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    assert.match((await received).toString(), /^HTTP\/1\.1 413 [^]*PAYLOAD_TOO_LARGE[^]*HTTP\/1\.1 200 /)
  })

  test('is not read when the path, the method or the token is wrong', async () => {
    const body = ofLength(LIMIT + 1)
    for (const type of ['application/json', 'text/plain']) {
      const headers = { 'content-type': type }
      for (const wrong of ['{', body])
        assertError(await service.call('POST /nowhere', { body: wrong, headers }), 'NOT_FOUND')
    }
    assertError(await service.call('PUT /auth/request', { body }), 'METHOD_NOT_ALLOWED')
    assertError(await service.call('POST /auth/api-keys', { body }), 'UNAUTHORIZED')
    assertError(
      await service.call('POST /auth/api-keys', { body: 'x', headers: { 'content-type': 'text/x' } }),
      'UNAUTHORIZED',
    )
  })
})

const signUp = (email: string, type: string | undefined) =>
  sendRaw(
    service.origin,
    ['POST /api/v1/auth/api/signup HTTP/1.1', ...(type === undefined ? [] : [`Content-Type: ${type}`])],
    JSON.stringify({ email }),
  )

describe('the Content-Type', () => {
  const accepted = [
    'application/json',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json; charset="utf-8"',
    'APPLICATION/JSON',
    'Application/Json ; x=y',
  ]
  const refused = [
    undefined,
    '',
    ' ',
    'json',
    '/json',
    'application/',
    'application',
    'application/*',
    '*/*',
    'application/*+json',
    'text/json',
    'text/plain',
    'text/plain;charset=utf-8',
    'text/plain;application/json',
    'text/plain; x="application/json"',
    'text/plain, application/json',
    'application/json, text/plain',
    'application/json,application/json',
    'application/jsonx',
    'application/json+x',
    'application/json-x',
    'application/json/x',
    'application//json',
    'application/x-json',
    'application/ld+json',
    'application/problem+json',
    'application/vnd.api+json',
    'application/json5',
    'application/jsonp',
    'application/javascript',
    'application/xml',
    'text/html',
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded; application/json',
    'multipart/form-data; boundary=x',
    'multipart/form-data; boundary=application/json',
    'application/octet-stream',
    'application\\json',
    'application/json\u00e9',
    '"application/json"',
    'xapplication/json',
    'application /json',
    'application/csp-report',
    'image/svg+xml',
    'text/event-stream',
    'charset=utf-8',
    '; application/json',
    ', application/json',
    'undefined',
    '__proto__',
    'constructor/prototype',
  ]
  test('application/json is accepted in any spelling, with any parameters', async () => {
    for (const [index, type] of accepted.entries()) {
      const answer = await signUp(`typed${index}@example.com`, type)
      assert.equal(answer.status, 201, `${type} ${answer.text}`)
    }
  })

  test('other than that, or none, is 415 and nothing reaches a handler: no row, no mail [CVE-2025-32442]', async () => {
    await recipientsOf(service)
    const stored = await databaseContent(service.db)
    for (const type of refused) {
      const answer = await signUp('untyped@example.com', type)
      assertError(answer, 'UNSUPPORTED_MEDIA_TYPE', errorFor415)
    }
    assert.deepEqual(await databaseContent(service.db), stored)
    assert.ok(!(await recipientsOf(service)).includes('untyped@example.com'))
  })

  test('never bypasses the validation of the body, in any spelling [CVE-2025-32442]', async () => {
    await recipientsOf(service)
    const stored = await databaseContent(service.db)
    const spellings = [
      ...accepted,
      ' application/json',
      '\tapplication/json',
      'application/json\t',
      'application/json ',
      'application/json;',
      'application/json ;',
      'application/json;;',
      'application/json\t;x=y',
      'application/json; ',
      'application/json;charset',
      'application/json; =',
      'application/json;"',
      'aPPLICATION/jSON;a=b;c=d',
      'application/json; charset=utf-16',
      'application/json; charset=latin1',
      'application/json; boundary=x',
      'application/json;charset=utf-8;charset=utf-7',
      'application/json\u00a0',
      'application/json\u00a0;x',
      'application/json, x',
      'application/json x',
      'application/json\tx',
    ]
    const invalid = [
      '{"email":1}',
      '{}',
      '[]',
      'null',
      '{"email":"untyped@example.com","role":"ADMIN"}',
      '{"email":"untyped@example.com","name":""}',
      'email=untyped@example.com',
    ]
    for (const [index, type] of [...spellings, ...refused.filter((each) => each !== undefined)].entries()) {
      const lines = ['POST /api/v1/auth/api/signup HTTP/1.1', `Content-Type: ${type}`]
      const answer = await sendRaw(service.origin, lines, invalid[index % invalid.length])
      assert.ok([400, 415].includes(answer.status), `${type}: ${answer.status} ${answer.text}`)
    }
    assert.deepEqual(await databaseContent(service.db), stored)
  })

  test('sent twice: the first counts, and the second changes nothing', async () => {
    const lines = [
      'POST /api/v1/auth/api/signup HTTP/1.1',
      'Content-Type: text/plain',
      'Content-Type: application/json',
    ]
    const answer = await sendRaw(service.origin, lines, '{"email":"untyped@example.com"}')
    assertError(answer, 'UNSUPPORTED_MEDIA_TYPE')
  })

  const errorFor415 = 'The request body must be sent as Content-Type: application/json.'
})
