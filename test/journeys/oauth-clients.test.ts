/** Standard client libraries discover the service, and get, introspect and revoke tokens with it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { introspectingKey } from '../support/accounts/introspecting-key.ts'
import { createKey } from '../support/accounts/keys.ts'
import type { NewKey } from '../support/accounts/keys.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const meAs = async (token: string) => (await service.call('GET /users/me', { token })).status

const authentications = {
  client_secret_basic: [client.ClientSecretBasic, oauth.ClientSecretBasic],
  client_secret_post: [client.ClientSecretPost, oauth.ClientSecretPost],
} as const

for (const [name, [ofOpenidClient, ofOauth4webapi]] of Object.entries(authentications)) {
  test(`openid-client discovers, gets a token by ${name}, and has it introspected and revoked`, async () => {
    const person = await service.signIn(`${name}@example.com`)
    const key = await createKey(service, person)
    const gateway = await introspectingKey(service, `gateway.${name}@example.com`)
    const discover = ({ apiKey, keySecret }: NewKey) =>
      client.discovery(new URL(service.origin), apiKey.keyId, undefined, ofOpenidClient(keySecret), {
        algorithm: 'oauth2',
        execute: [client.allowInsecureRequests],
      })
    const [agent, behind] = [await discover(key), await discover(gateway)]
    const {
      access_token: token,
      token_type: type,
      expires_in: seconds,
    } = await client.clientCredentialsGrant(agent, {
      resource: service.baseUrl,
    })
    assert.deepEqual([type, seconds, await meAs(token)], ['bearer', 3600, 200])
    const state = await client.tokenIntrospection(behind, token)
    assert.deepEqual([state.active, state.client_id], [true, key.apiKey.keyId])
    await client.tokenRevocation(agent, token)
    assert.equal(await meAs(token), 401)
    assert.deepEqual(await client.tokenIntrospection(behind, token), { active: false })
    await assert.rejects(client.clientCredentialsGrant(agent), (error: unknown) => {
      assert.ok(error instanceof client.WWWAuthenticateChallengeError || error instanceof client.ResponseBodyError)
      return error.status === 401
    })
  })

  test(`oauth4webapi, which checks every answer, does the same by ${name}`, async () => {
    const options = { [oauth.allowInsecureRequests]: true }
    const issuer = new URL(service.origin)
    const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
    const server = await oauth.processDiscoveryResponse(issuer, discovered)
    const person = await service.signIn(`webapi.${name}@example.com`)
    const key = await createKey(service, person)
    const agent: oauth.Client = { client_id: key.apiKey.keyId }
    const proof = ofOauth4webapi(key.keySecret)
    const granted = await oauth.clientCredentialsGrantRequest(server, agent, proof, {}, options)
    const { access_token: token } = await oauth.processClientCredentialsResponse(server, agent, granted)
    const gateway = await introspectingKey(service, `behind.${name}@example.com`)
    const behind: oauth.Client = { client_id: gateway.apiKey.keyId }
    const introspect = async () => {
      const proofOfGateway = ofOauth4webapi(gateway.keySecret)
      const answer = await oauth.introspectionRequest(server, behind, proofOfGateway, token, options)
      return oauth.processIntrospectionResponse(server, behind, answer)
    }
    assert.equal((await introspect()).active, true)
    await oauth.processRevocationResponse(await oauth.revocationRequest(server, agent, proof, token, options))
    assert.equal(await meAs(token), 401)
    assert.deepEqual(await introspect(), { active: false })
    const refused = await oauth.clientCredentialsGrantRequest(server, agent, proof, {}, options)
    await assert.rejects(oauth.processClientCredentialsResponse(server, agent, refused), { status: 401 })
  })
}

test('oauth4webapi finds the API’s metadata from a 401, and reads an error in OAuth’s form', async () => {
  const options = { [oauth.allowInsecureRequests]: true }
  const url = new URL(service.baseUrl)
  const answer = await oauth.resourceDiscoveryRequest(url, options)
  const resource = await oauth.processResourceDiscoveryResponse(url, answer)
  assert.deepEqual(resource.authorization_servers, [service.origin])
  const issuer = new URL(resource.authorization_servers?.[0] ?? '')
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
  )
  const key = await createKey(service, await service.signIn('scope@example.com'))
  const agent = { client_id: key.apiKey.keyId }
  const parameters = { scope: 'account:read' }
  const proof = oauth.ClientSecretPost(key.keySecret)
  const refused = await oauth.clientCredentialsGrantRequest(server, agent, proof, parameters, options)
  await assert.rejects(oauth.processClientCredentialsResponse(server, agent, refused), (error: unknown) => {
    assert.ok(error instanceof oauth.ResponseBodyError)
    assert.equal(error.error, 'invalid_scope')
    assert.match(error.error_description ?? '', /Omit/)
    return true
  })
  await assert.rejects(
    oauth.protectedResourceRequest('x', 'GET', new URL(`${service.baseUrl}/users/me`), undefined, undefined, options),
    (error: unknown) => {
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError)
      const [challenge] = error.cause
      assert.match(
        challenge?.parameters['resource_metadata'] ?? '',
        /\/\.well-known\/oauth-protected-resource\/api\/v1$/,
      )
      return true
    },
  )
})
