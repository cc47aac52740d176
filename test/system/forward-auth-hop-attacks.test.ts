/** HTTP/2, trailers, framing and `Connection` neither forge an identity nor hide a call from nginx's check. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { freePort } from '../support/files.ts'
import { startGatewaySetup } from '../support/gateways/gateway.ts'
import type { GatewaySetup } from '../support/gateways/gateway.ts'
import { dataFrame, endedStreams, headersFrame, opening } from '../support/wire/http2-frames.ts'
import { createKey, tokenOf } from '../support/accounts/keys.ts'
import { ambiguousConnections } from '../support/gateways/ambiguous-framing.ts'
import { startGateway } from '../support/gateways/nginx.ts'
import type { Nginx } from '../support/gateways/nginx.ts'
import { exchange, sendBytes, sendRaw } from '../support/wire/raw.ts'
import { userOf } from '../support/database/state.ts'

let gated: GatewaySetup
let http2: Nginx
let token: string
let ofKey: string
let apiKeyId: string
let userId: string
before(async () => {
  gated = await startGatewaySetup()
  const port = await freePort()
  http2 = await startGateway(port, gated.ports, { 'listen 8081;': `listen 127.0.0.1:${port} http2;` })
  token = await gated.auth.signIn('ana@example.com')
  userId = (await userOf(gated.auth.db, 'ana@example.com')).id
  const key = await createKey(gated.auth, token)
  apiKeyId = key.apiKey.id
  ofKey = await tokenOf(gated.auth, key)
})
after(async () => {
  await http2?.stop()
  await gated?.stop()
})
beforeEach(() => {
  gated.passed.length = 0
  gated.serveBy()
})

const OURS = ['x-user-id', 'x-user-role', 'x-api-key-id', 'x-account-claimed', 'x-currency'] as const
const HOP_BY_HOP = [
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
  'expect',
]
const FORGED = [
  ['x-user-id', 'forged'],
  ['x-user-role', 'ADMIN'],
  ['x-api-key-id', 'forged'],
  ['x-account-claimed', 'forged'],
] as const

/** Asserts that every call that passed has this key's identity. */
function assertOfKey(said: string): void {
  for (const { headers, names } of gated.passed) {
    assert.deepEqual(
      OURS.map((name) => headers[name]),
      [userId, 'USER', apiKeyId, 'true', 'RON'],
      said,
    )
    assert.deepEqual(
      names.map((name) => name.toLowerCase()).filter((name) => HOP_BY_HOP.includes(name)),
      [],
      said,
    )
  }
}

const send = (line: string, ...fields: string[]) =>
  sendRaw(gated.nginx.origin, [`${line} HTTP/1.1`, `Authorization: Bearer ${ofKey}`, ...fields])

describe('over HTTP/1.1', () => {
  test('Connection removes no identity field, and reaches the next hop with no field name', async () => {
    const named = [
      'X-User-Id',
      'x-api-key-id',
      'close, X-Api-Key-Id',
      'X-User-Id, X-User-Role, X-Api-Key-Id, X-Account-Claimed, X-Currency',
      'Upgrade, X-Api-Key-Id',
      'keep-alive,\tX-Api-Key-Id',
      'Host',
      'X-Forwarded-For',
      ',',
      '',
    ]
    for (const value of named) {
      assert.equal((await send('GET /x', `Connection: ${value}`)).status, 200, value)
      assert.equal(
        (await send('GET /x', 'Connection: keep-alive', `connection: ${value}`, 'Upgrade: websocket, h2c')).status,
        200,
        value,
      )
      assertOfKey(value)
    }
    assert.equal(gated.passed.length, 2 * named.length)
    assert.deepEqual(new Set(gated.passed.map(({ headers }) => headers['connection'])), new Set(['close']))
  })

  test('hop-by-hop fields stay on their connection', async () => {
    for (const field of [
      'TE: trailers',
      'TE: trailers, chunked',
      'Trailer: X-User-Id',
      'Keep-Alive: timeout=5',
      'Proxy-Connection: keep-alive',
      'Proxy-Authorization: Basic eDp5',
      'HTTP2-Settings: AAMAAABk',
    ]) {
      assert.equal((await send('GET /x', field)).status, 200, field)
      assertOfKey(field)
    }
  })

  test('trailers with the names of identity fields are dropped', async () => {
    let trailers: unknown
    gated.serveBy((request, response) => {
      trailers = request.trailers
      response.end()
    })
    const head = `POST /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${ofKey}\r\nTrailer: X-User-Id, X-Api-Key-Id\r\nTransfer-Encoding: chunked\r\n\r\n`
    const { status } = await sendBytes(
      gated.nginx.origin,
      `${head}5\r\nhello\r\n0\r\nX-User-Id: forged\r\nX-Api-Key-Id: forged\r\nX-Account-Claimed: forged\r\n\r\n`,
    )
    assert.ok([200, 400].includes(status), String(status))
    assertOfKey('trailers')
    assert.ok(!JSON.stringify([trailers ?? {}, gated.passed]).includes('forged'))
  })

  test('a call with two lengths, or with an ambiguous length, hides no second call in its body', async () => {
    for (const bytes of ambiguousConnections(ofKey)) await exchange(gated.nginx.origin, bytes)
    assert.deepEqual(new Set(gated.passed.map(({ line }) => line)), new Set(['POST /x']))
    assertOfKey('framing')
  })

  test('CONNECT and the HTTP/2 preface open no tunnel, for any target and caller', async () => {
    const { port } = new URL(gated.nginx.origin)
    for (const target of ['x:80', `127.0.0.1:${port}`, '/healthz', '/x', 'http://x/healthz', '*', '']) {
      const { status } = await send(`CONNECT ${target}`)
      assert.ok([400, 405].includes(status), `${target} ${status}`)
    }
    assert.equal(
      (
        await sendBytes(
          gated.nginx.origin,
          Buffer.concat([opening(), headersFrame(1, [[':method', 'GET'], ...FORGED])]),
        )
      ).status,
      400,
    )
    assert.deepEqual(gated.passed, [])
  })

  test('an absolute request target is guarded as its path, with the gateway’s own host', async () => {
    for (const target of ['http://x/a', 'http://evil.example/a', 'https://evil.example:443/a', 'HTTP://x/a']) {
      assert.ok([200, 400].includes((await send(`GET ${target}`, 'Host: x')).status), target)
      assert.ok([400, 401].includes((await sendRaw(gated.nginx.origin, [`GET ${target} HTTP/1.1`])).status), target)
    }
    assert.ok(gated.passed.length > 0)
    assert.deepEqual(new Set(gated.passed.map(({ line }) => line)), new Set(['GET /a']))
    assertOfKey('absolute')
  })
})

describe('over HTTP/2', () => {
  async function ask(headers: OutgoingHttpHeaders, trailers?: OutgoingHttpHeaders): Promise<IncomingHttpHeaders> {
    const session = connectHttp2(http2.origin)
    session.on('error', () => {})
    try {
      const stream = session.request(headers, {
        endStream: trailers === undefined,
        waitForTrailers: trailers !== undefined,
      })
      stream.on('wantTrailers', () => stream.sendTrailers(trailers ?? {}))
      if (trailers !== undefined) stream.end('hello')
      const [answered] = (await once(stream, 'response')) as [IncomingHttpHeaders]
      await text(stream)
      return answered
    } finally {
      session.close()
    }
  }

  /** Sends frames on one connection until each stream is answered or the server closes. */
  async function sendFrames(streams: readonly number[], ...frames: Buffer[]): Promise<void> {
    const socket = connect(Number(new URL(http2.origin).port), '127.0.0.1')
    let received = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      const ended = endedStreams(received)
      if (ended === undefined || streams.every((stream) => ended.has(stream))) socket.destroy()
    })
    socket.on('error', () => {})
    socket.write(Buffer.concat([opening(), ...frames]))
    await once(socket, 'close')
  }

  const base = (path: string, method = 'GET') =>
    [
      [':method', method],
      [':scheme', 'http'],
      [':authority', 'x'],
      [':path', path],
    ] as const
  const bearer = () => [['authorization', `Bearer ${ofKey}`]] as const

  test('a call passes as over HTTP/1.1, with forged fields and trailers replaced', async () => {
    const good = { authorization: `Bearer ${ofKey}` }
    assert.equal((await ask({ ':path': '/x' }))[':status'], 401)
    assert.equal(
      (
        await ask({
          ':path': '/x',
          ...good,
          ...Object.fromEntries(FORGED),
          x_user_id: 'forged',
          'x.user.id': 'forged',
          te: 'trailers',
        })
      )[':status'],
      200,
    )
    // nginx accepts no trailers over HTTP/2 and closes the connection.
    await ask({ ':path': '/x', ':method': 'POST', ...good, trailer: 'x-user-id' }, { 'x-user-id': 'forged' }).catch(
      () => {},
    )
    assertOfKey('HTTP/2')
    assert.ok(gated.passed.length > 0 && !JSON.stringify(gated.passed).includes('forged'))
  })

  test('pseudo-header and hop-by-hop fields, in any number and spelling, neither pass the check nor change the identity', async () => {
    const tricks = [
      [...base('/healthz'), [':path', '/x']],
      [...base('/x'), [':path', '/healthz']],
      [...base('x')],
      [...base('')],
      [...base('*')],
      [...base('http://x/healthz')],
      [...base('/x HTTP/1.1\r\nX-User-Id: forged\r\nX: y')],
      [...base('/x', 'GET /healthz HTTP/1.1\r\nX: y')],
      [...base('/x', 'CONNECT')],
      [...base('/x', 'get')],
      [
        [':method', 'CONNECT'],
        [':authority', 'x:80'],
      ],
      [
        [':method', 'CONNECT'],
        [':protocol', 'websocket'],
        [':scheme', 'http'],
        [':authority', 'x'],
        [':path', '/x'],
      ],
      [...base('/x'), [':status', '200']],
      [...base('/x'), [':x-user-id', 'forged']],
      [['x-user-id', 'forged'], ...base('/x')],
      [...base('/x'), ['x', 'y'], [':path', '/healthz']],
      [
        [':method', 'GET'],
        [':path', '/x'],
      ],
      [
        [':scheme', 'file'],
        [':method', 'GET'],
        [':path', '/x'],
        [':authority', 'x'],
      ],
      [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', '/x'],
        [':authority', 'x\r\nX-User-Id: forged'],
      ],
      [...base('/x'), ['X-User-Id', 'forged']],
      [...base('/x'), ['x-user-id', 'forged'], ['x-user-id', 'twice']],
      [...base('/x'), ['x-user-id ', 'forged']],
      [...base('/x'), ['x-user-id:x', 'forged']],
      [...base('/x'), ['x', 'y\r\nx-user-id: forged']],
      [...base('/x'), ['x', 'y\nx-user-id: forged']],
      [...base('/x'), ['x\r\nx-user-id', 'forged']],
      [...base('/x'), ['', 'forged']],
      [...base('/x'), ['x', 'y\0x-user-id: forged']],
      [...base('/x'), ['connection', 'x-api-key-id']],
      [
        ...base('/x'),
        ['connection', 'upgrade'],
        ['upgrade', 'websocket'],
        ['sec-websocket-version', '13'],
        ['sec-websocket-key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      ],
      [...base('/x'), ['connection', 'upgrade, http2-settings'], ['upgrade', 'h2c'], ['http2-settings', 'AAMAAABk']],
      [...base('/x'), ['te', 'gzip']],
      [...base('/x'), ['proxy-connection', 'x-user-id']],
      [...base('/x'), ['keep-alive', '5']],
      [...base('/x', 'POST'), ['transfer-encoding', 'chunked']],
      [...base('/x', 'POST'), ['content-length', '5']],
      [...base('/x', 'POST'), ['content-length', '0'], ['content-length', '50']],
      [...base('/x'), ['host', 'evil.example']],
      [...base('/x'), ['expect', '100-continue']],
    ] as [string, string][][]
    for (const fields of tricks)
      await sendFrames([1, 3], headersFrame(1, fields), headersFrame(3, [...base('/x'), ...FORGED]))
    const reached = gated.passed.filter(({ line }) => line !== 'GET /healthz')
    assert.deepEqual(reached, [], 'without a token')
    const names = gated.passed.flatMap((arrived) => arrived.names.map((name) => name.toLowerCase()))
    assert.deepEqual(
      names.filter((name) => [...OURS, ...HOP_BY_HOP].includes(name as never)),
      [],
    )
    gated.passed.length = 0
    for (const fields of tricks) {
      await sendFrames([1], headersFrame(1, [...fields, ...bearer()]))
      await sendFrames(
        [1],
        headersFrame(1, [...fields, ...bearer()], true),
        dataFrame(1, 'GET /hidden HTTP/1.1\r\nHost: x\r\nX-User-Id: forged\r\n\r\n'),
      )
    }
    assert.ok(gated.passed.some(({ line }) => line === 'GET /x'))
    gated.passed.splice(0, Infinity, ...gated.passed.filter(({ line }) => !line.endsWith(' /healthz')))
    assertOfKey('with a token')
    for (const { line, headers } of gated.passed)
      assert.ok(
        /^(GET|POST) \/x$/.test(line) && !JSON.stringify(headers).includes('forged'),
        `${line} ${JSON.stringify(headers)}`,
      )
  })
})
