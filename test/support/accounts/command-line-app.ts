/**
 * A program without a browser of its own, as a person starts it: prints the address to open, waits on loopback for the
 * browser to come back, calls the API once and gives its access back. `command-line-app.ts ISSUER CLIENT_ID`
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as client from 'openid-client'

const [issuer = '', clientId = ''] = process.argv.slice(2)
const config = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
  algorithm: 'oauth2',
  execute: [client.allowInsecureRequests],
})

const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()]
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri,
  scope: 'account:read',
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
})
process.stdout.write(`${url.href}\n`)

const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
try {
  const returned = new URL(request.url ?? '', redirectUri)
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  const { access_token: token } = await client.authorizationCodeGrant(config, returned, checks)
  const me = await client.fetchProtectedResource(config, token, new URL(`${issuer}/api/v1/users/me`), 'GET')
  const { user } = (await me.json()) as { user: { email: string } }
  await client.tokenRevocation(config, token)
  process.stdout.write(`signed in as ${user.email}\n`)
} catch (error) {
  process.stdout.write(`refused: ${(error as Error & { error?: string }).error ?? String(error)}\n`)
}
response.setHeader('connection', 'close').end('You can close this page.')
server.close()
