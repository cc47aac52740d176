/** Requests for authorization that pollute, smuggle or spoof lead to no other place and fetch nothing else. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { appsOf, ask, decide, inspect, startApp } from '../../../support/accounts/apps.ts'
import { assertNothingHappens } from '../../../support/database/state.ts'
import { serving } from '../../../support/http/serving.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { sendRaw } from '../../../support/wire/raw.ts'

let service: Service
let owner: string

before(async () => {
  service = await startService()
  owner = await service.signIn('ana@example.com')
})
after(() => service.close())

test('no parameter may be repeated, whatever its value or spelling, and nobody is sent anywhere [A16, A31]', async (t) => {
  const app = await startApp(t)
  const given = { scope: 'account:read', resource: service.baseUrl, response_mode: 'query' }
  const query = app.query(given)
  for (const [name, value] of new URLSearchParams(query)) {
    const escaped = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`
    for (const more of [
      `${name}=`,
      `${escaped}=${encodeURIComponent(value)}`,
      `${name}=https%3A%2F%2Fevil.example%2F`,
    ]) {
      for (const polluted of [`${query}&${more}`, `${more}&${query}`]) {
        const { body } = await assertNothingHappens(service, () => inspect(service, owner, polluted))
        assert.deepEqual([body.refused.error, body.refused.redirectTo], ['invalid_request', null], polluted)
      }
    }
  }
  assert.deepEqual(app.requests, [], 'not even the document is fetched')
})

test('a request object is neither read nor fetched, and overrides nothing [A32]', async (t) => {
  const app = await startApp(t)
  const other = await serving(t, (_request, response) => response.end('{}'))
  const payload = { redirect_uri: 'https://evil.example/', scope: 'keys:write' }
  const unsigned = `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.`
  const asked = await ask(service, owner, app, { request_uri: `${other.url}/r`, request: unsigned })
  assert.deepEqual([asked.redirectHost, asked.scopes.includes('account:read')], [new URL(app.redirectUri).host, true])
  assert.deepEqual(other.requests, [])
})

test('of the document nothing else is fetched: no logo, keys, policy or sector [A33]', async (t) => {
  const other = await serving(t, (_request, response) => response.end('{}'))
  const names = ['logo_uri', 'client_uri', 'policy_uri', 'tos_uri', 'jwks_uri', 'sector_identifier_uri']
  const app = await startApp(t, Object.fromEntries(names.map((name) => [name, `${other.url}/${name}`])))
  const { id } = await ask(service, owner, app)
  assert.equal((await decide(service, owner, { requestId: id, allow: true })).status, 200)
  assert.deepEqual([other.requests, app.requests], [[], ['GET /client.json']])
})

test('a name that imitates or breaks the page is not shown, and the domain is shown in its own letters [A34]', async (t) => {
  for (const name of ['a\u202eb', 'a\nb', 'a\0b', 'x'.repeat(1000), '', ' ', 7, { toString: 'x' }, ['x']]) {
    const app = await startApp(t, { client_name: name })
    assert.equal((await ask(service, owner, app)).name, null, JSON.stringify(name))
  }
})

test('Host and forwarded fields change no address of a redirect, an issuer or the metadata [A21]', async (t) => {
  const app = await startApp(t)
  const spoofed = [
    'Host: evil.example',
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: https',
    'Forwarded: host=evil.example;proto=https',
    'X-Original-URL: /evil',
  ]
  const paths = [
    `/api/v1/oauth/authorize?${app.query()}`,
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
  ]
  for (const path of paths) {
    const answer = await sendRaw(service.origin, [`GET ${path} HTTP/1.1`, ...spoofed])
    const received = JSON.stringify([answer.status, [...answer.headers], answer.text])
    assert.match(received, /^\[(200|302),/)
    assert.doesNotMatch(received, /evil/)
    assert.ok(received.includes(service.origin), received)
  }
})

test('the authorization endpoint takes GET only, and no page of another origin reads its answer [A20]', async (t) => {
  const app = await startApp(t)
  const route = `/oauth/authorize?${app.query()}`
  const headers = { origin: 'https://evil.example' }
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    assert.equal((await service.call(`${method} ${route}`, { headers })).status, 405, method)
  }
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    const answer = await service.call(`${method} ${route}`, { headers })
    assert.equal(answer.headers.get('access-control-allow-origin'), null, method)
    assert.equal(answer.text, '')
  }
  for (const path of ['/oauth/authorize/inspect', '/oauth/authorize/decide', '/auth/apps']) {
    const method = path === '/auth/apps' ? 'GET' : 'POST'
    const preflight = await service.call(`OPTIONS ${path}`, {
      headers: { ...headers, 'access-control-request-method': method },
    })
    assert.equal(preflight.headers.get('access-control-allow-origin'), null, path)
  }
})

test('a form of another site decides nothing: the endpoint takes JSON with a bearer token [A4]', async (t) => {
  const app = await startApp(t)
  const { id } = await ask(service, owner, app)
  const earlier = await appsOf(service, owner)
  const body = JSON.stringify({ requestId: id, allow: true })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const answer = await service.call('POST /oauth/authorize/decide', {
      token: owner,
      body,
      headers: { 'content-type': type, origin: 'https://evil.example' },
    })
    assert.ok([403, 415].includes(answer.status), `${type}: ${answer.status}`)
  }
  assert.equal(
    (await service.call('POST /oauth/authorize/decide', { body: { requestId: id, allow: true } })).status,
    401,
  )
  assert.deepEqual(await appsOf(service, owner), earlier)
})
