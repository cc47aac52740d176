/** Behind nginx, only an authorised WebSocket gets a tunnel to Hypercorn, which accepts `Upgrade: h2c`. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { endsWithTest } from '../support/process/ends-with-test.ts'
import { freePort } from '../support/files.ts'
import { startGatewaySetup } from '../support/gateways/gateway.ts'
import type { GatewaySetup } from '../support/gateways/gateway.ts'
import { headersFrame, opening } from '../support/wire/http2-frames.ts'
import { startHypercorn } from '../support/gateways/hypercorn.ts'
import type { Hypercorn } from '../support/gateways/hypercorn.ts'
import { startGateway } from '../support/gateways/nginx.ts'
import type { Nginx } from '../support/gateways/nginx.ts'
import { sendRaw, untilClosed } from '../support/wire/raw.ts'
import { userOf } from '../support/database/state.ts'
import { until } from '../support/until.ts'

let gated: GatewaySetup
let hypercorn: Hypercorn
let nginx: Nginx
let token: string
let userId: string
before(async () => {
  gated = await startGatewaySetup()
  hypercorn = await startHypercorn()
  nginx = await startGateway(await freePort(), { auth: gated.ports.auth, behind: hypercorn.port })
  token = await gated.auth.signIn('ana@example.com')
  userId = (await userOf(gated.auth.db, 'ana@example.com')).id
})
after(async () => {
  await nginx?.stop()
  await hypercorn?.stop()
  await gated?.stop()
})
beforeEach(() => {
  hypercorn.served.length = 0
  gated.passed.length = 0
  gated.answerBy()
})

const SETTINGS = 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA'
const H2C = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', SETTINGS]
const OPENING = ['Connection: Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
const OTHERS = [
  'h2c',
  'H2C',
  'h2c, websocket',
  'websocket, h2c',
  'websocket,websocket',
  'websocket;q=1',
  'websocket/13',
  'web socket',
  'websockets',
  '"websocket"',
  'websocket\u00a0',
  'websocket\t,',
  'h2',
  'HTTP/2.0',
  'TLS/1.0',
  'TLS/1.0, HTTP/1.1',
  'connect-udp',
  '0',
  '',
]
const FORGED = [
  ['x-user-id', 'forged'],
  ['x-user-role', 'ADMIN'],
  ['x-api-key-id', 'forged'],
  ['x-account-claimed', 'forged'],
] as const

/**
 * Requests an upgrade and continues as if it had been granted; returns what came back in the time of an ordinary call.
 */
async function tunnel(origin: string, path: string, fields: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const received = untilClosed(socket)
  socket.write(latin1(`GET ${path} HTTP/1.1\r\nHost: x\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`))
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  const request = [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':authority', 'x'],
    [':path', '/tunnelled'],
    ...FORGED,
  ] as const
  socket.write(Buffer.concat([opening(), headersFrame(3, request)]))
  socket.write(`GET /tunnelled HTTP/1.1\r\nHost: x\r\nX-User-Id: forged\r\nConnection: close\r\n\r\n`)
  // When this call is answered, the tunnelled one would have been too.
  await sendRaw(origin, ['GET /healthz HTTP/1.1'])
  socket.destroy()
  return (await received).toString('latin1')
}

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const valuesOf = (name: string) =>
  hypercorn.served.flatMap(({ headers }) => headers.filter((field) => field[0] === name).map((field) => field[1]))
const bearer = () => `Authorization: Bearer ${token}`

/** Opens a WebSocket with a real client; undefined: it was refused. */
async function open(path: string, headers: Record<string, string>): Promise<WebSocket | undefined> {
  const socket = new WebSocket(`${nginx.origin.replace('http', 'ws')}${path}`, { headers })
  const opened = await Promise.race([once(socket, 'open').then(() => true), once(socket, 'error').then(() => false)])
  return opened ? socket : undefined
}

test('control: Hypercorn, called directly, upgrades the connection to HTTP/2', async () => {
  const direct = `http://127.0.0.1:${hypercorn.port}`
  assert.match(await tunnel(direct, '/x', H2C), /^HTTP\/1\.1 101 /)
  await until(() => hypercorn.served.some(({ path }) => path === '/tunnelled'), 'the tunnelled call is served')
})

describe('an upgrade', () => {
  test('to anything but a WebSocket reaches no service, with a valid token, an invalid one or none', async () => {
    for (const path of ['/x', '/healthz']) {
      for (const authorization of [[], ['Authorization: Bearer forged'], [bearer()]]) {
        for (const value of OTHERS) {
          const answer = await tunnel(nginx.origin, path, [
            ...authorization,
            ...OPENING,
            'Connection: HTTP2-Settings',
            `Upgrade: ${value}`,
            SETTINGS,
          ])
          assert.doesNotMatch(answer, /^HTTP\/1\.1 101/, value)
        }
      }
    }
    assert.deepEqual(
      new Set(hypercorn.served.map(({ type, path }) => `${type} ${path}`)),
      new Set(['http /x', 'http /healthz']),
    )
    for (const name of ['upgrade', 'http2-settings']) assert.deepEqual(valuesOf(name), [], name)
    assert.deepEqual(new Set(valuesOf('x-user-id')), new Set([userId]))
  })

  test('requested twice or by a malformed field reaches the service as one WebSocket or not at all', async () => {
    for (const fields of [
      ['Upgrade: h2c', 'Upgrade: websocket'],
      ['Upgrade: websocket', 'Upgrade: h2c'],
      ['Upgrade: ', 'Upgrade: h2c'],
      ['Upgrade : h2c'],
      ['Upgrade:\th2c'],
      ['Upgrade:h2c '],
      [' Upgrade: h2c'],
      ['\tUpgrade: h2c'],
      ['Up_grade: h2c'],
      ['X: y', ' Upgrade: h2c'],
      ['X: y\rUpgrade: h2c'],
      ['X: y\nUpgrade: h2c'],
    ]) {
      await tunnel(nginx.origin, '/x', [bearer(), ...OPENING, SETTINGS, ...fields]).catch(() => {})
    }
    for (const { type, path, version } of hypercorn.served)
      assert.ok(
        ['http 1.1 /x', 'http 1.1 /healthz', 'websocket 1.1 /x'].includes(`${type} ${version} ${path}`),
        `${type} ${version} ${path}`,
      )
    assert.ok(valuesOf('upgrade').every((value) => value === 'websocket'))
    assert.deepEqual(valuesOf('http2-settings'), [])
  })

  test('on a public location reaches no service, not even a WebSocket', async () => {
    for (const authorization of [[], [bearer()]]) {
      for (const value of ['websocket', 'WebSocket', 'h2c']) {
        assert.match(
          await tunnel(nginx.origin, '/healthz', [...authorization, ...OPENING, `Upgrade: ${value}`]),
          /^HTTP\/1\.1 200 /,
        )
      }
    }
    assert.deepEqual(new Set(hypercorn.served.map(({ type, path }) => `${type} ${path}`)), new Set(['http /healthz']))
    assert.deepEqual(valuesOf('upgrade'), [])
  })

  test('needs GET and HTTP/1.1', async () => {
    for (const line of ['POST /x HTTP/1.1', 'OPTIONS /x HTTP/1.1', 'HEAD /x HTTP/1.1', 'GET /x HTTP/1.0']) {
      const { status } = await sendRaw(nginx.origin, [line, bearer(), ...OPENING, 'Upgrade: websocket'])
      assert.equal(status, 200, line)
    }
    assert.deepEqual([hypercorn.served.length, valuesOf('upgrade')], [4, []])
  })
})

describe('a WebSocket', () => {
  test('opens with a valid token, in any spelling of the field, and carries messages both ways', async () => {
    const socket =
      (await open('/socket', { authorization: `Bearer ${token}`, 'x-user-id': 'forged' })) ??
      assert.fail('it does not open')
    const message = once(socket, 'message')
    socket.send('hello')
    const [{ data }] = (await message) as [MessageEvent]
    assert.equal(data, 'echo hello')
    socket.close()
    assert.deepEqual(valuesOf('x-user-id'), [userId])
    assert.deepEqual(valuesOf('authorization'), [])
    for (const name of ['WebSocket', 'WEBSOCKET', ' websocket ']) {
      assert.match(
        await tunnel(nginx.origin, '/socket', [bearer(), ...OPENING, `Upgrade: ${name}`]),
        /^HTTP\/1\.1 101 /,
        name,
      )
    }
    assert.deepEqual(new Set(valuesOf('upgrade')), new Set(['websocket']))
  })

  test('with an invalid token does not open, and does not reach the service', async () => {
    const bob = await gated.auth.signIn('bob@example.com')
    await gated.auth.call('POST /auth/tokens/revoke', { token: bob })
    for (const headers of [{}, { authorization: 'Bearer forged' }, { authorization: `Bearer ${bob}` }] as Record<
      string,
      string
    >[]) {
      assert.equal(await open('/socket', headers), undefined)
    }
    assert.deepEqual(hypercorn.served, [])
  })

  test('closes soon after its token is revoked, if the service checks again as docs/gateways.md shows', async (t) => {
    const example =
      /^```js\n([^]*?)^```/m.exec(readFileSync(new URL('../../docs/gateways.md', import.meta.url), 'utf8'))?.[1] ??
      assert.fail()
    const service = `${example.replace('http://127.0.0.1:3000', gated.auth.origin)}
      import { createServer } from 'node:http'
      const server = createServer().on('upgrade', (request, socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n\\r\\n')
        socket.on('error', () => {}).resume()
        endWhenRefused(socket, request, 0.1)
      })
      server.listen(0, '127.0.0.1', () => console.log(server.address().port))`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', service], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    endsWithTest(child, 'KILL')
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    const ports = { auth: gated.ports.auth, behind: Number(port) }
    const forwarding = await startGateway(await freePort(), ports, {
      '# websocket $http_authorization;': 'websocket $http_authorization;',
    })
    t.after(async () => {
      await forwarding.stop()
      child.kill('SIGKILL')
    })
    const [carol, dan] = [await gated.auth.signIn('carol@example.com'), await gated.auth.signIn('dan@example.com')]
    const sockets = [carol, dan].map((of) => {
      const socket = connect(Number(new URL(forwarding.origin).port), '127.0.0.1')
      socket.write(
        ['GET /x HTTP/1.1', 'Host: x', `Authorization: Bearer ${of}`, ...OPENING, 'Upgrade: websocket', '', ''].join(
          '\r\n',
        ),
      )
      return socket
    })
    const [ofCarol, ofDan] = sockets as [Socket, Socket]
    await Promise.all(sockets.map((socket) => once(socket, 'data')))
    assert.deepEqual([ofCarol.readableEnded, ofDan.readableEnded], [false, false])
    await gated.auth.call('POST /auth/tokens/revoke', { token: carol })
    await once(ofCarol, 'end')
    assert.equal(ofDan.readableEnded, false, 'the other user’s connection stays open')
  })

  test('that the service refuses leaves no tunnel', async () => {
    const wrong = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 1777',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    assert.doesNotMatch(await tunnel(nginx.origin, '/x', [bearer(), ...wrong]), /^HTTP\/1\.1 101/)
    assert.deepEqual(
      hypercorn.served.filter(({ path }) => path === '/tunnelled'),
      [],
    )
  })
})

test("an unrequested 101 of a service opens no tunnel: the caller's next bytes do not reach it", async (t) => {
  const reached: string[] = []
  const mirror = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.writeHead(101).end()
  }).listen(0, '127.0.0.1')
  await once(mirror, 'listening')
  const mirrored = await startGateway(await freePort(), {
    auth: gated.ports.auth,
    behind: (mirror.address() as AddressInfo).port,
  })
  t.after(async () => {
    await mirrored.stop()
    mirror.close()
  })
  for (const path of ['/healthz', '/x']) {
    for (const fields of [
      [],
      ['Upgrade:'],
      ['Upgrade: 0'],
      ['Upgrade: h2c'],
      ['Upgrade: x', 'Connection: Upgrade'],
      ['Upgrade: websocket', 'Connection: keep-alive'],
      [...OPENING, 'Upgrade: websocket'],
    ]) {
      reached.length = 0
      const socket = connect(Number(new URL(mirrored.origin).port), '127.0.0.1')
      const received = untilClosed(socket)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${[...fields, bearer(), ''].join('\r\n')}\r\n`)
      await until(() => reached.length === 1, 'the call reached the service')
      socket.write('GET /tunnelled HTTP/1.1\r\nHost: x\r\nX-User-Id: forged\r\nConnection: close\r\n\r\n')
      await sendRaw(mirrored.origin, ['GET /unasked HTTP/1.1'])
      socket.destroy()
      await received
      assert.deepEqual(reached, [path], fields.join())
    }
  }
})

test('a 101 in place of an answer to the check passes nothing', async () => {
  for (const fields of [[], ['Upgrade:'], ['Upgrade: h2c'], [...OPENING, 'Upgrade: websocket']]) {
    gated.answerBy((response) => void response.writeHead(101, { 'x-user-id': userId, connection: 'close' }).end())
    const { status } = await sendRaw(gated.nginx.origin, ['GET /x HTTP/1.1', bearer(), ...fields])
    // nginx treats a 101 in a subrequest as an error, and may close the connection.
    assert.ok(status === 503 || Number.isNaN(status), `${fields.join()} ${status}`)
  }
  assert.deepEqual(gated.passed, [])
})
