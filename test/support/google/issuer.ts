/** A scripted OpenID provider: correct unless a test overrides it. It counts every request. */
import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Certificate } from '../http/certificate.ts'
import { segment } from '../accounts/tokens.ts'

export type IssuerKey = Readonly<{ privateKey: KeyObject; jwk: Record<string, unknown> }>

/** Replaces the default answer of a path. */
export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void

export type IssuerPath = 'discovery' | 'jwks' | 'token'

export type Issuer = Readonly<{
  /** The issuer's identifier: `GOOGLE_ISSUER`. */
  url: string
  clientId: string
  clientSecret: string
  env: Record<string, string>
  /** The published keys; the first one signs. Change the list to rotate. */
  keys: IssuerKey[]
  hits: Record<IssuerPath, number>
  tokenRequests: URLSearchParams[]
  /** Replacements for the default answers; delete an entry to restore the default. */
  handlers: Partial<Record<IssuerPath, Handler>>
  /** Valid claims at the current time, with changes; `undefined` removes a claim. */
  claims(changes?: Record<string, unknown>): Record<string, unknown>
  /** An ID token of these claims; `header` and `key` override the defaults. */
  sign(claims?: Record<string, unknown>, header?: Record<string, unknown>, key?: IssuerKey): string
  close(): Promise<void>
}> & {
  /** The ID token of the token endpoint's next answer. */
  idToken: string
}

let made = 0

const newPair = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength })
let firstPair: ReturnType<typeof newPair> | undefined

/** @param changes to its entry in the key set */
export function newKey(changes: Record<string, unknown> = {}, modulusLength?: number): IssuerKey {
  return toKey(newPair(modulusLength), changes)
}

function toKey(
  { privateKey, publicKey }: ReturnType<typeof newPair>,
  changes: Record<string, unknown> = {},
): IssuerKey {
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: `key-${(made += 1)}`, alg: 'RS256', use: 'sig' }
  return { privateKey, jwk: { ...jwk, ...changes } }
}

/** @param nowMs clock of the claims, usually the service's */
export async function startIssuer(nowMs: () => number = () => Date.now(), certificate?: Certificate): Promise<Issuer> {
  const hits = { discovery: 0, jwks: 0, token: 0 }
  const tokenRequests: URLSearchParams[] = []
  const handlers: Issuer['handlers'] = {}
  // Making a pair takes longer than starting the issuer, so all issuers of a process begin with the same one.
  const keys = [toKey((firstPair ??= newPair()))]
  let subjects = 0

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const path = pathOf(request.url ?? '')
    if (path === undefined) return void response.writeHead(404).end()
    hits[path] += 1
    if (path === 'token') tokenRequests.push(new URLSearchParams(body))
    const handler = handlers[path] ?? defaultHandlers[path]
    handler(request, response, body)
  }

  const listener = (request: IncomingMessage, response: ServerResponse) => void respond(request, response)
  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const url = `${certificate ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`

  const issuer: Issuer = {
    url,
    clientId: 'client-of-the-test.apps.example',
    clientSecret: 'GOCSPX-secret-of-the-test',
    env: {
      GOOGLE_ISSUER: url,
      GOOGLE_CLIENT_ID: 'client-of-the-test.apps.example',
      GOOGLE_CLIENT_SECRET: 'GOCSPX-secret-of-the-test',
    },
    keys,
    hits,
    tokenRequests,
    handlers,
    idToken: '',
    claims(changes = {}) {
      const iat = Math.floor(nowMs() / 1000)
      const sub = String(1_000_000 + (subjects += 1))
      return {
        iss: url,
        aud: issuer.clientId,
        azp: issuer.clientId,
        sub,
        email: `user-${sub}@gmail.com`,
        email_verified: true,
        // Keeps two tokens for one person within the same second distinct.
        jti: `jti-${subjects}`,
        iat,
        exp: iat + 3600,
        ...changes,
      }
    },
    sign(claims = issuer.claims(), header = {}, key = keys[0]) {
      if (key === undefined) throw new Error('the issuer has no key')
      const head = { alg: 'RS256', typ: 'JWT', kid: key.jwk['kid'], ...header }
      const input = `${segment(head)}.${segment(claims)}`
      return `${input}.${signBytes('sha256', Buffer.from(input), key.privateKey).toString('base64url')}`
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  const defaultHandlers: Record<IssuerPath, Handler> = {
    discovery: (_request, response) =>
      answerJson(response, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
    jwks: (_request, response) => answerJson(response, { keys: keys.map(({ jwk }) => jwk) }),
    token: (_request, response) =>
      answerJson(response, {
        access_token: 'ya29.access-token-of-the-test',
        token_type: 'Bearer',
        expires_in: 3599,
        scope: 'openid email',
        id_token: issuer.idToken,
      }),
  }
  return issuer
}

export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
}

function pathOf(url: string): IssuerPath | undefined {
  if (url === '/.well-known/openid-configuration') return 'discovery'
  if (url === '/jwks') return 'jwks'
  return url === '/token' ? 'token' : undefined
}
