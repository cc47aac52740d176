/** A token for one resource works there only; a token for the API works everywhere. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey } from '../../support/accounts/keys.ts'
import { postForm, postOf } from '../../support/http/oauth.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service
let forApi: string
let forMcp: string

before(async () => {
  service = await startService({}, (app) => {
    const config = { access: 'authenticated', scope: null, resource: 'mcp' } as const
    app.get('/probe', { config, schema: { hide: true } }, async () => ({ ok: true }))
  })
  const key = await createKey(service, await service.signIn('ana@example.com'))
  const tokenFor = async (resource: string) => {
    const fields = { ...postOf(key), grant_type: 'client_credentials', resource }
    return (await postForm(service, '/oauth/token', fields)).body.access_token as string
  }
  forApi = await tokenFor(service.baseUrl)
  forMcp = await tokenFor(`${service.baseUrl}/mcp`)
})
after(() => service.close())

const probe = (token: string) => fetch(`${service.origin}/probe`, { headers: { authorization: `Bearer ${token}` } })

test('a route that states a resource accepts its tokens and those for the API', async () => {
  for (const token of [forApi, forMcp]) assert.equal((await probe(token)).status, 200)
  assert.equal((await service.call('GET /users/me', { token: forApi })).status, 200)
  assert.equal((await service.call('GET /users/me', { token: forMcp })).status, 401)
})

test('its 401 names its own metadata', async () => {
  const challenge = (await probe('x')).headers.get('www-authenticate') ?? ''
  const metadata = `${service.origin}/.well-known/oauth-protected-resource/api/v1/mcp`
  assert.ok(challenge.endsWith(`, error="invalid_token", resource_metadata="${metadata}"`), challenge)
})

test('a token is for the resource that its claims name, also after it was verified for another one', () => {
  const { accessTokens } = service.deps
  for (let n = 0; n < 2; n++) {
    assert.equal(accessTokens.verify(forMcp), undefined)
    assert.equal(accessTokens.verify(forMcp, 'mcp')?.aud, `${service.baseUrl}/mcp`)
    assert.equal(accessTokens.verify(forMcp, 'any')?.aud, `${service.baseUrl}/mcp`)
    assert.equal(accessTokens.verify(forApi, 'mcp')?.aud, service.baseUrl)
  }
})
