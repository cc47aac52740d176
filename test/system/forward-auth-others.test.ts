import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { grantableScopes } from '../../src/domain/keys/restrictions/scopes.ts'
import { assertError } from '../support/http/answers.ts'
import { callAt } from '../support/http/call.ts'
import { ambiguousConnections } from '../support/gateways/ambiguous-framing.ts'
import { startGatewaySetup } from '../support/gateways/gateway.ts'
import type { GatewaySetup } from '../support/gateways/gateway.ts'
import { startHypercorn } from '../support/gateways/hypercorn.ts'
import type { Hypercorn } from '../support/gateways/hypercorn.ts'
import { createKey, tokenOf } from '../support/accounts/keys.ts'
import type { NewKey } from '../support/accounts/keys.ts'
import { gateways } from '../support/gateways/other-gateways.ts'
import type { Gateway } from '../support/gateways/other-gateways.ts'
import { exchange, sendRaw, untilClosed } from '../support/wire/raw.ts'
import { userOf } from '../support/database/state.ts'
import { until } from '../support/until.ts'
import { MISLEADING_FIELDS } from '../support/gateways/misleading-fields.ts'

let gated: GatewaySetup
let hypercorn: Hypercorn
let token: string
let userId: string
let key: NewKey
let ofKey: string
before(async () => {
  gated = await startGatewaySetup()
  hypercorn = await startHypercorn()
  token = await gated.auth.signIn('ana@example.com')
  userId = (await userOf(gated.auth.db, 'ana@example.com')).id
  key = await createKey(gated.auth, token)
  ofKey = await tokenOf(gated.auth, key)
})
after(async () => {
  await hypercorn?.stop()
  await gated?.stop()
})
beforeEach(() => {
  hypercorn.served.length = 0
  gated.asked.length = 0
  gated.passed.length = 0
  gated.answerBy()
  gated.serveBy()
})

const OURS = ['x-user-id', 'x-user-role', 'x-api-key-id', 'x-account-claimed', 'x-currency']
const OPENING = [
  'Connection: Upgrade, HTTP2-Settings',
  'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]

for (const [name, start] of Object.entries(gateways)) {
  describe(name, () => {
    let gateway: Gateway
    let beforeHypercorn: Gateway
    before(async () => {
      gateway = await start(gated.ports)
      beforeHypercorn = await start({ auth: gated.ports.auth, behind: hypercorn.port })
    })
    after(async () => {
      await gateway?.stop()
      await beforeHypercorn?.stop()
    })

    const said = () => OURS.map((field) => gated.passed.at(-1)?.headers[field])

    /** Continues after the answer as if it had opened a tunnel; returns the answer's status. */
    async function tunnel(origin: string, path: string, fields: readonly string[]): Promise<number> {
      const { port } = new URL(origin)
      const socket = connect(Number(port), '127.0.0.1')
      const received = untilClosed(socket)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${[...fields, ''].join('\r\n')}\r\n`)
      await Promise.race([once(socket, 'data'), once(socket, 'close')])
      socket.write('GET /tunnelled HTTP/1.1\r\nHost: x\r\nX-User-Id: forged\r\nConnection: close\r\n\r\n')
      await sendRaw(origin, ['GET /healthz HTTP/1.1'])
      socket.destroy()
      return Number((await received).toString().split(' ')[1])
    }

    test('passes the scopes of a key, and refuses a restricted key where it asks for no scope', async () => {
      const call = async (by: string, path = '/x') =>
        sendRaw(gateway.origin, [`GET ${path} HTTP/1.1`, `Authorization: Bearer ${by}`, 'X-Api-Key-Scopes: forged'])
      const scopesOf = () => gated.passed.at(-1)?.headers['x-api-key-scopes']
      assert.equal((await call(token)).status, 200)
      assert.equal(scopesOf(), undefined)
      assert.equal((await call(await tokenOf(gated.auth, await createKey(gated.auth, token)))).status, 200)
      assert.equal(scopesOf(), grantableScopes.join(' '))
      const restrictions = { scopes: ['events:read'] }
      const limited = await tokenOf(gated.auth, await createKey(gated.auth, token, { restrictions }))
      const passed = gated.passed.length
      for (const path of ['/x', '/x?scope=events:read']) {
        const refused = await call(limited, path)
        assertError(refused, 'INSUFFICIENT_SCOPE')
        assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer .*error="insufficient_scope"$/)
      }
      assert.equal(gated.passed.length, passed)
    })

    test('passes a call with its identity, in place of forged fields, and without its token', async () => {
      const forged = [
        'X-User-Id',
        'x-user-role',
        'X-API-KEY-ID',
        'X_User_Id',
        'x_api_key_id',
        'X.User.Id',
        'X-User_Role',
        'X-Account-Claimed',
        'x_account_claimed',
        'X.Account-Claimed',
        'X-Account_Claimed',
      ].map((field) => `${field}: forged`)
      const { status } = await sendRaw(gateway.origin, [
        'GET /x?y=1 HTTP/1.1',
        `Authorization: Bearer ${token}`,
        ...forged,
      ])
      assert.equal(status, 200)
      assert.equal(gated.passed[0]?.line, 'GET /x?y=1')
      assert.deepEqual(said(), [userId, 'USER', undefined, 'true', 'RON'])
      assert.equal(gated.passed[0]?.headers['authorization'], undefined)
      const names = gated.passed[0]?.names
        .map((field) => field.toLowerCase().replaceAll(/[^a-z]/g, '-'))
        .filter((field) => /user-|role|api-key|account/.test(field) && field !== 'user-agent')
      assert.deepEqual(names?.toSorted(), ['x-account-claimed', 'x-user-id', 'x-user-role'])
      assert.equal(
        (await callAt(gateway.origin, 'POST /x', { token: ofKey, headers: { 'x-currency': 'EUR' }, body: { a: 1 } }))
          .status,
        200,
      )
      assert.deepEqual(
        [...said(), gated.passed.at(-1)?.body],
        [userId, 'USER', key.apiKey.id, 'true', 'EUR', '{"a":1}'],
      )
      assert.deepEqual(
        gated.asked.map(({ line, body }) => line + body),
        Array(2).fill('GET /api/v1/auth/check'),
      )
    })

    test('an account that nobody has claimed stays unclaimed, whatever the caller says', async () => {
      const { body } = await gated.auth.call('POST /auth/api/signup', { body: { email: `${name}@example.com` } })
      for (const field of ['X-Account-Claimed', 'x-account-claimed', 'X_Account_Claimed']) {
        const fields = [`Authorization: Bearer ${body.token}`, `${field}: true`, 'Connection: X-Account-Claimed']
        assert.equal((await sendRaw(gateway.origin, ['GET /x HTTP/1.1', ...fields])).status, 200)
        assert.equal(gated.passed.at(-1)?.headers['x-account-claimed'], 'false', field)
      }
    })

    test('forwards no field that names another path, method or address, on public paths too', async () => {
      const names = [...MISLEADING_FIELDS, 'X-Real-IP']
      for (const path of ['/healthz', '/x']) {
        const fields = [`Authorization: Bearer ${token}`, ...names.map((field) => `${field}: /admin`)]
        assert.equal((await sendRaw(gateway.origin, [`GET ${path} HTTP/1.1`, ...fields])).status, 200)
        assert.deepEqual(
          names.filter((field) => field.toLowerCase() in (gated.passed.at(-1)?.headers ?? {})),
          [],
          path,
        )
      }
    })

    test('keeps these fields despite a Connection that names them, and forwards no hop-by-hop field', async () => {
      for (const value of [
        'X-User-Id',
        'close, X-Api-Key-Id',
        'X-User-Id, X-User-Role, X-Api-Key-Id, X-Account-Claimed, X-Currency',
        'keep-alive, x-api-key-id',
      ]) {
        for (const fields of [[], ['Upgrade: h2c', 'HTTP2-Settings: x'], ['Upgrade: websocket', ...OPENING]]) {
          gated.passed.length = 0
          await tunnel(gateway.origin, '/x', [
            `Authorization: Bearer ${ofKey}`,
            `Connection: ${value}`,
            'TE: trailers',
            'Trailer: X-User-Id',
            'Proxy-Authorization: x',
            ...fields,
          ])
          const call = gated.passed.find(({ line }) => line === 'GET /x') ?? assert.fail(`${value} ${fields.join()}`)
          assert.deepEqual(
            OURS.map((field) => call.headers[field]),
            [userId, 'USER', key.apiKey.id, 'true', 'RON'],
            value,
          )
          assert.deepEqual(
            ['http2-settings', 'trailer', 'proxy-authorization', 'te'].filter((field) => field in call.headers),
            [],
          )
          const { connection = '' } = call.headers
          assert.match(connection, /^(close|keep-alive|upgrade)?$/i, `${value} ${fields.join()}`)
          assert.equal(/upgrade/i.test(connection), fields.includes('Upgrade: websocket'), value)
        }
      }
    })

    test('returns the refusals of paylink-auth, and passes nothing while it is down or replaced by something else', async () => {
      const revoked = await gated.auth.signIn('bob@example.com')
      await gated.auth.call('POST /auth/tokens/revoke', { token: revoked })
      for (const given of [{}, { token: 'forged' }, { token: revoked }]) {
        const answer = await callAt(gateway.origin, 'POST /x', { ...given, body: {} })
        assertError(answer, 'UNAUTHORIZED', 'Unauthorized')
        assert.ok(answer.headers.has('www-authenticate'))
      }
      assertError(
        await callAt(gateway.origin, 'GET /x', { token, headers: { 'x-currency': 'USD' } }),
        'CURRENCY_NOT_SUPPORTED',
      )
      const twice = await sendRaw(gateway.origin, [
        'GET /x HTTP/1.1',
        'Authorization: Bearer forged',
        `Authorization: Bearer ${token}`,
      ])
      assert.equal(twice.status, 401)
      for (const status of [200, 204, 302, 500]) {
        gated.answerBy((response) => void response.writeHead(status).end())
        assert.notEqual((await callAt(gateway.origin, 'GET /x', { token })).status, 200, String(status))
      }
      gated.answerBy((response) => void response.destroy())
      assert.ok((await callAt(gateway.origin, 'GET /x', { token })).status >= 500)
      assert.deepEqual(gated.passed, [])
    })

    test('serves public paths as themselves and without an identity', async () => {
      for (const target of ['/healthz', '/healthz?x=1']) {
        const { status } = await sendRaw(gateway.origin, [
          `GET ${target} HTTP/1.1`,
          'X-User-Id: forged',
          'x_user_id: forged',
          'X-Account-Claimed: true',
          'X-Currency: EUR',
          `Authorization: Bearer ${token}`,
        ])
        assert.equal(status, 200, target)
        assert.match(gated.passed.at(-1)?.line ?? '', /^GET \/healthz(\?x=1|\?)?$/)
        assert.deepEqual(
          said(),
          OURS.map(() => undefined),
        )
      }
      gated.passed.length = 0
      for (const target of [
        '/',
        '/healthz/../x',
        '/healthz/x',
        '/healthz%2f..%2fx',
        '//x',
        'http://evil.example/x',
        '/healthz/..%2fx',
      ]) {
        for (const method of ['GET', 'OPTIONS', 'TRACE', 'CONNECT'])
          await sendRaw(gateway.origin, [`${method} ${target} HTTP/1.1`])
      }
      assert.deepEqual(
        gated.passed.filter(({ line }) => !line.endsWith(' /healthz') && !line.endsWith(' /healthz?')),
        [],
      )
      assert.ok(!gated.passed.some(({ line }) => line.startsWith('CONNECT')))
    })

    test('checks each call of a connection', async () => {
      const calls = [
        `GET /1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
        'POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 30\r\n\r\nGET /3 HTTP/1.1\r\nHost: x\r\n\r\n..',
        'GET /4 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ]
      await exchange(gateway.origin, calls.join(''))
      assert.deepEqual(
        gated.passed.map(({ line }) => line),
        ['GET /1'],
      )
    })

    test('passes no call hidden in the body of another, and no identity in a trailer', async () => {
      for (const bytes of ambiguousConnections(ofKey)) await exchange(gateway.origin, bytes)
      assert.deepEqual(new Set(gated.passed.map(({ line }) => line)), new Set(['POST /x']))
      let trailers: unknown
      gated.serveBy((request, response) => {
        trailers = request.trailers
        response.end()
      })
      const fields = OURS.map((field) => `${field}: forged\r\n`).join('')
      await exchange(
        gateway.origin,
        `POST /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${ofKey}\r\nTrailer: ${OURS.join()}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n${fields}\r\n`,
      )
      assert.ok(!JSON.stringify([trailers ?? {}, gated.passed]).includes('forged'))
      for (const { headers } of gated.passed)
        assert.deepEqual(
          OURS.map((field) => headers[field]),
          [userId, 'USER', key.apiKey.id, 'true', 'RON'],
        )
    })

    test('passes no upgrade except a WebSocket with a valid token', async () => {
      for (const path of ['/x', '/healthz']) {
        for (const authorization of [[], ['Authorization: Bearer forged'], [`Authorization: Bearer ${token}`]]) {
          for (const value of ['h2c', 'H2C', 'h2c, websocket', 'websocket, h2c', 'TLS/1.0', 'websocket/13', '']) {
            assert.notEqual(
              await tunnel(beforeHypercorn.origin, path, [...authorization, ...OPENING, `Upgrade: ${value}`]),
              101,
              value,
            )
          }
          await tunnel(beforeHypercorn.origin, path, [
            ...authorization,
            ...OPENING,
            'Upgrade: websocket',
            'Upgrade: h2c',
          ])
          if (path === '/healthz' || authorization[0] !== `Authorization: Bearer ${token}`) {
            assert.notEqual(
              await tunnel(beforeHypercorn.origin, path, [...authorization, ...OPENING, 'Upgrade: websocket']),
              101,
              path,
            )
          }
        }
      }
      const upgrades = hypercorn.served
        .filter(({ type }) => type === 'http')
        .flatMap(({ headers }) => headers.filter(([field]) => field === 'upgrade' || field === 'http2-settings'))
      assert.deepEqual(upgrades, [])
      assert.ok(hypercorn.served.every(({ path, version }) => path !== '/tunnelled' && version === '1.1'))
      for (const value of ['websocket', 'WebSocket']) {
        assert.equal(
          await tunnel(beforeHypercorn.origin, '/socket', [
            `Authorization: Bearer ${token}`,
            ...OPENING,
            `Upgrade: ${value}`,
          ]),
          101,
        )
      }
      const socket = new WebSocket(`${beforeHypercorn.origin.replace('http', 'ws')}/socket`, {
        headers: { authorization: `Bearer ${token}` },
      })
      await once(socket, 'open')
      const message = once(socket, 'message')
      socket.send('hello')
      assert.equal(((await message) as [MessageEvent])[0].data, 'echo hello')
      socket.close()
    })

    test('makes no tunnel of an unrequested 101', async () => {
      gated.serveBy(
        (request, response) =>
          void (request.url?.startsWith('/tunnelled') ? response.end('served') : response.writeHead(101).end()),
      )
      for (const path of ['/healthz', '/x']) {
        for (const fields of [
          ['Upgrade:'],
          ['Upgrade: h2c', 'Connection: Upgrade'],
          ['Upgrade: x', 'Connection: Upgrade'],
          ['Connection: Upgrade'],
        ]) {
          gated.passed.length = 0
          const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1')
          const received = untilClosed(socket)
          socket.write(
            `GET ${path} HTTP/1.1\r\nHost: x\r\n${[...fields, `Authorization: Bearer ${token}`, ''].join('\r\n')}\r\n`,
          )
          await until(() => gated.passed.length > 0, 'the call reached the service')
          socket.write('GET /tunnelled HTTP/1.1\r\nHost: x\r\nX-User-Id: forged\r\nConnection: close\r\n\r\n')
          await sendRaw(gateway.origin, ['GET /unasked HTTP/1.1'])
          socket.destroy()
          await received
          assert.ok(
            gated.passed.every(({ line }) => line.startsWith(`GET ${path}`)),
            `${path} ${fields.join()} ${gated.passed.map(({ line }) => line).join()}`,
          )
        }
      }
    })
  })
}
