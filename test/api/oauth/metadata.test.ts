/** The metadata documents say where everything is, to pages of every origin, and a 401 says where they are. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const get = async (path: string, init?: RequestInit) => fetch(service.origin + path, init)

test('the authorization server’s metadata is at the root and below the base path (RFC 8414) [A19]', async () => {
  const { origin, baseUrl } = service
  for (const path of ['', '/api/v1']) {
    const answer = await get(`/.well-known/oauth-authorization-server${path}`)
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    const document: any = await answer.json()
    assert.equal(document.issuer, origin)
    for (const name of ['authorize', 'token', 'introspect', 'revoke'] as const) {
      const field = { authorize: 'authorization', token: 'token', introspect: 'introspection', revoke: 'revocation' }[
        name
      ]
      assert.equal(document[`${field}_endpoint`], `${baseUrl}/oauth/${name}`)
    }
    assert.deepEqual(document.response_types_supported, ['code'])
    assert.deepEqual(document.code_challenge_methods_supported, ['S256'])
    assert.deepEqual(document.grant_types_supported, ['authorization_code', 'client_credentials'])
    assert.equal(document.client_id_metadata_document_supported, true)
    assert.equal(document.authorization_response_iss_parameter_supported, true)
    assert.ok(!document.scopes_supported.includes('tokens:introspect'))
  }
})

test('the API’s metadata names this service as its authorization server (RFC 9728)', async () => {
  for (const path of ['', '/api/v1']) {
    const document: any = await (await get(`/.well-known/oauth-protected-resource${path}`)).json()
    assert.equal(document.resource, service.baseUrl)
    assert.deepEqual(document.authorization_servers, [service.origin])
    assert.deepEqual(document.bearer_methods_supported, ['header'])
  }
})

test('a 401 of the API names the document of its metadata, and its body stays as specified [A47]', async () => {
  for (const authorization of [undefined, 'Bearer x']) {
    const answer = await get('/api/v1/users/me', authorization === undefined ? {} : { headers: { authorization } })
    assert.equal(await answer.text(), '{"error":{"message":"Unauthorized","code":"UNAUTHORIZED"}}')
    const challenge = answer.headers.get('www-authenticate') ?? ''
    const [, url = ''] = /, resource_metadata="([^"]+)"$/.exec(challenge) ?? []
    assert.equal(challenge.includes('error="invalid_token"'), authorization !== undefined)
    assert.equal(((await (await fetch(url)).json()) as any).resource, service.baseUrl)
  }
})

test('pages of every origin may read the metadata and post to the token and revocation endpoints, without credentials [A20]', async () => {
  const headers = { origin: 'https://client.example' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const paths = ['oauth-authorization-server', 'oauth-protected-resource'].map((name) => `/.well-known/${name}`)
  for (const path of paths) {
    assert.equal((await get(path, { headers })).headers.get('access-control-allow-origin'), '*')
  }
  for (const path of ['/api/v1/oauth/token', '/api/v1/oauth/revoke']) {
    const answer = await get(path, { method: 'POST', headers: { ...headers, ...form }, body: 'x=y' })
    assert.equal(answer.status, 400)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*', path)
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    paths.push(path)
  }
  for (const path of paths) {
    const answer = await get(path, {
      method: 'OPTIONS',
      headers: { ...headers, 'access-control-request-method': 'POST' },
    })
    assert.equal(answer.headers.get('access-control-allow-origin'), '*', path)
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    assert.match(answer.headers.get('access-control-allow-headers') ?? '', /Authorization.*MCP-Protocol-Version/)
  }
})

test('pages of other origins still read nothing else: not introspection, and no endpoint of the API [A20]', async () => {
  const headers = { origin: 'https://client.example' }
  for (const path of ['/api/v1/oauth/introspect', '/api/v1/users/me', '/api/v1/auth/api/token']) {
    for (const method of ['OPTIONS', 'POST']) {
      const answer = await get(path, { method, headers: { ...headers, 'access-control-request-method': 'POST' } })
      assert.equal(answer.headers.get('access-control-allow-origin'), null, `${method} ${path}`)
    }
  }
})
