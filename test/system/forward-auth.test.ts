/** nginx as a gateway, with the configuration of the repository. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { grantableScopes } from '../../src/domain/keys/restrictions/scopes.ts'
import { assertError } from '../support/http/answers.ts'
import { callAt } from '../support/http/call.ts'
import type { Call } from '../support/http/call.ts'
import { freePort } from '../support/files.ts'
import { startGatewaySetup } from '../support/gateways/gateway.ts'
import type { GatewaySetup } from '../support/gateways/gateway.ts'
import { startGateway } from '../support/gateways/nginx.ts'
import { createKey, tokenOf } from '../support/accounts/keys.ts'
import type { NewKey } from '../support/accounts/keys.ts'
import { sendBytes, sendRaw, untilClosed } from '../support/wire/raw.ts'
import { userOf } from '../support/database/state.ts'

let gated: GatewaySetup
let token: string
let userId: string
let key: NewKey
before(async () => {
  gated = await startGatewaySetup()
  token = await gated.auth.signIn('ana@example.com')
  userId = (await userOf(gated.auth.db, 'ana@example.com')).id
  key = await createKey(gated.auth, token)
})
after(() => gated?.stop())
beforeEach(() => {
  gated.asked.length = 0
  gated.passed.length = 0
  gated.answerBy()
  gated.serveBy()
})

const call = (route: string, options: Call = {}) => callAt(gated.nginx.origin, route, options)

describe('a valid call', () => {
  test('reaches the service with its identity and currency, and without its token', async () => {
    const { status, body } = await call('GET /invoices?page=2', { token })
    assert.equal(status, 200)
    assert.equal(gated.passed[0]?.line, 'GET /invoices?page=2')
    const {
      'x-user-id': id,
      'x-user-role': role,
      'x-account-claimed': claimed,
      'x-currency': currency,
      authorization,
      'x-api-key-id': apiKeyId,
    } = body
    assert.deepEqual([id, role, claimed, currency], [userId, 'USER', 'true', 'RON'])
    assert.deepEqual([authorization, apiKeyId], [undefined, undefined])
    const ofKey = await call('GET /', { token: await tokenOf(gated.auth, key), headers: { 'x-currency': 'EUR' } })
    assert.deepEqual([ofKey.body['x-api-key-id'], ofKey.body['x-currency']], [key.apiKey.id, 'EUR'])
    const { body: unclaimed } = await gated.auth.call('POST /auth/api/signup', { body: { email: 'eve@example.com' } })
    const ofUnclaimed = await call('GET /', { token: unclaimed.token, headers: { 'x-account-claimed': 'true' } })
    assert.equal(ofUnclaimed.body['x-account-claimed'], 'false')
  })

  test('of a key arrives with its scopes, and of a restricted key only where the gateway asks for a scope it has', async () => {
    const all = await call('GET /', {
      token: await tokenOf(gated.auth, key),
      headers: { 'x-api-key-scopes': 'forged' },
    })
    assert.equal(all.body['x-api-key-scopes'], grantableScopes.join(' '))
    const restrictions = { scopes: ['events:read'] }
    const limited = await tokenOf(gated.auth, await createKey(gated.auth, token, { restrictions }))
    const asking = await startGateway(await freePort(), gated.ports, {
      '# location /reports/ {': 'location /reports/ {',
      "#     set $gate_query '?scope=events:read';": "set $gate_query '?scope=events:read';",
      '#     proxy_pass http://$gate_upstream;': 'proxy_pass http://$gate_upstream;',
      '    # }': '    }',
    })
    try {
      const at = (path: string, by: string) => callAt(asking.origin, `GET ${path}`, { token: by })
      const passed = await at('/reports/1?scope=keys:write', limited)
      assert.deepEqual([passed.status, passed.body['x-api-key-scopes']], [200, 'events:read'])
      for (const by of [token, await tokenOf(gated.auth, key)]) assert.equal((await at('/reports/1', by)).status, 200)
      const passedBefore = gated.passed.length
      for (const path of ['/', '/?scope=events:read', '/reports/..%2fx']) {
        const refused = await at(path, limited)
        assertError(refused, 'INSUFFICIENT_SCOPE')
        assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer .*error="insufficient_scope"$/)
      }
      assert.equal(gated.passed.length, passedBefore)
    } finally {
      await asking.stop()
    }
  })

  test('makes one check with its token and currency, and no other field', async () => {
    const headers = { cookie: 'session=secret', 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'from-the-caller' }
    const body = { held: 'back' }
    assert.equal((await call('POST /invoices?secret=x', { token, headers, body })).status, 200)
    assert.deepEqual(gated.passed[0]?.body, JSON.stringify(body))
    const [question, ...others] = gated.asked
    assert.deepEqual(others, [])
    assert.equal(question?.line, 'GET /api/v1/auth/check')
    assert.equal(question.body, '')
    const { host: _, ...fields } = question.headers
    assert.deepEqual(fields, {
      authorization: `Bearer ${token}`,
      'x-request-id': 'from-the-caller',
      'x-forwarded-for': '127.0.0.1',
    })
    assert.equal(gated.passed[0]?.headers['x-request-id'], 'from-the-caller')
  })

  test('of any method is checked by GET; its body goes to the service only, complete, even without a length', async () => {
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      assert.equal(
        (await sendRaw(gated.nginx.origin, [`${method} /x HTTP/1.1`, `Authorization: Bearer ${token}`])).status,
        200,
        method,
      )
    }
    const chunked = `POST /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n5\r\nhello\r\n0\r\n\r\n`
    await sendBytes(gated.nginx.origin, chunked)
    assert.equal(gated.passed.at(-1)?.body, 'hello')
    assert.deepEqual(
      new Set(
        gated.asked.map(
          ({ line, body, headers }) =>
            `${line}${body}${headers['content-length'] ?? ''}${headers['transfer-encoding'] ?? ''}`,
        ),
      ),
      new Set(['GET /api/v1/auth/check']),
    )
    assert.equal(gated.passed.length, 7)
  })

  test('may become a WebSocket; without a token it may not', async () => {
    const upgrade = (...fields: string[]) => {
      const socket = connect(Number(new URL(gated.nginx.origin).port), '127.0.0.1')
      const received = untilClosed(socket)
      const head = [
        'GET /socket HTTP/1.1',
        'Host: x',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        ...fields,
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      socket.once('data', (chunk: Buffer) => (chunk.includes(' 101 ') ? socket.write('ping') : socket.end()))
      return received.then((bytes) => bytes.toString())
    }
    assert.match(await upgrade(), /^HTTP\/1\.1 401 /)
    assert.equal(gated.passed.length, 0)
    assert.match(await upgrade(`Authorization: Bearer ${token}`), /^HTTP\/1\.1 101 [^]*echo ping$/)
    assert.equal(gated.passed[0]?.headers['x-user-id'], userId)
    for (const { headers } of gated.asked)
      assert.deepEqual([headers['upgrade'], headers['connection']], [undefined, undefined])
  })

  test("gets the service's own answer, even a 401, 429 or 500", async () => {
    for (const status of [204, 302, 401, 403, 404, 429, 500, 503]) {
      gated.serveBy(
        (_, response) =>
          void response
            .writeHead(status, { 'retry-after': '7', 'x-of': 'behind' })
            .end(status === 204 ? undefined : 'mine'),
      )
      const answer = await call('GET /x', { token })
      assert.deepEqual(
        [answer.status, answer.headers.get('x-of'), answer.headers.get('retry-after')],
        [status, 'behind', '7'],
      )
      assert.equal(answer.text, status === 204 ? '' : 'mine')
    }
  })
})

describe('a refused call', () => {
  test('gets the complete 401 of paylink-auth, and does not reach the service', async () => {
    for (const given of [{}, { token: 'forged' }, { headers: { authorization: 'Basic eDp5' } }]) {
      const headers = { ...given.headers, 'x-request-id': 'of-the-refusal' }
      const [there, here] = [
        await gated.auth.call('GET /auth/check', { ...given, headers }),
        await call('POST /x', { ...given, headers, body: { a: 1 } }),
      ]
      assertError(here, 'UNAUTHORIZED', 'Unauthorized')
      assert.equal(here.text, there.text)
      for (const name of ['www-authenticate', 'content-type', 'cache-control', 'x-request-id', 'content-length']) {
        assert.equal(here.headers.get(name), there.headers.get(name), name)
      }
    }
    assert.equal(
      (await call('GET /x')).headers.get('x-request-id')?.length,
      36,
      'the request id of paylink-auth, as in its log',
    )
    assert.deepEqual(gated.passed, [])
  })

  test('with a wrong currency gets the complete 400 of paylink-auth', async () => {
    for (const currency of ['USD', 'eur', 'EUR, RON']) {
      const given = { token, headers: { 'x-currency': currency, 'x-request-id': 'of-the-refusal' } }
      const [there, here] = [await gated.auth.call('GET /auth/check', given), await call('GET /x', given)]
      assertError(here, 'CURRENCY_NOT_SUPPORTED')
      assert.equal(here.text, there.text)
      assert.equal(here.headers.get('retry-after'), null)
    }
    assert.deepEqual(gated.passed, [])
  })

  test('is the next one after the revocation of its key or of all of its user’s tokens', async () => {
    const bob = await gated.auth.signIn('bob@example.com')
    const bobsKey = await createKey(gated.auth, bob)
    const ofKey = await tokenOf(gated.auth, bobsKey)
    assert.equal((await call('GET /x', { token: ofKey })).status, 200)
    await gated.auth.call(`POST /auth/api-keys/${bobsKey.apiKey.id}/revoke`, { token: bob })
    assertError(await call('GET /x', { token: ofKey }), 'UNAUTHORIZED')
    assert.equal((await call('GET /x', { token: bob })).status, 200)
    await gated.auth.call('POST /auth/tokens/revoke', { token: bob })
    assertError(await call('GET /x', { token: bob }), 'UNAUTHORIZED')
    assert.equal(gated.passed.length, 2)
  })

  test('is the first one after its token expired, however often the token passed before [GHSA-qvp4-rpmr-xwrr]', async () => {
    const ofKey = await tokenOf(gated.auth, key)
    for (let n = 0; n < 3; n++) assert.equal((await call('GET /x', { token: ofKey })).status, 200)
    gated.auth.clock.advance(3600 * 1000)
    assertError(await call('GET /x', { token: ofKey }), 'UNAUTHORIZED')
    assert.equal(gated.passed.length, 3)
  })
})

test('while the service is down, the gateway answers with an error in the usual shape', async () => {
  gated.serveBy((_, response) => void response.destroy())
  const answer = await call('POST /x', { token, body: {} })
  assert.deepEqual(
    [answer.status, answer.body.error.code, answer.headers.get('retry-after')],
    [503, 'UNAVAILABLE', '1'],
  )
  assert.equal(gated.passed.length, 1, 'a POST is not sent again')
})

describe('while paylink-auth', () => {
  test('gives an undocumented answer, every call gets 503', async () => {
    for (const status of [301, 302, 304, 403, 404, 405, 429, 431, 500, 502, 503]) {
      gated.answerBy((response) => void response.writeHead(status, { 'x-user-id': userId, location: '/x' }).end())
      const answer = await call('GET /x', { token })
      assert.equal(answer.status, 503, String(status))
      assert.equal(answer.body.error.code, 'UNAVAILABLE')
      assert.deepEqual(
        ['retry-after', 'cache-control', 'location', 'x-user-id'].map((name) => answer.headers.get(name)),
        ['1', 'no-store', null, null],
      )
    }
    assert.deepEqual(gated.passed, [])
  })

  test('breaks connections, is down, or is replaced by a server that answers 200, every call gets 503', async () => {
    for (const handler of [
      (response: ServerResponse) => void response.destroy(),
      (response: ServerResponse) => void response.writeHead(200).end('<!doctype html>'),
      (response: ServerResponse) => void response.writeHead(204).end(),
    ]) {
      gated.answerBy(handler)
      assert.deepEqual([(await call('GET /x', { token })).status, gated.passed], [503, []])
    }
    const nobody = await freePort()
    const alone = await startGateway(await freePort(), {
      auth: nobody,
      behind: Number(new URL(gated.auth.origin).port),
    })
    try {
      assert.equal((await callAt(alone.origin, 'GET /healthz')).status, 200, 'the service behind')
      const { status, body } = await callAt(alone.baseUrl, 'GET /auth/config', { token })
      assert.deepEqual([status, body.error.code], [503, 'UNAVAILABLE'])
    } finally {
      await alone.stop()
    }
  })

  test('has no database, every call gets 503 with Retry-After', async () => {
    await gated.auth.db.close()
    const answer = await call('GET /x', { token })
    assert.deepEqual([answer.status, answer.headers.get('retry-after'), gated.passed], [503, '1', []])
  })
})
