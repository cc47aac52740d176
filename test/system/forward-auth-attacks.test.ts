import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { startGatewaySetup } from '../support/gateways/gateway.ts'
import type { Arrived, GatewaySetup } from '../support/gateways/gateway.ts'
import { sendRaw, untilClosed } from '../support/wire/raw.ts'
import type { Answer } from '../support/service.ts'
import { userOf } from '../support/database/state.ts'
import { MISLEADING_FIELDS } from '../support/gateways/misleading-fields.ts'

let gated: GatewaySetup
let token: string
let userId: string
before(async () => {
  gated = await startGatewaySetup({ LOG_LEVEL: 'info' })
  token = await gated.auth.signIn('ana@example.com')
  userId = (await userOf(gated.auth.db, 'ana@example.com')).id
})
after(() => gated?.stop())
beforeEach(() => {
  gated.asked.length = 0
  gated.passed.length = 0
})

const send = (line: string, ...fields: string[]) => sendRaw(gated.nginx.origin, [`${line} HTTP/1.1`, ...fields])
const sendAs = (line: string, ...fields: string[]) => send(line, `Authorization: Bearer ${token}`, ...fields)

/** Asserts that the identity fields are exactly those that paylink-auth returned. */
function assertOurIdentity({ names, headers }: Arrived, expected: Record<string, string>): void {
  const said = names
    .map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, '-'))
    .filter((name) => /user|role|api-key|account|currency/.test(name))
  assert.deepEqual(said.toSorted(), Object.keys(expected).toSorted())
  for (const [name, value] of Object.entries(expected)) assert.equal(headers[name], value)
}

describe('the identity of a call', () => {
  const names = ['X-User-Id', 'X-User-Role', 'X-Api-Key-Id', 'X-Account-Claimed']
  const spelled = (name: string) => [
    name,
    name.toLowerCase(),
    name.toUpperCase(),
    name.replaceAll('-', '_'),
    name.replace('-', '_').toLowerCase(),
    name.replaceAll('-', '.'),
    `${name} `,
    ` ${name}`,
    `\t${name}`,
    `${name}\u00a0`,
    name.replaceAll('-', '\u00ad'),
  ]

  test('is what paylink-auth returned, whatever spelling and number of forged fields', async () => {
    for (const spelling of names.flatMap(spelled)) {
      const answer = await sendAs('GET /x', `${spelling}: forged`, `${spelling}: twice`)
      // nginx itself refuses field names with invalid characters.
      assert.ok([200, 400].includes(answer.status), spelling)
    }
    assert.ok(gated.passed.length > 15, String(gated.passed.length))
    for (const arrived of gated.passed) {
      assertOurIdentity(arrived, {
        'x-user-id': userId,
        'x-user-role': 'USER',
        'x-account-claimed': 'true',
        'x-currency': 'RON',
      })
      assert.ok(!JSON.stringify(arrived).includes('forged'))
    }
  })

  test('and its token survive fields that ask the next hop to remove other fields', async () => {
    for (const name of [...names, 'Authorization', 'X-Currency', 'X-Request-Id', 'X-Forwarded-For']) {
      const { status } = await sendAs('GET /x', `Connection: close, ${name}`, 'X-Currency: GBP')
      assert.equal(status, 200, name)
      assertOurIdentity(gated.passed.at(-1) ?? assert.fail(), {
        'x-user-id': userId,
        'x-user-role': 'USER',
        'x-account-claimed': 'true',
        'x-currency': 'GBP',
      })
    }
  })

  test('is refused if the call has two tokens, in one field or in two', async () => {
    for (const fields of [
      [`Authorization: Bearer ${token}, Bearer ${token}`],
      ['Authorization: Bearer forged', `Authorization: Bearer ${token}`],
      [`authorization: Bearer ${token}`, 'AUTHORIZATION: Bearer forged'],
      [`Authorization_: Bearer ${token}`],
      [`X-Authorization: Bearer ${token}`],
      [`Proxy-Authorization: Bearer ${token}`],
      [`X-Forwarded-Authorization: Bearer ${token}`],
    ]) {
      const answer = await send('GET /x', ...fields)
      assert.ok([400, 401].includes(answer.status), `${fields.join()} ${answer.status}`)
    }
    assert.deepEqual(gated.passed, [])
  })

  test('is checked for each call of a connection', async () => {
    const { host, hostname, port } = new URL(gated.nginx.origin)
    const socket = connect(Number(port), hostname)
    const received = untilClosed(socket)
    socket.write(
      [
        `GET /1 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
        `POST /2 HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 30\r\n\r\nGET /3 HTTP/1.1\r\nHost: x\r\n\r\n..`,
        `GET /4 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      ].join(''),
    )
    const statuses = [...(await received).toString().matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
    assert.deepEqual(statuses, ['200', '401', '401'])
    assert.deepEqual(
      gated.passed.map(({ line }) => line),
      ['GET /1'],
    )
  })

  test('is checked with the client address that nginx saw, whatever X-Forwarded-* a caller sends [CVE-2023-36456]', async () => {
    await send(
      'GET /x',
      'X-Forwarded-For: 203.0.113.9',
      'X-Real-IP: 203.0.113.9',
      'Forwarded: for=203.0.113.9;host=evil.example',
      'X-Forwarded-Host: evil.example',
      'X-Request-Id: from-outside',
    )
    assert.equal(gated.asked[0]?.headers['x-forwarded-for'], '127.0.0.1')
    await sendAs(
      'GET /x',
      'X-Forwarded-For: 203.0.113.9',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: https',
      'Forwarded: for=203.0.113.9',
    )
    const { headers } = gated.passed[0] ?? assert.fail()
    const said = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded'].map((name) => headers[name])
    assert.deepEqual(said, ['127.0.0.1', '127.0.0.1', 'http', undefined])
  })

  test('applies to the method and path of the request line, on public paths too', async () => {
    const misleading = [...MISLEADING_FIELDS.map((name) => `${name}: /admin`), 'X-Real-IP: 203.0.113.9']
    for (const [path, as] of [
      ['/healthz', send],
      ['/x', sendAs],
    ] as const) {
      assert.equal((await as(`GET ${path}`, ...misleading)).status, 200)
      const { headers } = gated.passed.at(-1) ?? assert.fail()
      assert.deepEqual(
        MISLEADING_FIELDS.filter((name) => name.toLowerCase() in headers),
        [],
        path,
      )
      assert.equal(headers['x-real-ip'], '127.0.0.1')
    }
  })
})

describe('without a token', () => {
  const assertRefused = (answer: Answer, said: string) => {
    // nginx itself refuses malformed requests before the check.
    assert.ok([400, 401, 404, 405, 414].includes(answer.status), `${said} ${answer.status}`)
  }

  test('no header field selects another path, method, host or caller for the check [GHSA-7rh7-c77v-6434]', async () => {
    for (const fields of [
      ['X-Forwarded-Uri: /healthz'],
      ['X-Original-URL: /healthz'],
      ['X-Rewrite-URL: /healthz'],
      ['X-Original-URI: /healthz'],
      ['X-Forwarded-Path: /healthz'],
      ['X-Envoy-Original-Path: /healthz'],
      ['X-Forwarded-Method: OPTIONS'],
      ['X-Original-Method: OPTIONS'],
      ['X-HTTP-Method-Override: OPTIONS'],
      ['X-Auth-Request-Redirect: /healthz'],
      ['User-Agent: GoogleHC/1.0'],
      ['User-Agent: kube-probe/1.30'],
      ['User-Agent: ELB-HealthChecker/2.0'],
      ['X-Forwarded-For: 127.0.0.1'],
      ['X-Real-IP: 127.0.0.1'],
      ['X-Forwarded-Host: localhost'],
      ['Host: localhost'],
      ['Host: paylink_auth_gate'],
      ['X-Forwarded-User: ana'],
      ['X-Forwarded-Email: ana@example.com'],
      ['X-Forwarded-Access-Token: x'],
      ['Remote-User: ana'],
      [`X-User-Id: ${userId}`, 'X-User-Role: USER'],
      ['Cookie: _oauth2_proxy=x; session=x'],
      ['Origin: https://app.example.com', 'Access-Control-Request-Method: POST'],
      ['Purpose: prefetch'],
      ['X-Accel-Redirect: /_paylink_auth'],
      ['X-Original-Status: 200'],
      ['Upgrade: websocket', 'Connection: Upgrade'],
    ]) {
      for (const method of ['GET', 'OPTIONS', 'POST'])
        assertRefused(await send(`${method} /x`, ...fields), fields.join())
    }
    assert.deepEqual(gated.passed, [])
  })

  test('only the public path passes, as itself, whatever path, query, fragment or method [CVE-2026-22031]', async () => {
    const targets = [
      '/',
      '//',
      '/x?/healthz',
      '/x?path=/healthz',
      '/x#/healthz',
      '/healthz/',
      '/healthz/x',
      '/healthz%2f',
      '/HEALTHZ',
      '/healthz;x',
      '/healthz%00',
      '/healthz%20',
      '/healthz.json',
      '/%68ealthz%2e',
      '/x/%2e%2e/x',
      '/healthz/../x',
      '/healthz/..%2fx',
      '/healthz%2f..%2fx',
      '/healthz/%2e%2e/x',
      '/healthz\\..\\x',
      '/.well-known/x',
      '/favicon.ico',
      '/robots.txt',
      '/_paylink_auth',
      '/_paylink_auth/',
      '//_paylink_auth',
      '/%5fpaylink_auth',
      '/@gate_failed',
      'http://evil.example/x',
      'http://evil.example/healthz/../x',
      '*',
      '/../x',
      '/..%2fx',
      `/${'x'.repeat(9000)}`,
    ]
    for (const target of targets) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PROPFIND', 'get', 'TRACE', 'CONNECT']) {
        assertRefused(await send(`${method} ${target}`, 'Content-Length: 0'), `${method} ${target}`)
      }
    }
    assert.deepEqual(gated.passed, [])
  })

  test('what nginx treats as the public path reaches the service as that path, without an identity [GHSA-x732-6j76-qmhm]', async () => {
    for (const target of [
      '/healthz',
      '/healthz?x=1',
      '/users/..%2fhealthz',
      '/users/../healthz',
      '/%68ealthz',
      '//healthz',
      '/./healthz',
      '/healthz#x',
      'http://evil.example/healthz',
    ]) {
      assert.equal(
        (
          await send(
            `GET ${target}`,
            `X-User-Id: ${userId}`,
            'X-User-Role: ADMIN',
            'x_api_key_id: x',
            'X-Account-Claimed: true',
            'X-Currency: EUR',
            `Authorization: Bearer ${token}`,
          )
        ).status,
        200,
        target,
      )
      const arrived = gated.passed.pop() ?? assert.fail()
      assert.match(arrived.line, /^GET \/healthz(\?x=1)?$/, target)
      assertOurIdentity(arrived, {})
      assert.equal(arrived.headers['authorization'], undefined)
    }
    assert.deepEqual(gated.asked, [])
  })
})
