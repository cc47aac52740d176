/**
 * oidc-provider, set up as documented: client credentials for 1,000 clients, opaque tokens, and an adapter on an in-memory
 * map, which is faster than any database. The protected call is its userinfo endpoint with a user's revocable access token.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { Provider } from 'oidc-provider'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Call, Calls } from '../workloads.ts'

const PORT = Number(process.env['PORT'])
const CLIENTS = 1000

const stored = new Map<string, AdapterPayload>()

class MemoryAdapter implements Adapter {
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  async upsert(id: string, payload: AdapterPayload) {
    stored.set(`${this.#name}:${id}`, payload)
  }

  async find(id: string) {
    return stored.get(`${this.#name}:${id}`)
  }

  async destroy(id: string) {
    stored.delete(`${this.#name}:${id}`)
  }

  // Required by the interface; for flows that are not used here.
  async findByUserCode() {
    return undefined
  }

  async findByUid() {
    return undefined
  }

  async consume() {}

  async revokeByGrantId() {}
}

const provider = new Provider(`http://127.0.0.1:${PORT}`, {
  adapter: MemoryAdapter,
  clients: Array.from({ length: CLIENTS }, (_, n) => ({
    client_id: `client-${n}`,
    client_secret: `secret-of-client-${n}`,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_post' as const,
  })),
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
  // Longer than a run.
  ttl: { ClientCredentials: 24 * 3600, AccessToken: 24 * 3600, Grant: 24 * 3600 },
})

const protectedCall = (token: string, status = 200): Call => ({
  method: 'GET',
  path: '/me',
  headers: { authorization: `Bearer ${token}` },
  status,
})
const exchange = (id: string, secret: string, status = 200): Call => ({
  method: 'POST',
  path: '/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }).toString(),
  status,
})

async function writeCalls(path: string): Promise<void> {
  const tokens: string[] = []
  for (let n = 0; n <= CLIENTS; n++) {
    const client = await provider.Client.find(`client-${n % CLIENTS}`)
    if (client === undefined) throw new Error('a client is missing')
    const grant = new provider.Grant({ accountId: `user-${n}`, clientId: client.clientId })
    grant.addOIDCScope('openid')
    const of = {
      accountId: `user-${n}`,
      client,
      grantId: await grant.save(),
      scope: 'openid',
      gty: 'authorization_code',
    }
    const token = new provider.AccessToken(of)
    tokens.push(await token.save())
    if (n === CLIENTS) await token.destroy()
  }
  const calls: Calls = {
    works: {
      'protected-one': [protectedCall(tokens[0] ?? '')],
      protected: tokens.slice(0, CLIENTS).map((token) => protectedCall(token)),
      exchange: Array.from({ length: CLIENTS }, (_, n) => exchange(`client-${n}`, `secret-of-client-${n}`)),
    },
    refused: {
      'an unknown token': protectedCall('no-token-of-anybody', 401),
      'a revoked token': protectedCall(tokens[CLIENTS] ?? '', 401),
      'a wrong secret': exchange('client-0', 'secret-of-client-1', 401),
    },
  }
  writeFileSync(path, JSON.stringify(calls))
}

// The file exists when only the start is measured.
const path = process.env['CALLS'] ?? ''
if (!existsSync(path)) await writeCalls(path)
provider.listen(PORT, '127.0.0.1')
