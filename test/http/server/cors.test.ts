import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sendRaw } from '../../support/wire/raw.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const FRONTEND = 'https://app.example:8443'
let service: Service
before(async () => {
  service = await startService({ APP_URL: `${FRONTEND}/start?x` })
})
after(() => service.close())

const list = (text: string | null) => new Set((text ?? '').split(', '))
const preflight = (path: string, origin: string, ...fields: readonly string[]) =>
  sendRaw(service.origin, [
    `OPTIONS ${path} HTTP/1.1`,
    `Origin: ${origin}`,
    'Access-Control-Request-Method: POST',
    ...fields,
  ])

const foreign = [
  'null',
  'https://evil.example',
  'https://app.example',
  'https://app.example:443',
  'https://app.example:84430',
  'https://app.example:8444',
  'http://app.example:8443',
  'https://APP.example:8443',
  'HTTPS://app.example:8443',
  'https://app.example:8443/',
  'https://app.example:8443/start?x',
  'https://app.example:8443.evil.example',
  'https://evil.example/https://app.example:8443',
  'https://evilapp.example:8443',
  'https://x.app.example:8443',
  'https://app.example.:8443',
  'https://app\u00e9example:8443',
  'https://appXexample:8443',
  `${FRONTEND}, https://evil.example`,
  `${FRONTEND} ${FRONTEND}`,
  '*',
  '',
  'undefined',
]

describe('a preflight', () => {
  test('of the frontend is 204 with the specified lists, also for protected paths and without a token', async () => {
    for (const path of [
      '/api/v1/auth/request',
      '/api/v1/users/me',
      '/api/v1/auth/api-keys',
      '/api/v1/auth/api-keys/x/revoke',
    ]) {
      const { status, text, headers } = await preflight(
        path,
        FRONTEND,
        'Access-Control-Request-Headers: authorization, x-evil',
      )
      assert.deepEqual([status, text], [204, ''])
      assert.equal(headers.get('access-control-allow-origin'), FRONTEND)
      assert.deepEqual(
        list(headers.get('access-control-allow-headers')),
        new Set([
          'Authorization',
          'Content-Type',
          'X-Currency',
          'X-Request-Id',
          'Idempotency-Key',
          'traceparent',
          'tracestate',
          'MCP-Protocol-Version',
        ]),
      )
      assert.deepEqual(
        list(headers.get('access-control-allow-methods')),
        new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']),
      )
      assert.equal(headers.get('access-control-allow-credentials'), null)
      assert.equal(headers.get('access-control-allow-private-network'), null)
      assert.ok(list(headers.get('vary')).has('Origin'))
    }
  })

  test('of any other origin is allowed nothing', async () => {
    for (const origin of foreign) {
      const { headers } = await preflight('/api/v1/users/me', origin, 'Access-Control-Request-Private-Network: true')
      assert.equal(headers.get('access-control-allow-origin'), null, origin)
      assert.equal(headers.get('access-control-allow-credentials'), null)
      assert.equal(headers.get('access-control-allow-private-network'), null)
      assert.ok(list(headers.get('vary')).has('Origin'))
    }
  })
})

describe('an answer', () => {
  const routes = [
    'GET /auth/config',
    'GET /users/me',
    'GET /nowhere',
    'PUT /auth/request',
    'GET /auth/verify',
    'GET /%zz',
  ]

  test('is readable by the frontend, errors included, with the specified fields', async () => {
    for (const route of routes) {
      const { headers } = await service.call(route, { headers: { origin: FRONTEND } })
      assert.equal(headers.get('access-control-allow-origin'), FRONTEND, route)
      assert.deepEqual(
        list(headers.get('access-control-expose-headers')),
        new Set([
          'WWW-Authenticate',
          'Retry-After',
          'RateLimit',
          'RateLimit-Policy',
          'X-Request-Id',
          'X-Currency',
          'Idempotent-Replayed',
        ]),
      )
      assert.equal(headers.get('access-control-allow-credentials'), null)
      assert.ok(list(headers.get('vary')).has('Origin'), route)
    }
  })

  test('is not readable by any other page', async () => {
    for (const route of routes) {
      for (const origin of foreign) {
        const [method, path] = route.split(' ')
        const { headers } = await sendRaw(service.origin, [`${method} /api/v1${path} HTTP/1.1`, `Origin: ${origin}`])
        assert.equal(headers.get('access-control-allow-origin'), null, `${route} ${origin}`)
        assert.equal(headers.get('access-control-allow-credentials'), null)
        assert.ok(
          list(headers.get('vary')).has('Origin'),
          'no cache may hand this to the frontend, or the other way round',
        )
      }
    }
  })

  test('has no CORS permission when the request has no Origin', async () => {
    const { headers } = await sendRaw(service.origin, ['GET /api/v1/auth/config HTTP/1.1'])
    assert.equal(headers.get('access-control-allow-origin'), null)
  })
})
