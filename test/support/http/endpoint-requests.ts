/** Requests to every endpoint, on accounts with very many rows. */
import { MAX_NETWORKS } from '../../../src/domain/keys/restrictions/restrictions.ts'
import { errors } from '../../../src/errors.ts'
import { button, confirmation, liveLink, undoButton } from '../mail/stored-buttons.ts'
import { LIVE } from '../database/large-account.ts'
import type { LargeAccount } from '../database/large-account.ts'
import type { Call, Service } from '../service.ts'

/** A prepared call, and the status it must get. */
export type Sample = Readonly<{ route: string; call: Call; expect: number }>

/** One request of an endpoint per run. */
export type Samples = (run: number) => Promise<Sample> | Sample

/** The account that a run changes, made when it is first asked for. */
type OfRun = (run: number) => Promise<LargeAccount>

/** Accounts by what is done to them. */
export type Accounts = Readonly<{
  used: LargeAccount
  squatted: OfRun
  undone: OfRun
  revoked: OfRun
  deleted: OfRun
}>

const unconfigured = errors.GOOGLE_NOT_CONFIGURED.status

const formOf = (fields: Readonly<Record<string, string>>): Call => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

/** A token of a sign-in, without a mail. */
function tokenOf({ deps }: Service, { id }: LargeAccount): string {
  const lifetimeSeconds = 7 * 24 * 3600
  return deps.accessTokens.issue({ userId: id, role: 'USER', tokenVersion: 0, amr: 'magic_link', lifetimeSeconds })
}

/** By operation id; several requests where the input makes a difference. */
export function endpointRequests(service: Service, accounts: Accounts): Readonly<Record<string, readonly Samples[]>> {
  const { used, squatted, undone, revoked, deleted } = accounts
  const token = tokenOf(service, used)
  const [, pair] = used.credentials
  const client = { client_id: pair?.keyId ?? '', client_secret: pair?.keySecret ?? '' }
  // All that a key may have, and others than those of the keys below.
  const networks = ['127.0.0.0/8', ...Array.from({ length: MAX_NETWORKS - 1 }, (_, k) => `10.0.0.${k}/32`)]
  const same = (route: string, expect: number, call: Call = { token }): readonly Samples[] => [
    () => ({ route, call, expect }),
  ]
  const ofKey = service.deps.accessTokens.issue({
    userId: used.id,
    role: 'USER',
    tokenVersion: 0,
    amr: 'api_key',
    apiKeyId: used.keyId(1),
    lifetimeSeconds: 3600,
  })
  const toolCall = (name: string, args: object) =>
    same('POST /mcp', 200, {
      token: ofKey,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { currency: 'EUR', ...args } } },
    })
  return {
    // First: later requests claim the account.
    listEvents: [
      ...same('GET /auth/events?limit=100', 200),
      ...same('GET /auth/events?limit=100&kind=account', 200),
      // On an unclaimed account, events that strangers caused are filtered out.
      async (run) => ({
        route: 'GET /auth/events?limit=100',
        call: { token: tokenOf(service, await squatted(run)) },
        expect: 200,
      }),
    ],
    requestLink: same('POST /auth/request', 200, { body: { email: used.email } }),
    verifyLink: [
      async (run) => ({
        route: `GET /auth/verify?token=${await liveLink(service, await squatted(run))}`,
        call: {},
        expect: 200,
      }),
      async () => ({ route: `GET /auth/verify?token=${await liveLink(service, used)}`, call: {}, expect: 200 }),
    ],
    inspectLink: [
      async () => ({
        route: 'POST /auth/links/inspect',
        call: { body: { token: await liveLink(service, used) } },
        expect: 200,
      }),
    ],
    notMe: [
      async (run) => ({
        route: 'POST /auth/links/not-me',
        call: { body: { token: await button(service, await undone(run), 'not_me') } },
        expect: 200,
      }),
    ],
    inspectButton: [
      async () => ({
        route: 'POST /auth/links/not-me/inspect',
        call: { body: { token: await button(service, used, 'not_me') } },
        expect: 200,
      }),
    ],
    undoEmail: [
      async (run) => ({
        route: 'POST /auth/email/undo',
        call: { body: { token: await undoButton(service, await undone(run)) } },
        expect: 200,
      }),
    ],
    resumeMail: [
      async () => ({
        route: 'POST /auth/mail/resume',
        call: { body: { token: await button(service, used, 'resume_mail') } },
        expect: 200,
      }),
    ],
    // Without Google: a sign-in with it does the same to an account as one by link.
    startGoogle: same('GET /auth/google/start', unconfigured, {}),
    googleCallback: same('GET /auth/google/callback?code=a&state=b', unconfigured, {}),
    oneTap: same('POST /auth/google/onetap', unconfigured, { body: { credential: 'a.b.c' } }),
    getGoogleConnection: same('GET /auth/google/connection', unconfigured),
    connectGoogle: same('POST /auth/google/connection', unconfigured, { token, body: { credential: 'a.b.c' } }),
    disconnectGoogle: same('DELETE /auth/google/connection', unconfigured),
    listSessions: same('GET /auth/sessions', 200),
    revokeSession: same('POST /auth/sessions/unknown/revoke', 404),
    authorize: same('GET /oauth/authorize?client_id=a', 302, {}),
    inspectAuthorization: same('POST /oauth/authorize/inspect', 200, { token, body: { query: '' } }),
    decideAuthorization: same('POST /oauth/authorize/decide', 409, { token, body: { requestId: 'a', allow: false } }),
    listApps: same('GET /auth/apps', 200),
    revokeApp: same('POST /auth/apps/unknown/revoke', 404),
    sendMcpMessage: [...toolCall('list_payment_links', {}), ...toolCall('get_payment_link', { id: used.linkId(0) })],
    signup: same('POST /auth/api/signup', 409, { body: { email: used.email } }),
    exchangeToken: same('POST /auth/api/token', 200, { body: used.credentials[1] }),
    issueToken: same('POST /oauth/token', 200, formOf({ grant_type: 'client_credentials', ...client })),
    introspectToken: same('POST /oauth/introspect', 403, formOf({ token, ...client })),
    revokeToken: [
      async (run) => ({
        route: 'POST /oauth/revoke',
        call: formOf({ token: tokenOf(service, await revoked(run)) }),
        expect: 200,
      }),
    ],
    listKeys: same('GET /auth/api-keys', 200),
    createKey: same('POST /auth/api-keys', 201, { token, body: {} }),
    revokeKey: [
      (run) => ({ route: `POST /auth/api-keys/${used.keyId(LIVE - 1 - run)}/revoke`, call: { token }, expect: 200 }),
      async (run) => {
        const its = await revoked(run)
        return {
          route: `POST /auth/api-keys/${its.keyId(0)}/revoke?withDescendants=true`,
          call: { token: tokenOf(service, its) },
          expect: 200,
        }
      },
    ],
    updateKey: [
      (run) => ({
        route: `PATCH /auth/api-keys/${used.keyId(0)}`,
        call: { token, body: { restrictions: { maxAmount: { EUR: run + 1 }, networks } } },
        expect: 200,
      }),
    ],
    rotateKey: same(`POST /auth/api-keys/${used.keyId(0)}/rotate`, 200, { token, body: {} }),
    keepKey: [(run) => ({ route: `POST /auth/api-keys/${used.keyId(LIVE + run)}/keep`, call: { token }, expect: 200 })],
    listUses: same(`GET /auth/api-keys/${used.keyId(0)}/uses`, 200),
    listDescendants: same(`GET /auth/api-keys/${used.keyId(0)}/descendants`, 200),
    reportLeaked: [
      async (run) => {
        const { credentials } = await undone(run)
        const secrets = credentials.map(({ keySecret }) => ({ keySecret }))
        return { route: 'POST /auth/api-keys/leaked', call: { body: { secrets } }, expect: 200 }
      },
    ],
    createPaymentLink: [
      async (run) => ({
        route: 'POST /payment-links',
        call: {
          token: tokenOf(service, await revoked(run)),
          body: { amount: 1050, title: 'Lunch' },
          headers: { 'idempotency-key': `run-${run}` },
        },
        expect: 201,
      }),
    ],
    listPaymentLinks: [
      ...same('GET /payment-links', 200),
      ...['ACTIVE', 'INACTIVE', 'EXPIRED'].flatMap((status) => same(`GET /payment-links?status=${status}`, 200)),
      ...same('GET /payment-links?reference=none', 200),
      ...same('GET /payment-links?search=none', 200),
    ],
    getPaymentLink: same(`GET /payment-links/${used.linkId(0)}`, 200),
    deactivatePaymentLink: same(`POST /payment-links/${used.linkId(1)}/deactivate`, 200),
    getPublicPaymentLink: same(`GET /payment-links/${used.linkId(0)}/public`, 200, {}),
    check: same('GET /auth/check', 200),
    getMe: same('GET /users/me', 200),
    updateMe: same('PATCH /users/me', 200, { token, body: { name: 'Ana' } }),
    changeEmail: same('POST /users/me/email', 202, { token, body: { email: 'new-address@example.com' } }),
    exportMe: same('GET /users/me/export', 200),
    getConfig: same('GET /auth/config', 200, {}),
    getIndex: same('GET /', 200, {}),
    // Last: each of these invalidates the tokens of an account.
    signOut: [
      async (run) => ({
        route: 'POST /auth/sign-out',
        call: { token: tokenOf(service, await revoked(run)) },
        expect: 200,
      }),
    ],
    revokeTokens: [
      async (run) => ({
        route: 'POST /auth/tokens/revoke',
        call: { token: tokenOf(service, await revoked(run)) },
        expect: 200,
      }),
    ],
    deleteMe: [
      async (run) => ({
        route: 'DELETE /users/me',
        call: { token: tokenOf(service, await deleted(run)) },
        expect: 200,
      }),
    ],
    confirmEmail: [
      async (run) => ({
        route: 'POST /auth/email/confirm',
        call: await confirmation(service, used, `used-${run}@example.com`),
        expect: 200,
      }),
    ],
  }
}
