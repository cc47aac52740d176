/** The OpenID provider of the local stand-in for Google: oidc-provider with in-memory storage. */
import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Adapter, AdapterPayload, Provider } from 'oidc-provider'
import type { Config, GoogleSettings } from '../config/settings.ts'
import { systemClock } from '../lib/clock.ts'
import type { Random } from '../lib/random.ts'

export const LOCAL_GOOGLE_PATH = '/dev/google'

/** Claims by subject. */
export type LocalAccounts = Map<string, Readonly<{ email: string; hd: string | undefined }>>

export type LocalProvider = Readonly<{
  provider: Provider
  /**
   * A One Tap credential for a known subject, with the same claims as Google's. Issued outside of the redirect flow.
   */
  signCredential(subject: string): Promise<string>
}>

export async function createLocalProvider(
  config: Config,
  { clientId, clientSecret, issuer }: GoogleSettings,
  accounts: LocalAccounts,
  random: Random,
): Promise<LocalProvider> {
  const { default: OpenIdProvider, interactionPolicy } = await import('oidc-provider')
  const policy = interactionPolicy.base()
  // Always asks, so that the user can switch accounts.
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check('always', 'the user is asked every time', ({ oidc }) => oidc.result === undefined),
    )
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const kid = random.uuid()
  const provider = new OpenIdProvider(issuer, {
    adapter: createMemory(),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [`${config.baseUrl}/auth/google/callback`],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [random.bytes(32).toString('base64url')] },
    scopes: ['openid', 'email'],
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'hd'] },
    // Google too puts the claims into the ID token.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, userinfo: { enabled: false } },
    interactions: { policy, url: (_ctx, { uid }) => `${LOCAL_GOOGLE_PATH}/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 3600, Interaction: 600, Session: 600 },
    findAccount: (_ctx, subject) => {
      const known = accounts.get(subject)
      return known && { accountId: subject, claims: () => ({ sub: subject, email_verified: true, ...known }) }
    },
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc
      const grantId = client && session?.grantIdFor(client.clientId)
      const known = grantId === undefined ? undefined : await oidc.provider.Grant.find(grantId)
      if (known !== undefined) return known
      const grant = new oidc.provider.Grant({
        clientId: client?.clientId,
        accountId: session?.accountId,
      })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
    renderError(ctx, { error, error_description: description }) {
      ctx.type = 'text'
      ctx.body = `${error}: ${description ?? ''}`
    },
  })

  return {
    provider,
    signCredential(subject) {
      const issuedAt = Math.floor(systemClock.now() / 1000)
      return (
        new SignJWT({ azp: clientId, email_verified: true, ...accounts.get(subject) })
          .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
          .setIssuer(issuer)
          .setAudience(clientId)
          .setSubject(subject)
          .setIssuedAt(issuedAt)
          // Google's `nbf` is five minutes before `iat`.
          .setNotBefore(issuedAt - 300)
          .setExpirationTime(issuedAt + 3600)
          .setJti(random.uuid())
          .sign(privateKey)
      )
    },
  }
}

const MAX_ENTRIES = 1000

// The package's own adapter warns on every start that it is not for production.
function createMemory(): (name: string) => Adapter {
  const entries = new Map<string, AdapterPayload>()
  const deleteWhere = (matches: (payload: AdapterPayload) => boolean) => {
    for (const [key, payload] of entries) if (matches(payload)) entries.delete(key)
  }
  return (name) => ({
    async upsert(id, payload) {
      entries.set(`${name}:${id}`, payload)
      const [oldest] = entries.keys()
      if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
    },
    find: async (id) => entries.get(`${name}:${id}`),
    findByUid: async (uid) => entries.values().find((payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    async consume(id) {
      const payload = entries.get(`${name}:${id}`)
      if (payload !== undefined) payload.consumed = true
    },
    destroy: async (id) => void entries.delete(`${name}:${id}`),
    revokeByGrantId: async (grantId) => deleteWhere((payload) => payload.grantId === grantId),
  })
}
