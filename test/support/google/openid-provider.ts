/** A certified OpenID provider (oidc-provider) that logs in any person the test names. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { interactionPolicy, Provider } from 'oidc-provider'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { freePort } from '../files.ts'

/** A person, by the claims of their ID token. */
export type Person = Readonly<{ sub: string; email: string; email_verified?: unknown; hd?: string }>

export type TokenCall = Readonly<{ form: Record<string, string>; status: number }>

export type OpenIdProvider = Readonly<{
  /** The issuer's identifier: `GOOGLE_ISSUER`. */
  url: string
  env: Record<string, string>
  tokenCalls: TokenCall[]
  /** Where the login page sends the browser when the user logs in as this person. */
  logIn(page: URL, person: Person): URL
  /** Where the login page sends the browser when the user cancels. */
  deny(page: URL): URL
  close(): Promise<void>
}>

const CLIENT_ID = 'client-of-the-journey'

/** @param redirectUris the only addresses it redirects to */
export async function startOpenIdProvider(redirectUris: string[]): Promise<OpenIdProvider> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const clientSecret = randomBytes(32).toString('base64url')
  const people = new Map<string, Person>()
  const tokenCalls: TokenCall[] = []
  const provider = createProvider(url, clientSecret, redirectUris, people)
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.path === '/token') tokenCalls.push({ form: { ...ctx['oidc']?.body }, status: ctx.status })
  })
  const handle = provider.callback()

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', url)
    if (pathname.endsWith('/log-in')) {
      const accountId = searchParams.get('sub') ?? ''
      return provider.interactionFinished(request, response, { login: { accountId, remember: false } })
    }
    if (pathname.endsWith('/deny')) {
      const result = { error: 'access_denied', error_description: 'Cancelled <b>by the user</b>' }
      return provider.interactionFinished(request, response, result)
    }
    response.writeHead(200, { 'content-type': 'text/plain' }).end('Who are you?')
  }

  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(request, response)
    else void handle(request, response)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    url,
    env: { GOOGLE_ISSUER: url, GOOGLE_CLIENT_ID: CLIENT_ID, GOOGLE_CLIENT_SECRET: clientSecret },
    tokenCalls,
    logIn(page, person) {
      people.set(person.sub, person)
      return new URL(`${page.pathname}/log-in?${new URLSearchParams({ sub: person.sub }).toString()}`, url)
    },
    deny: (page) => new URL(`${page.pathname}/deny`, url),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function createProvider(
  url: string,
  clientSecret: string,
  redirectUris: string[],
  people: ReadonlyMap<string, Person>,
): Provider {
  const policy = interactionPolicy.base()
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check('always', 'the user is asked every time', ({ oidc }) => oidc.result === undefined),
    )
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return new Provider(url, {
    adapter: createMemory(),
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: redirectUris,
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    pkce: { required: () => true },
    scopes: ['openid', 'email'],
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'hd'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 3600, Interaction: 600, Session: 600 },
    findAccount: (_ctx, sub) => {
      const person = people.get(sub)
      return person && { accountId: sub, claims: () => ({ email_verified: true, ...person }) }
    },
    async loadExistingGrant({ oidc }) {
      // Reuses the grant of another tab: a new grant would invalidate the code that the other tab holds.
      const known = oidc.session?.grantIdFor(CLIENT_ID)
      if (known !== undefined) return oidc.provider.Grant.find(known)
      const grant = new oidc.provider.Grant({ clientId: CLIENT_ID, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
    renderError(ctx, { error, error_description: description }) {
      ctx.type = 'text'
      ctx.body = `${error}: ${description ?? ''}`
    },
  })
}

// The package's own adapter warns on every start that it is not for production.
function createMemory(): (name: string) => Adapter {
  const entries = new Map<string, AdapterPayload>()
  return (name) => ({
    upsert: async (id, payload) => void entries.set(`${name}:${id}`, payload),
    find: async (id) => entries.get(`${name}:${id}`),
    findByUid: async (uid) => entries.values().find((payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    async consume(id) {
      const payload = entries.get(`${name}:${id}`)
      if (payload !== undefined) payload.consumed = true
    },
    destroy: async (id) => void entries.delete(`${name}:${id}`),
    async revokeByGrantId(grantId) {
      for (const [key, payload] of entries) if (payload.grantId === grantId) entries.delete(key)
    },
  })
}
