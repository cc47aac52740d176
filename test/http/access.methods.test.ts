import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import type { RouteOptions } from 'fastify'
import { buildApp } from '../../src/app.ts'
import { assertError, assertSecurityHeaders, shapeOf } from '../support/http/answers.ts'
import { createLink } from '../support/accounts/payment-links.ts'
import { sendBytes, sendRaw, untilClosed } from '../support/wire/raw.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { databaseContent, recipientsOf } from '../support/database/state.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const paths: Readonly<Record<string, string>> = {
  '/': 'GET, HEAD',
  '/confirm': 'GET, HEAD',
  '/not-me': 'GET, HEAD',
  '/signed-in': 'GET, HEAD',
  '/resume-mail': 'GET, HEAD',
  '/confirm-email': 'GET, HEAD',
  '/undo-email': 'GET, HEAD',
  '/pay/:id': 'GET, HEAD',
  '/connect-google': 'GET, HEAD',
  '/onboarding': 'GET, HEAD',
  '/dashboard': 'GET, HEAD',
  '/dashboard/keys/:id(^[\\w-]{1,64}$)': 'GET, HEAD',
  '/dashboard/payment-links': 'GET, HEAD',
  '/dashboard/activity': 'GET, HEAD',
  '/dashboard/apps': 'GET, HEAD',
  '/authorize': 'GET, HEAD',
  '/dashboard/profile': 'GET, HEAD',
  '/dashboard/quick-start': 'GET, HEAD',
  // Their names contain a hash of their content.
  ...Object.fromEntries(
    readdirSync(new URL('../../web/dist/assets/', import.meta.url))
      .filter((name) => /\.(js|css|svg)$/.test(name))
      .map((name) => [`/assets/${name}`, 'GET, HEAD']),
  ),
  '/docs': 'GET, HEAD',
  '/docs.md': 'GET, HEAD',
  '/docs/*': 'GET, HEAD',
  '/llms.txt': 'GET, HEAD',
  '/healthz': 'GET, HEAD',
  '/readyz': 'GET, HEAD',
  '/api/v1/openapi.json': 'GET, HEAD',
  '/api/v1/auth/request': 'POST',
  '/api/v1/auth/verify': 'GET, HEAD',
  '/api/v1/auth/links/inspect': 'POST',
  '/api/v1/auth/links/not-me': 'POST',
  '/api/v1/auth/mail/resume': 'POST',
  '/api/v1/auth/email/undo': 'POST',
  '/api/v1/auth/email/confirm': 'POST',
  '/api/v1/auth/google/start': 'GET, HEAD',
  '/api/v1/auth/google/callback': 'GET, HEAD',
  '/api/v1/auth/google/onetap': 'POST',
  '/api/v1/auth/google/connection': 'DELETE, GET, HEAD, POST',
  '/api/v1/auth/api/signup': 'POST',
  '/api/v1/auth/api/token': 'POST',
  '/api/v1/auth/api-keys': 'GET, HEAD, POST',
  '/api/v1/auth/api-keys/:id/revoke': 'POST',
  '/api/v1/auth/api-keys/:id/keep': 'POST',
  '/api/v1/auth/api-keys/:id/rotate': 'POST',
  '/api/v1/auth/api-keys/:id/descendants': 'GET, HEAD',
  '/api/v1/auth/api-keys/leaked': 'POST',
  '/api/v1/auth/events': 'GET, HEAD',
  '/api/v1/auth/api-keys/:id': 'PATCH',
  '/api/v1/auth/tokens/revoke': 'POST',
  '/api/v1/auth/api-keys/:id/uses': 'GET, HEAD',
  '/api/v1/auth/sign-out': 'POST',
  '/api/v1/auth/sessions': 'GET, HEAD',
  '/api/v1/auth/sessions/:id/revoke': 'POST',
  '/api/v1/auth/links/not-me/inspect': 'POST',
  '/api/v1/auth/config': 'GET, HEAD',
  '/api/v1': 'GET, HEAD',
  '/api/v1/': 'GET, HEAD',
  '/api/v1/auth/check': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
  '/api/v1/auth/check/*': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
  '/api/v1/users/me': 'DELETE, GET, HEAD, PATCH',
  '/api/v1/users/me/export': 'GET, HEAD',
  '/api/v1/users/me/email': 'POST',
  '/api/v1/mcp': 'POST',
  '/.well-known/oauth-protected-resource/api/v1/mcp': 'GET, HEAD',
  '/api/v1/payment-links': 'GET, HEAD, POST',
  '/api/v1/payment-links/:id': 'GET, HEAD',
  '/api/v1/payment-links/:id/deactivate': 'POST',
  '/api/v1/payment-links/:id/public': 'GET, HEAD',
  '/api/v1/auth/apps': 'GET, HEAD',
  '/api/v1/auth/apps/:id/revoke': 'POST',
  '/api/v1/oauth/authorize': 'GET, HEAD',
  '/api/v1/oauth/authorize/inspect': 'POST',
  '/api/v1/oauth/authorize/decide': 'POST',
  '/api/v1/oauth/token': 'POST',
  '/api/v1/oauth/introspect': 'POST',
  '/api/v1/oauth/revoke': 'POST',
  '/.well-known/oauth-authorization-server': 'GET, HEAD',
  '/.well-known/oauth-authorization-server/api/v1': 'GET, HEAD',
  '/.well-known/oauth-protected-resource': 'GET, HEAD',
  '/.well-known/oauth-protected-resource/api/v1': 'GET, HEAD',
}

/** What pages of every origin may read: it holds nothing of a visitor. */
const isOpen = (path: string) => path.startsWith('/.well-known/') || /^\/api\/v1\/oauth\/(token|revoke)$/.test(path)

let service: Service
let token: string
let linkId: string
before(async () => {
  service = await startService()
  token = await service.signIn('ana@example.com')
  linkId = (await createLink(service, token)).id
})
after(() => service.close())

const send = (method: string, path: string, ...fields: readonly string[]) =>
  sendRaw(service.origin, [
    `${method} ${path
      .replace(/(?<=\/(payment-links|pay)\/):id/, linkId)
      .replace(/:id(\(.*\))?/, 'x')
      .replace('/docs/*', '/docs/keys')} HTTP/1.1`,
    ...fields,
  ])
const sorted = (list: string | null) => (list ?? '').split(', ').toSorted()

test('the list of paths is complete', async () => {
  const urls = new Set<string>()
  const app = await buildApp(
    service.deps,
    (inner) => void inner.addHook('onRoute', (route: RouteOptions) => void urls.add(route.url)),
  )
  await app.close()
  // The route that answers preflights for every path.
  urls.delete('*')
  assert.deepEqual(
    [...urls].filter((url) => paths[url] === undefined),
    [],
  )
})

test('every other method is 405 with the right Allow, with or without a token, and does nothing', async () => {
  await recipientsOf(service)
  const stored = await databaseContent(service.db)
  for (const [path, allow] of Object.entries(paths)) {
    for (const method of METHODS.filter((each) => !sorted(allow).includes(each))) {
      const fields = path.length % 2 > 0 ? [`Authorization: Bearer ${token}`] : []
      const answer = await send(method, path, ...fields)
      assert.equal(answer.status, 405, `${method} ${path}`)
      assert.deepEqual(sorted(answer.headers.get('allow')), sorted(allow), `${method} ${path}`)
      assertSecurityHeaders(answer, path)
      if (method === 'HEAD') assert.equal(answer.text, '')
      else assertError(answer, 'METHOD_NOT_ALLOWED')
    }
  }
  assert.deepEqual(await databaseContent(service.db), stored)
})

test('no allowed method is 405, and HEAD equals GET without its body', async () => {
  for (const [path, allow] of Object.entries(paths)) {
    for (const method of sorted(allow)) {
      const answer = await send(method, path)
      assert.ok(![404, 405].includes(answer.status), `${method} ${path} ${answer.status}`)
    }
    if (path === '/api/v1/auth/verify' || path.includes('/google/') || path.includes(':id') || !allow.includes('HEAD'))
      continue
    const fields = [`Authorization: Bearer ${token}`]
    const [got, headed] = [await send('GET', path, ...fields), await send('HEAD', path, ...fields)]
    assert.equal(got.status, ['/docs', '/docs.md', '/api/v1/oauth/authorize'].includes(path) ? 302 : 200, path)
    assert.deepEqual([headed.status, headed.text], [got.status, ''], path)
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      assert.equal(headed.headers.get(name), got.headers.get(name), `${path} ${name}`)
    }
  }
})

test('a method of other protocols does nothing, and nothing of the request is echoed', async () => {
  await recipientsOf(service)
  const stored = await databaseContent(service.db)
  for (const method of [
    'TRACE',
    'PROPFIND',
    'MKCOL',
    'COPY',
    'MOVE',
    'LOCK',
    'SEARCH',
    'REPORT',
    'PURGE',
    'LINK',
    'QUERY',
    'NONSENSE',
    'get',
    'P\u00d6ST',
  ]) {
    for (const path of ['/api/v1/users/me', '/api/v1/auth/api-keys', '/api/v1/auth/request', '/']) {
      const answer = await send(method, path, `Authorization: Bearer ${token}`, 'X-Echo: QZXJ')
      // Unknown methods are malformed requests.
      assert.equal(answer.status, /^(NONSENSE|get|P\u00d6ST)$/.test(method) ? 400 : 404, `${method} ${path}`)
      assert.deepEqual(shapeOf(answer.body), { error: { message: 'string', code: 'string' } })
      assert.doesNotMatch(`${answer.text}${[...answer.headers].join()}`, /QZXJ|Bearer/)
    }
  }
  assert.deepEqual(await databaseContent(service.db), stored)
})

test('CONNECT opens no tunnel: the connection is closed without an answer', async () => {
  const port = new URL(service.smtp.url).host
  const answer = await sendRaw(service.origin, [`CONNECT ${port} HTTP/1.1`, `Host: ${port}`])
  assert.deepEqual([answer.status, answer.text], [NaN, ''])
})

test('an Upgrade is ignored: the call is answered like any other, and its connection closed', async () => {
  const { host, hostname, port } = new URL(service.origin)
  const calls = [
    ['GET /healthz', 200],
    ['GET /api/v1/users/me', 401],
    ['GET /api/v1/auth/check', 401],
  ] as const
  for (const value of ['h2c', 'websocket', 'TLS/1.0', 'h2c, websocket', '']) {
    for (const [line, status] of calls) {
      const socket = connect(Number(port), hostname)
      const received = untilClosed(socket)
      const upgrade = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${value}\r\nHTTP2-Settings: AAMAAABk\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==`
      socket.write(
        `${line} HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n\r\nGET /api/v1/users/me HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      )
      const [first, ...others] = [...(await received).toString().matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) =>
        Number(match[1]),
      )
      assert.equal(first, status, `${line} ${value}`)
      assert.ok(others.every((other) => other === 401))
    }
  }
  const body = '{"email":"ana@example.com"}'
  const whole = await sendRaw(
    service.origin,
    ['POST /api/v1/auth/request HTTP/1.1', 'Content-Type: application/json', 'Connection: Upgrade', 'Upgrade: h2c'],
    body,
  )
  assert.deepEqual([whole.status, whole.body], [200, { ok: true }])
  assert.equal((await sendBytes(service.origin, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).status, 400)
})

test('OPTIONS is 204 without a body, except where a 2xx would authorise a call, and reveals nothing to other sites', async () => {
  for (const path of Object.keys(paths)) {
    const answer = await send('OPTIONS', path)
    if (path.includes('/auth/check')) assertError(answer, 'UNAUTHORIZED')
    else assert.deepEqual([answer.status, answer.text], [204, ''], path)
    assert.equal(answer.headers.get('access-control-allow-origin'), isOpen(path) ? '*' : null)
  }
})
