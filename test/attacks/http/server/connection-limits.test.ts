import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { CONNECTION_LIMIT, PIPELINE_LIMIT } from '../../../../src/http/server/connection-limits.ts'
import { createServer } from '../../../../src/http/server/server.ts'
import { assertError } from '../../../support/http/answers.ts'
import { untilClosed } from '../../../support/wire/raw.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

let service: Service
before(async () => {
  service = await startService({ LOG_LEVEL: 'info' })
})
after(() => service.close())

const open = (port: number | string) => connect(Number(port), '127.0.0.1').on('error', () => {})
const openToService = () => open(new URL(service.origin).port)

/** A keep-alive request with its own id. */
const request = (line: string, id: string, fields = '', body = '') =>
  `${line} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n${fields}\r\n${body}`

/** Id and status of each answer that a connection received. */
const answersIn = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)[^]*?\r\nx-request-id: (\S+)/g)].map(([, status, id]) => `${id} ${status}`)

async function readAnswers(socket: Socket, count: number): Promise<string[]> {
  let text = ''
  while (answersIn(text).length < count || !text.endsWith('}')) {
    const [chunk] = await once(socket, 'data')
    text += chunk
  }
  return answersIn(text)
}

describe('connections', () => {
  test('are limited in number', () => {
    assert.equal(service.app.server.maxConnections, CONNECTION_LIMIT)
  })

  test('beyond the limit are closed with one warning; open ones are served, and new ones again when there is room [F36]', async () => {
    const app = createServer(service.deps, () => undefined)
    await app.listen({ host: '127.0.0.1', port: 0 })
    app.server.maxConnections = 3
    const { port } = app.server.address() as AddressInfo
    const held = [open(port), open(port), open(port)]
    await Promise.all(held.map((socket) => once(socket, 'connect')))
    for (let n = 0; n < 5; n++) assert.equal((await untilClosed(open(port))).length, 0)

    for (const [n, socket] of held.entries()) {
      socket.write(request('GET /nowhere', `held-${n}`))
      assert.deepEqual(await readAnswers(socket, 1), [`held-${n} 404`])
    }
    held[0]?.destroy()
    while ((await new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))) > 2) {
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    const next = open(port)
    next.write(request('GET /nowhere', 'next'))
    assert.deepEqual(await readAnswers(next, 1), ['next 404'])
    const warnings = service.logLines.filter((line) => line.includes('connections are refused'))
    assert.equal(warnings.length, 1)
    for (const socket of [...held, next]) socket.destroy()
    await app.close()
  })
})

describe('pipelined requests', () => {
  test(`are answered in order, each with its own answer, up to ${PIPELINE_LIMIT} at a time, repeatedly [F37]`, async () => {
    const { token } = await service.signUp('ana@example.com')
    const kinds = [
      ['GET /healthz', '', '', '200'],
      ['GET /nowhere', '', '', '404'],
      ['GET /api/v1/users/me', `Authorization: Bearer ${token}\r\n`, '', '200'],
      ['GET /api/v1/users/me', '', '', '401'],
      ['GET /%zz', '', '', '400'],
      ['POST /api/v1/auth/api/token', 'Content-Type: application/json\r\nContent-Length: 2\r\n', '{}', '400'],
    ] as const
    const socket = openToService()
    for (let round = 0; round < 30; round++) {
      const sent = Array.from({ length: PIPELINE_LIMIT }, (_, n) => {
        const [line, fields, body, status] = kinds[(n * 7 + round) % kinds.length] ?? kinds[0]
        return { bytes: request(line, `r${round}-${n}`, fields, body), answer: `r${round}-${n} ${status}` }
      })
      socket.write(sent.map(({ bytes }) => bytes).join(''))
      assert.deepEqual(
        await readAnswers(socket, sent.length),
        sent.map(({ answer }) => answer),
      )
    }
    socket.destroy()
  })

  test('beyond the limit are not served: the connection is closed, and other connections are unaffected [F37]', async () => {
    const socket = openToService()
    const received = untilClosed(socket)
    socket.write(Array.from({ length: 1000 }, (_, n) => request('GET /api/v1/openapi.json', `flood-${n}`)).join(''))
    const answered = answersIn((await received).toString())
    assert.deepEqual(
      answered,
      answered.map((_, n) => `flood-${n} 200`),
    )
    const served = service.logLines.filter((line) => line.includes('"flood-'))
    assert.ok(Math.max(answered.length, served.length) <= PIPELINE_LIMIT, `${served.length} served`)
    assertError(await service.call('GET /users/me'), 'UNAUTHORIZED')
  })

  test('that write are answered in order, each after it is stored [F37]', async () => {
    const emails = Array.from({ length: PIPELINE_LIMIT - 2 }, (_, n) => `flood-${n}@example.com`)
    const signUps = emails.map((email, n) => {
      const body = JSON.stringify({ email })
      const close = n === emails.length - 1 ? 'Connection: close\r\n' : ''
      const fields = `${close}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
      return request('POST /api/v1/auth/api/signup', `sign-up-${n}`, fields, body)
    })
    const socket = openToService()
    const received = untilClosed(socket)
    socket.write(signUps.join(''))
    const text = (await received).toString()
    assert.deepEqual(
      answersIn(text),
      emails.map((_, n) => `sign-up-${n} 201`),
    )
    assert.deepEqual(
      [...text.matchAll(/"email":"(flood-[^"]+)"/g)].map(([, email]) => email),
      emails,
    )
  })

  test('count toward the limit whatever they request, even if the framework refuses them before any hook [F37]', async () => {
    for (const [line, fields] of [
      ['GET /%zz', ''],
      ['GET /healthz', 'Expect: 200-maybe\r\n'],
      ['PROPFIND /', ''],
    ] as const) {
      const socket = openToService()
      const received = untilClosed(socket)
      socket.write(Array.from({ length: 200 }, (_, n) => request(line, `odd-${n}`, fields)).join(''))
      const answered = answersIn((await received).toString())
      assert.ok(answered.length <= PIPELINE_LIMIT, `${line}: ${answered.length} answers`)
    }
  })
})

test('a client that half-closes after its request gets the answer, and a client that resets does no harm [F37]', async () => {
  const socket = openToService()
  const received = untilClosed(socket)
  socket.end(request('GET /healthz', 'half-closed'))
  assert.deepEqual(answersIn((await received).toString()), ['half-closed 200'])

  for (let n = 0; n < 50; n++) {
    const resetting = openToService()
    await once(resetting, 'connect')
    resetting.write(request('GET /api/v1/openapi.json', `rude-${n}`).repeat(1 + (n % 5)))
    if (n % 2 > 0) await once(resetting, 'data')
    resetting.resetAndDestroy()
  }
  assertError(await service.call('GET /nowhere'), 'NOT_FOUND')
  assert.deepEqual(
    service.logLines.filter((line) => JSON.parse(line).level >= 50),
    [],
  )
})
