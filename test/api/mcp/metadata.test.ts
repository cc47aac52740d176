/** The official client finds its own way: from the 401 through the metadata and a token to the tools. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { tools } from '../../../src/api/mcp/tools.ts'
import { scopesAt } from '../../../src/domain/sign-in/resources.ts'
import { createKey } from '../../support/accounts/keys.ts'
import { read } from '../../support/accounts/tokens.ts'
import { assertNothingHappens } from '../../support/database/state.ts'
import { postForm, postOf } from '../../support/http/oauth.ts'
import { callTool } from '../../support/http/mcp.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service
let owner: string
before(async () => {
  service = await startService()
  owner = await service.signIn('ana@example.com')
})
after(() => service.close())

test('the 401 names the document, which names the resource, its scopes and who issues tokens, for pages of any origin [A47]', async () => {
  const refused = await service.call('POST /mcp', { body: {} })
  const [, url = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
  const answer = await fetch(url, { headers: { origin: 'https://assistant.example' } })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.deepEqual(await answer.json(), {
    resource: `${service.baseUrl}/mcp`,
    authorization_servers: [service.origin],
    scopes_supported: ['account:read', 'payment_links:read', 'payment_links:write'],
    bearer_methods_supported: ['header'],
    resource_documentation: `${service.origin}/docs/agents`,
  })
})

test('the scopes of the document are those of the tools', () => {
  assert.deepEqual([...new Set(tools.map(({ scope }) => scope))].toSorted(), scopesAt('mcp', null))
})

test('a key that may do everything gets a token by the scopes of the document, and the answer names no others', async () => {
  const key = await createKey(service, owner)
  const scope = scopesAt('mcp', null).join(' ')
  const fields = { grant_type: 'client_credentials', ...postOf(key), resource: `${service.baseUrl}/mcp` }
  for (const asked of [{ scope }, {}]) {
    const answer = await postForm(service, '/oauth/token', { ...fields, ...asked })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.scope, scope)
  }
  const more = await postForm(service, '/oauth/token', { ...fields, scope: `${scope} keys:write` })
  assert.equal(more.body.error, 'invalid_scope')
})

test('with a key’s id and secret the official client gets a token for the tools, and none after the key is revoked', async (t) => {
  const key = await createKey(service, owner)
  const authProvider = new ClientCredentialsProvider({
    clientId: key.apiKey.keyId,
    clientSecret: key.keySecret,
    expectedIssuer: service.origin,
  })
  const client = new Client({ name: 'test', version: '1' })
  t.after(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { authProvider }))
  assert.equal((await callTool(client, 'who_am_i')).user.email, 'ana@example.com')
  assert.equal(read(authProvider.tokens()?.access_token ?? '').claims['aud'], `${service.baseUrl}/mcp`)

  await service.call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, { token: owner })
  await assertNothingHappens(service, async () => {
    const input = { amount: 1, currency: 'EUR', title: 'Tea', idempotencyKey: 'late' }
    await assert.rejects(client.callTool({ name: 'create_payment_link', arguments: input }), (error: Error) => {
      return error instanceof UnauthorizedError || error.name === 'InvalidClientError'
    })
  })
})
