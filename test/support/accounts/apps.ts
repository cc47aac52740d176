/** Apps that people give access to, as OAuth clients with a metadata document on loopback. */
import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { serving } from '../http/serving.ts'
import type { Ending } from '../http/serving.ts'
import { postForm } from '../http/oauth.ts'
import type { Answer, Service } from '../service.ts'

export type App = Readonly<{
  clientId: string
  redirectUri: string
  codeVerifier: string
  /** Requests that its server got. */
  requests: string[]
  /** The query of an authorization request. */
  query(changes?: Readonly<Record<string, string | undefined>>): string
}>

/** The document's server ends with the test. @param document replaces fields of the document */
export async function startApp(
  t: Ending,
  document: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<App> {
  const server = await serving(t, (request, response) => {
    response.setHeader('content-type', 'application/json')
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const clientId = `http://${request.headers.host}${request.url}`
    const fields = { client_id: clientId, client_name: 'Lunch bot', redirect_uris: ['http://127.0.0.1/callback'] }
    response.end(JSON.stringify({ ...fields, token_endpoint_auth_method: 'none', ...document }))
  })
  const clientId = `${server.url}/client.json`
  const redirectUri = 'http://127.0.0.1:49152/callback'
  const codeVerifier = randomBytes(32).toString('base64url')
  return {
    clientId,
    redirectUri,
    codeVerifier,
    requests: server.requests,
    query(changes = {}) {
      const fields = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        state: 'some state',
        code_challenge: hash('sha256', codeVerifier, 'base64url'),
        code_challenge_method: 'S256',
        ...changes,
      }
      return new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== undefined)).toString()
    },
  }
}

export const inspect = ({ call }: Pick<Service, 'call'>, token: string, query: string): Promise<Answer> =>
  call('POST /oauth/authorize/inspect', { token, body: { query } })

/** Asks for what the app wants, and returns the request as the consent page shows it. */
export async function ask(
  service: Pick<Service, 'call'>,
  token: string,
  app: App,
  changes: Parameters<App['query']>[0] = {},
): Promise<any> {
  const { status, body, text } = await inspect(service, token, app.query(changes))
  assert.equal(status, 200, text)
  assert.equal(body.refused, null, text)
  return body.request
}

export const decide = ({ call }: Pick<Service, 'call'>, token: string, body: object): Promise<Answer> =>
  call('POST /oauth/authorize/decide', { token, body })

/** The code that a consent gives. */
export async function consent(
  service: Pick<Service, 'call'>,
  token: string,
  app: App,
  { restrictions, ...changes }: Readonly<{ restrictions?: object; scope?: string; resource?: string }> = {},
): Promise<string> {
  const { id } = await ask(service, token, app, changes)
  const answer = await decide(service, token, { requestId: id, allow: true, ...(restrictions && { restrictions }) })
  assert.equal(answer.status, 200, answer.text)
  return new URL(answer.body.redirectTo).searchParams.get('code') ?? ''
}

export function redeem(
  service: Pick<Service, 'call'>,
  app: App,
  code: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const fields = {
    grant_type: 'authorization_code',
    code,
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    code_verifier: app.codeVerifier,
  }
  return postForm(service, '/oauth/token', { ...fields, ...changes })
}

/** The token of an app that the person of `token` has connected. */
export async function connect(
  service: Pick<Service, 'call'>,
  token: string,
  app: App,
  options: Parameters<typeof consent>[3] = {},
): Promise<string> {
  const answer = await redeem(service, app, await consent(service, token, app, options))
  assert.equal(answer.status, 200, answer.text)
  return answer.body.access_token
}

export async function appsOf({ call }: Pick<Service, 'call'>, token: string): Promise<any[]> {
  const answer = await call('GET /auth/apps', { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.apps
}
