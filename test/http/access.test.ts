import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, before, describe, test } from 'node:test'
import type { RouteOptions } from 'fastify'
import { buildApp } from '../../src/app.ts'
import { ApiError } from '../../src/errors.ts'
import { collectMethods, enforceAccess } from '../../src/http/access.ts'
import type { App } from '../../src/http/endpoint.ts'
import { createServer } from '../../src/http/server/server.ts'
import { assertError } from '../support/http/answers.ts'
import { sendRaw } from '../support/wire/raw.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { databaseContent, recipientsOf } from '../support/database/state.ts'

/** Every method that a gateway may forward, besides GET and HEAD. */
const FORWARDED = METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD'].includes(method)).join()

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

/** A server that rejects everybody and has no routes yet. */
function emptyServer(): App {
  const app = createServer(service.deps, () => undefined)
  enforceAccess(app, service.deps.config, async () => {
    throw new ApiError('UNAUTHORIZED')
  })
  return app
}

const addOpenPage = (app: App) => void app.get('/dev/open', async () => 'open')

describe('a route without an access class', () => {
  test('prevents the start, wherever and however it is added', async () => {
    const ways: ((app: App) => unknown)[] = [
      (app) => app.get('/open', async () => 'open'),
      (app) => app.route({ method: ['GET', 'POST'], url: '/open', config: {}, handler: async () => 'open' }),
      (app) => app.register(async (inner) => void inner.post('/open', async () => 'open'), { prefix: '/in' }),
      (app) => app.all('/open', { config: { errors: ['NOT_FOUND'] } }, async () => 'open'),
      (app) => app.options('/open', async () => 'open'),
    ]
    for (const add of ways) {
      const app = emptyServer()
      await assert.rejects(async () => {
        add(app)
        await app.ready()
      }, /^Error: \S+ \S*\/open does not state its access class$/)
      await app.close()
    }
  })

  test('prevents building the whole service, also among the development pages', async () => {
    await assert.rejects(buildApp(service.deps, addOpenPage), /GET \/dev\/open does not state its access class/)
  })
})

test('an authenticated route without a scope prevents the start', async () => {
  const ways: ((app: App) => unknown)[] = [
    (app) => app.get('/in', { config: { access: 'authenticated' } }, async () => 'in'),
    (app) =>
      app.register(async (inner) => void inner.post('/in', { config: { access: 'authenticated' } }, async () => 'in')),
  ]
  for (const add of ways) {
    const app = emptyServer()
    await assert.rejects(async () => {
      add(app)
      await app.ready()
    }, /^Error: \S+ \/in does not state its scope$/)
    await app.close()
  }
})

describe('the guard', () => {
  test('runs before everything else of a route: its own hooks, the body, the schemas', async () => {
    const app = emptyServer()
    const reached: string[] = []
    app.post(
      '/guarded',
      {
        config: { access: 'authenticated', scope: 'account:read' },
        schema: { body: { type: 'object', required: ['x'] } },
        onRequest: async () => void reached.push('onRequest'),
        preParsing: async () => void reached.push('preParsing'),
        preValidation: async () => void reached.push('preValidation'),
      },
      async () => void reached.push('handler'),
    )
    for (const payload of ['{"x":1}', '{', 'x'.repeat(70_000)]) {
      const headers = { 'content-type': 'application/json', 'x-currency': 'USD' }
      const answer = await app.inject({ method: 'POST', url: '/guarded', headers, payload })
      assert.deepEqual(answer.json(), { error: { message: 'Unauthorized', code: 'UNAUTHORIZED' } })
    }
    assert.deepEqual(reached, [])
    await app.close()
  })

  test('protects exactly these routes [CVE-2026-22031]', async () => {
    const routes: RouteOptions[] = []
    const app = await buildApp(
      service.deps,
      (inner) => void inner.addHook('onRoute', (route) => void routes.push(route)),
    )
    await app.close()
    const authenticated = routes
      .filter(({ config }) => config?.access === 'authenticated')
      .map(({ url, method }) => `${String(method)} ${url}`)
    assert.deepEqual(
      new Set(authenticated),
      new Set([
        'GET /api/v1/auth/api-keys',
        'HEAD /api/v1/auth/api-keys',
        'POST /api/v1/auth/api-keys',
        'PATCH /api/v1/auth/api-keys/:id',
        'POST /api/v1/auth/api-keys/:id/revoke',
        'POST /api/v1/auth/api-keys/:id/keep',
        'POST /api/v1/auth/tokens/revoke',
        'POST /api/v1/auth/sign-out',
        'GET /api/v1/auth/sessions',
        'GET /api/v1/auth/api-keys/:id/uses',
        'HEAD /api/v1/auth/api-keys/:id/uses',
        'HEAD /api/v1/auth/sessions',
        'GET /api/v1/auth/apps',
        'HEAD /api/v1/auth/apps',
        'POST /api/v1/auth/apps/:id/revoke',
        'POST /api/v1/oauth/authorize/inspect',
        'POST /api/v1/oauth/authorize/decide',
        'POST /api/v1/auth/sessions/:id/revoke',
        'POST /api/v1/auth/api-keys/:id/rotate',
        'GET /api/v1/auth/api-keys/:id/descendants',
        'HEAD /api/v1/auth/api-keys/:id/descendants',
        'GET /api/v1/auth/events',
        'HEAD /api/v1/auth/events',
        'GET /api/v1/auth/google/connection',
        'HEAD /api/v1/auth/google/connection',
        'POST /api/v1/auth/google/connection',
        'DELETE /api/v1/auth/google/connection',
        'DELETE /api/v1/users/me',
        'GET /api/v1/users/me/export',
        'HEAD /api/v1/users/me/export',
        'GET /api/v1/auth/check',
        'HEAD /api/v1/auth/check',
        `${FORWARDED} /api/v1/auth/check`,
        'GET /api/v1/auth/check/*',
        'HEAD /api/v1/auth/check/*',
        `${FORWARDED} /api/v1/auth/check/*`,
        'GET /api/v1/users/me',
        'HEAD /api/v1/users/me',
        'PATCH /api/v1/users/me',
        'POST /api/v1/users/me/email',
        'POST /api/v1/auth/email/confirm',
        'POST /api/v1/mcp',
        'GET /api/v1/payment-links',
        'HEAD /api/v1/payment-links',
        'POST /api/v1/payment-links',
        'GET /api/v1/payment-links/:id',
        'HEAD /api/v1/payment-links/:id',
        'POST /api/v1/payment-links/:id/deactivate',
      ]),
    )
    const calls = authenticated.flatMap((route) => {
      const [methods = '', path = ''] = route.replace(':id', 'x').split(' ')
      return methods.split(',').map((method) => `${method} ${path}`)
    })
    for (const route of calls) {
      const answer = await sendRaw(service.origin, [`${route} HTTP/1.1`])
      assert.equal(answer.status, 401, route)
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer /)
    }
  })
})

describe('without a token', () => {
  const spellings = [
    '//auth/api-keys',
    '/auth//api-keys',
    '/./auth/api-keys',
    '/auth/./api-keys',
    '/x/../auth/api-keys',
    '/auth/api-keys/..',
    '/auth/api-keys/.',
    '/%2e/auth/api-keys',
    '/%2e%2e/v1/auth/api-keys',
    '/auth%2fapi-keys',
    '/auth%2Fapi-keys',
    '/auth%5capi-keys',
    '/auth\\api-keys',
    '/auth/api-keys;x',
    '/auth;x/api-keys',
    '/auth/api-keys;jsessionid=1',
    '/AUTH/API-KEYS',
    '/Auth/api-keys',
    '/auth/api-keys/',
    '/auth/api-keys//',
    '/%61uth/api-keys',
    '/auth/api%2dkeys',
    '/auth/%61%70%69-keys',
    '/auth/api-keys%00',
    '/auth/api-keys%20',
    '/auth/api-keys%0a',
    '/auth/api-keys%3f',
    '/auth/api-keys%23',
    '/auth/api-keys?',
    '/auth/api-keys??x',
    '/auth/api-keys#x',
    '/auth/api-keys.json',
    '/auth/api-keys%252f',
    '/auth/api-keys/*',
    '/auth/config/../api-keys',
    '/auth/config%2f..%2fapi-keys',
    '/auth/config;/../api-keys',
    '/auth/verify/../api-keys',
    '/a\u00fcth/api-keys',
    '/auth/api-keys?access=public',
  ]

  test('no spelling of a protected path gets more than 401 or 404 [CVE-2026-22031]', async () => {
    const targets = [
      '/api/v1',
      '//api/v1',
      '*api/v1',
      '*/api/v1',
      'http://127.0.0.1/api/v1',
      'HTTP://evil.example//api/v1',
    ].flatMap((base) => spellings.map((spelling) => base + spelling))
    for (const target of targets) {
      const { status } = await sendRaw(service.origin, [`GET ${target} HTTP/1.1`])
      // Characters that are invalid in a URL give 400.
      const allowed = /[#\u00fc]/.test(target) ? [400, 401, 404] : [401, 404]
      // PATCH of a key is a route of its own: its path exists, and GET is not one of its methods.
      if (/\/auth\/api-keys\//.test(target)) allowed.push(405)
      assert.ok(allowed.includes(status), `${target} ${status}`)
    }
  })

  test('header fields that rewrite the path or the method in other servers have no effect [GHSA-7rh7-c77v-6434]', async () => {
    const { token } = await service.signUp('ana@example.com')
    await recipientsOf(service)
    const stored = await databaseContent(service.db)
    const rewriting = [
      ['X-Original-URL: /api/v1/auth/config'],
      ['X-Rewrite-URL: /api/v1/auth/config'],
      ['X-Original-URI: /healthz'],
      ['X-Forwarded-Uri: /healthz'],
      ['X-Forwarded-Path: /healthz'],
      ['X-Forwarded-Prefix: /x'],
      ['X-Accel-Redirect: /healthz'],
      ['X-HTTP-Method-Override: OPTIONS'],
      ['X-HTTP-Method: OPTIONS'],
      ['X-Method-Override: HEAD'],
      ['X-Forwarded-For: 127.0.0.1'],
      ['X-Real-IP: 127.0.0.1'],
      ['X-User-Id: admin', 'X-User-Role: ADMIN'],
      ['Host: localhost'],
      ['Cookie: token=x'],
      ['Forwarded: for=127.0.0.1'],
      ['X-Api-Key: x'],
      ['User-Agent: GoogleHC/1.0'],
      ['User-Agent: kube-probe/1.31'],
      ['User-Agent: ELB-HealthChecker/2.0'],
      ['X-Forwarded-Method: OPTIONS'],
      [
        'X-Forwarded-Host: 127.0.0.1',
        'X-Forwarded-Proto: https',
        'X-Forwarded-Uri: /api/v1/auth/request',
        'X-Original-Method: OPTIONS',
      ],
    ]
    for (const fields of rewriting) {
      const refused = await sendRaw(service.origin, ['GET /api/v1/auth/api-keys HTTP/1.1', ...fields])
      assertError(refused, 'UNAUTHORIZED')
    }
    const overrides = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map((name) => `${name}: PATCH`)
    const authorization = `Authorization: Bearer ${token}`
    const statuses = { '/users/me': 200, '/users/me?_method=PATCH': 400 }
    for (const [path, status] of Object.entries(statuses)) {
      const read = await sendRaw(service.origin, [`GET /api/v1${path} HTTP/1.1`, authorization, ...overrides])
      assert.equal(read.status, status, path)
    }
    assert.deepEqual(await databaseContent(service.db), stored)
  })

  test('no query or fragment turns a protected path into a public one [GHSA-7rh7-c77v-6434]', async () => {
    const behind = [
      '/auth/request',
      '/api/v1/auth/request',
      '/healthz',
      '/ping',
      '/oauth2/start',
      'x=/api/v1/auth/verify',
      '/auth/verify?token=x',
      'rd=/healthz',
      'path=/healthz',
      '%23/healthz',
    ]
    for (const path of ['/api/v1/auth/api-keys', '/api/v1/users/me']) {
      for (const text of behind) {
        for (const separator of ['?', '?/', '??', '?&', '%3f']) {
          const { status } = await sendRaw(service.origin, [`GET ${path}${separator}${text} HTTP/1.1`])
          // An escaped question mark is part of the path.
          assert.equal(status, separator === '%3f' ? 404 : 401, `${path}${separator}${text}`)
        }
        // Browsers send no fragment, and a request line has none (RFC 9112, section 3.2).
        const { status } = await sendRaw(service.origin, [`GET ${path}#${text} HTTP/1.1`])
        assert.ok([400, 401, 404].includes(status), `${path}#${text} ${status}`)
      }
    }
  })

  test('a token outside of the Authorization field is ignored', async () => {
    const { token } = await service.signUp('bob@example.com')
    const places: [target: string, field: string][] = [
      [`?access_token=${token}`, 'Accept: */*'],
      [`?token=${token}`, 'Accept: */*'],
      ['', `Cookie: token=${token}; access_token=${token}`],
      ['', `X-Access-Token: ${token}`],
      ['', `Proxy-Authorization: Bearer ${token}`],
      ['', `X-Authorization: Bearer ${token}`],
    ]
    for (const [query, field] of places) {
      const answer = await sendRaw(service.origin, [`GET /api/v1/users/me${query} HTTP/1.1`, field])
      assertError(answer, 'UNAUTHORIZED')
      assert.doesNotMatch(answer.headers.get('www-authenticate') ?? '', /error/)
    }
  })
})

test('only the preflight route needs no access class', async () => {
  const app = emptyServer()
  const methods = collectMethods(app)
  await app.ready()
  assert.deepEqual([...methods], [])
  assert.match(app.printRoutes(), /\* \(OPTIONS\)/)
  await app.close()
})
