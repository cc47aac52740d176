/** Requests without a body are accepted with any Content-Type; a body where none is taken is refused. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { createKey, tokenOf } from '../../support/accounts/keys.ts'
import { assertError } from '../../support/http/answers.ts'
import { sendBytes, sendRaw } from '../../support/wire/raw.ts'
import { reset } from '../../support/wire/reset.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Service } from '../../support/service.ts'
import { assertNothingHappens } from '../../support/database/state.ts'

const FORM = 'application/x-www-form-urlencoded'
const TYPES = [FORM, 'text/plain', 'multipart/form-data; boundary=x', 'json', '', '*/*', 'application/json']

let service: Service
let token: string
before(async () => {
  service = await startService()
  token = await service.signIn('ana@example.com')
})
after(() => service.close())

const head = (route: string, type: string) => {
  const [method = '', path = ''] = route.split(' ')
  return [`${method} /api/v1${path} HTTP/1.1`, `Authorization: Bearer ${token}`, `Content-Type: ${type}`]
}

/** A chunked request, whose head does not tell whether there is a body. */
const sendChunked = (lines: readonly string[], ...chunks: readonly string[]): Promise<Answer> => {
  const body = [...chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`), '0\r\n\r\n'].join('')
  const fields = [...lines, 'Host: x', 'Connection: close', 'Transfer-Encoding: chunked']
  return sendBytes(service.origin, `${fields.join('\r\n')}\r\n\r\n${body}`)
}

test('a request without a body is accepted with any Content-Type, whether its length is 0, absent or unknown', async () => {
  const { apiKey } = await createKey(service, token)
  for (const type of TYPES) {
    for (const [route, status] of [
      [`POST /auth/api-keys/${apiKey.id}/rotate`, 200],
      [`POST /auth/api-keys/${apiKey.id}/keep`, 200],
      ['GET /users/me', 200],
      ['GET /auth/check', 200],
      ['POST /auth/check', 200],
    ] as const) {
      const answers = [
        await sendRaw(service.origin, [...head(route, type), 'Content-Length: 0']),
        await sendRaw(service.origin, head(route, type)),
        await sendChunked(head(route, type)),
      ]
      for (const answer of answers) assert.equal(answer.status, status, `${route} ${type}: ${answer.text}`)
    }
  }
})

test('without the body that it requires, an operation says so, whatever the Content-Type', async () => {
  for (const type of TYPES) {
    const answer = await sendRaw(service.origin, [...head('POST /auth/request', type), 'Content-Length: 0'])
    assertError(answer, 'VALIDATION_FAILED', 'The body must be a JSON object.')
  }
})

test('a body on an operation that takes none is 400, and the message names the query parameters', async () => {
  const { apiKey } = await createKey(service, token)
  const none = 'This operation takes no body.'
  const revokes = `POST /auth/api-keys/${apiKey.id}/revoke`
  const cases: [string, string, string][] = [
    [revokes, '{"withDescendants":true}', `${none} Send \`withDescendants\` in the query of the URL.`],
    [revokes, '"x"', `${none} Send \`withDescendants\` in the query of the URL.`],
    ['GET /auth/events', '{"limit":1}', `${none} Send \`cursor\`, \`limit\`, \`kind\` in the query of the URL.`],
    ['GET /users/me', '{}', none],
    ['POST /auth/tokens/revoke', '{"all":true}', none],
    ['DELETE /users/me', '{"confirm":true}', none],
    ['GET /users/me', '[1]', none],
  ]
  await assertNothingHappens(service, async () => {
    for (const [route, body, message] of cases) {
      assertError(await sendRaw(service.origin, head(route, 'application/json'), body), 'VALIDATION_FAILED', message)
      assertError(await sendChunked(head(route, 'application/json'), body), 'VALIDATION_FAILED', message)
    }
    for (const type of TYPES.slice(0, -1)) {
      const lines = head(revokes, type)
      const message = `${none} Send \`withDescendants\` in the query of the URL.`
      assertError(await sendRaw(service.origin, lines, 'withDescendants=true'), 'VALIDATION_FAILED', message)
      assertError(await sendChunked(lines, 'withDescendants', '=true'), 'VALIDATION_FAILED', message)
    }
  })
})

test('an unfinished body is refused before it has arrived where none is taken, or its type is wrong', async () => {
  for (const [route, code] of [
    ['POST /auth/tokens/revoke', 'VALIDATION_FAILED'],
    ['POST /auth/request', 'UNSUPPORTED_MEDIA_TYPE'],
  ] as const) {
    const lines = [...head(route, FORM), 'Host: x', 'Connection: close']
    const announced = await sendBytes(service.origin, [...lines, 'Content-Length: 10', '', 'x'].join('\r\n'))
    assertError(announced, code)
    const chunked = await sendBytes(
      service.origin,
      [...lines, 'Transfer-Encoding: chunked', '', '1', 'x', ''].join('\r\n'),
    )
    assertError(chunked, code)
  }
})

test('a forwarded call is checked whatever its body, type and method, and its body is not read', async () => {
  const ofKey = await tokenOf(service, await createKey(service, token))
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND', 'REPORT']
  for (const method of [...methods, 'LOCK', 'UNLOCK', 'SEARCH', 'MKCOL', 'COPY', 'MOVE', 'PURGE', 'M-SEARCH']) {
    for (const path of ['/api/v1/auth/check', '/api/v1/auth/check/files/1']) {
      for (const [bearer, status] of [
        [ofKey, 200],
        ['forged', 401],
      ] as const) {
        const lines = [`${method} ${path} HTTP/1.1`, `Authorization: Bearer ${bearer}`]
        const plain = await sendRaw(service.origin, lines)
        assert.equal(plain.status, status, `${method} ${path} ${plain.text}`)
        const withBody = await sendRaw(service.origin, [...lines, `Content-Type: ${FORM}`], 'a=1'.repeat(40_000))
        assert.equal(withBody.status, status, `${method} ${path} ${withBody.text}`)
      }
    }
  }
})

test('a charset other than UTF-8 is refused, even if the bytes are valid UTF-8', async () => {
  const body = '{"name":"x"}'
  for (const charset of ['utf-16', 'latin1', '"iso-8859-1"', 'utf-8; charset=utf-7']) {
    const answer = await sendRaw(service.origin, head('PATCH /users/me', `application/json; charset=${charset}`), body)
    assertError(answer, 'UNSUPPORTED_MEDIA_TYPE', 'The request body must be in UTF-8.')
  }
  for (const charset of ['utf-8', 'UTF8', '"utf-8"', 'us-ascii']) {
    const answer = await sendRaw(service.origin, head('PATCH /users/me', `application/json; charset=${charset}`), body)
    assert.equal(answer.status, 200, charset)
  }
})

test('a connection that breaks before the body is the caller’s fault: nothing is logged as an error', async (t) => {
  const logging = await startService({ LOG_LEVEL: 'info' })
  t.after(() => logging.close())
  const { hostname, port } = new URL(logging.origin)
  for (const route of ['GET /api/v1/auth/config', 'POST /api/v1/auth/request']) {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(`${route} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`)
    await new Promise((resolve) => void setTimeout(resolve, 50))
    reset(socket)
  }
  // Its line comes after those of the broken connections.
  await new Promise((resolve) => void setTimeout(resolve, 300))
  assert.equal((await logging.call('GET /auth/config')).status, 200)
  const levels = logging.logLines.map((line) => (JSON.parse(line) as { level: number }).level)
  assert.deepEqual([levels.includes(30), levels.filter((level) => level >= 50)], [true, []])
})
