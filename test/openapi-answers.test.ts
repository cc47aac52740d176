/** Every answer is documented, and every documented answer occurs. */
import './support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { settings } from '../src/config/settings.ts'
import { oauthErrorOf } from '../src/errors.ts'
import type { ErrorCode } from '../src/errors.ts'
import {
  assertDocumented,
  codeIn,
  codesOf,
  operationOf,
  operations,
  ownHeadersOf,
  takesToken,
} from './support/documented.ts'
import { linkIn } from './support/mail/smtp.ts'
import type { ReceivedMail } from './support/mail/smtp.ts'
import { comeBack, startFlow, startGoogleService } from './support/google/google.ts'
import type { GoogleService } from './support/google/google.ts'
import { signInWithGoogle } from './support/google/google-tour.ts'
import { appsOf, ask as askAsApp, connect, startApp } from './support/accounts/apps.ts'
import { startService } from './support/service.ts'
import { assertError } from './support/http/answers.ts'
import { assertOAuthError, basicOf, postOf } from './support/http/oauth.ts'
import { introspectingKey } from './support/accounts/introspecting-key.ts'
import type { Fields } from './support/http/oauth.ts'
import { createKey, signUpAndClaim } from './support/accounts/keys.ts'
import { sendRaw } from './support/wire/raw.ts'
import { userOf } from './support/database/state.ts'
import type { Answer, Call } from './support/service.ts'

// Faults; their own tests cover the answers.
const FAULTS = new Set(['INTERNAL', 'server_error', 'UNAVAILABLE'])

/** Limits that no test here reaches: an answer names the limits that it counted on. */
const GENEROUS_LIMITS = {
  RATE_LIMITS: 'on',
  ...Object.fromEntries(
    Object.values(settings)
      .filter(({ name, defaultText = '' }) => name.startsWith('RATE_LIMIT_') && defaultText.includes('/'))
      .map(({ name }) => [name, '10000/1h']),
  ),
}

/** Answers so far: `operation status` and, for errors, `operation CODE`. */
const seen = new Set<string>()
/** Their header fields: `operation status field`, and `CODE field` of errors, whose responses operations share. */
const seenHeaders = new Set<string>()

let service: GoogleService
let token: string

/** A valid call for each operation with a body. */
const bodies: Readonly<Record<string, object>> = {
  requestLink: { email: 'tour-request@example.com' },
  inspectLink: { token: 'unknown' },
  exchangeToken: { keyId: 'plk_unknown', keySecret: 'unknown' },
  signup: { email: 'tour-signup@example.com' },
  createKey: { name: 'Tour' },
  updateKey: { name: 'Tour' },
  updateMe: { name: 'Ana' },
  notMe: { token: 'unknown' },
  inspectButton: { token: 'unknown' },
  resumeMail: { token: 'unknown' },
  undoEmail: { token: 'unknown' },
  changeEmail: { email: 'tour-change@example.com' },
  confirmEmail: { token: 'unknown' },
  rotateKey: { graceSeconds: 60 },
  oneTap: { credential: 'unknown' },
  connectGoogle: { credential: 'unknown' },
  reportLeaked: { secrets: [{ keySecret: 'unknown' }] },
  createPaymentLink: { amount: 1050, title: 'Tour' },
  inspectAuthorization: { query: '' },
  decideAuthorization: { requestId: 'unknown', allow: true },
}

/** Of the operations that take a form. */
const forms: Readonly<Record<string, string>> = {
  issueToken: 'grant_type=client_credentials&client_id=plk_unknown&client_secret=unknown',
  introspectToken: 'token=unknown&client_id=plk_unknown&client_secret=unknown',
  revokeToken: 'token=unknown&client_id=plk_unknown&client_secret=unknown',
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** A valid body, and its type. */
const bodyOf = (id: string): Call =>
  forms[id] ? { body: forms[id], headers: FORM } : bodies[id] ? { body: bodies[id] } : {}

before(async () => {
  service = await startGoogleService(GENEROUS_LIMITS)
  token = await service.signIn('ana@example.com')
})
after(() => service.close())

type Callable = Pick<GoogleService, 'call'>

/** Checks the answer against the document. */
async function ask(route: string, call: Call = {}, of: Callable = service): Promise<Answer> {
  const answer = await of.call(route, call)
  assertDocumented(route, answer)
  const { id } = operationOf(route)
  const code = codeIn(answer.body)
  seen.add(`${id} ${code ?? answer.status}`)
  for (const name of ownHeadersOf(answer)) seenHeaders.add(`${code ?? `${id} ${answer.status}`} ${name}`)
  return answer
}

/** The same, with the expected code. */
async function askFor(code: string | number, route: string, call: Call = {}, of: Callable = service): Promise<any> {
  const answer = await ask(route, call, of)
  const isOAuth = typeof answer.body?.error === 'string'
  const expected = isOAuth && typeof code === 'string' ? oauthErrorOf(code as ErrorCode).error : code
  assert.equal(codeIn(answer.body) ?? answer.status, expected, `${route}: ${answer.text}`)
  return answer.body
}

const path = (route: string) => route.replace('{id}', 'unknown')

test('the checks common to all operations are answered as documented', async () => {
  for (const operation of operations) {
    const { route: pattern, id, content } = operation
    const route = path(pattern)
    const isAuthenticated = takesToken(operation)
    const call: Call = {
      ...(isAuthenticated ? { token } : {}),
      ...bodyOf(id),
    }
    const endsToken = id === 'revokeTokens' || id === 'signOut' || id === 'deleteMe'
    const right = endsToken ? { token: await service.signIn(`${id.toLowerCase()}@example.com`) } : call
    if (!route.startsWith('GET')) {
      await askFor('PAYLOAD_TOO_LARGE', route, { ...right, body: `"${'x'.repeat(70_000)}"` })
      const headers = { 'content-type': 'application/json; charset=utf-16' }
      await askFor('UNSUPPORTED_MEDIA_TYPE', route, { ...right, body: '{"a":1}', headers })
      await askFor('VALIDATION_FAILED', route, { ...right, body: id in forms ? '%' : '{' })
    }
    const [method = '', below = ''] = route.split(' ')
    const lines = [`${method} /api/v1${below} HTTP/1.1`, 'Host: one', 'Host: two', `Authorization: Bearer ${token}`]
    const twoHosts = await sendRaw(service.origin, lines)
    if (id in forms) assertOAuthError(twoHosts, 'VALIDATION_FAILED', /exactly one Host header/)
    else assertError(twoHosts, 'VALIDATION_FAILED', 'The request must have exactly one Host header.')
    assertDocumented(route, twoHosts)
    seen.add(`${id} ${codeIn(twoHosts.body)}`)
    if (isAuthenticated) {
      await askFor('UNAUTHORIZED', route, { ...right, token: 'forged' })
      await askFor('CURRENCY_NOT_SUPPORTED', route, { ...right, headers: { 'x-currency': 'USD' } })
    }
    if (`${content.responses[403]?.description}`.includes('ORIGIN_NOT_ALLOWED')) {
      await askFor('ORIGIN_NOT_ALLOWED', route, { ...right, headers: { origin: 'https://evil.example' } })
    }
    await askFor('HEADERS_TOO_LARGE', route, {
      ...right,
      headers: { ...right.headers, 'x-large': 'x'.repeat(20_000) },
    })
    await ask(route, right)
  }
})

test('a body is documented as required exactly where the service requires one', async () => {
  for (const { route, id, content } of operations.filter(({ content: { requestBody } }) => requestBody)) {
    const call = id in forms ? { headers: FORM, body: '' } : { token }
    assert.equal((await ask(path(route), call)).status === 400, content.requestBody.required, id)
  }
})

test('a sign-in by magic link is answered as documented, from the request to a used link', async () => {
  const [email, redirectTo] = ['bob@example.com', 'https://evil.example/']
  await askFor('REDIRECT_NOT_ALLOWED', 'POST /auth/request', { body: { email, redirectTo } })
  await askFor(200, 'POST /auth/request', { body: { email } })
  const mail = await service.smtp.mailTo(email)
  const { search, searchParams } = linkIn(mail)
  const button = new URLSearchParams(linkIn(mail, '/not-me').hash.slice(1)).get('token')
  await askFor(200, 'POST /auth/links/not-me/inspect', { body: { token: button } })
  const verify = `GET /auth/verify${search}`
  await askFor('VALIDATION_FAILED', 'GET /auth/verify')
  await askFor('REDIRECT_NOT_ALLOWED', `${verify}&redirectTo=${redirectTo}`)
  await askFor(302, verify, { headers: { accept: 'text/html' } })
  await askFor(200, 'POST /auth/links/inspect', { body: { token: searchParams.get('token') } })
  const { token: owner } = await askFor(200, verify)
  await askFor('LINK_INVALID', verify)
  const { sessions } = await askFor(200, 'GET /auth/sessions', { token: owner })
  await askFor(200, `POST /auth/sessions/${sessions[0].id}/revoke`, { token: owner })
})

test('an account made by a program and claimed by its owner is answered as documented', async () => {
  const email = 'eve@example.com'
  const { apiKey, keySecret } = await askFor(201, 'POST /auth/api/signup', { body: { email } })
  await service.smtp.mailTo(email)
  const exchange = 'POST /auth/api/token'
  const credentials = { body: { keyId: apiKey.keyId, keySecret } }
  const program = (await askFor(200, exchange, credentials)).token
  await askFor('EMAIL_TAKEN', 'POST /auth/api/signup', { body: { email } })
  await askFor('SIGN_IN_REQUIRED', `POST /auth/api-keys/${apiKey.id}/keep`, { token: program })

  const owner = await service.signIn(email)
  await askFor('KEY_AWAITS_OWNER', exchange, credentials)
  const once = { token: owner, headers: { 'idempotency-key': 'tour-key' } }
  for (const answer of [201, 'ALREADY_CREATED']) await askFor(answer, 'POST /auth/api-keys', once)
  await askFor('IDEMPOTENCY_CONFLICT', 'POST /auth/api-keys', { ...once, body: { name: 'Another' } })
  for (let keys = 1; keys < 25; keys++) await askFor(201, 'POST /auth/api-keys', { token: owner })
  await askFor('KEY_LIMIT_REACHED', 'POST /auth/api-keys', { token: owner })
  const { apiKeys } = await askFor(200, 'GET /auth/api-keys', { token: owner })
  await askFor('KEY_LIMIT_REACHED', `POST /auth/api-keys/${apiKey.id}/keep`, { token: owner })
  await askFor(200, `POST /auth/api-keys/${apiKeys[0].id}/revoke?withDescendants=true`, { token: owner })
  await askFor('VALIDATION_FAILED', `POST /auth/api-keys/${apiKeys[0].id}/revoke?withDescendants=yes`, { token: owner })
  await askFor('KEY_NOT_ACTIVE', `POST /auth/api-keys/${apiKeys[0].id}/rotate`, { token: owner })
  const rotate = `POST /auth/api-keys/${apiKeys[1].id}/rotate`
  const anew = { token: owner, headers: { 'idempotency-key': 'tour-rotation' } }
  for (const answer of [200, 'ALREADY_CREATED']) await askFor(answer, rotate, anew)
  await askFor('IDEMPOTENCY_CONFLICT', rotate, { ...anew, body: { graceSeconds: 1 } })
  await askFor(200, `GET /auth/api-keys/${apiKeys[1].id}/descendants`, { token: owner })
  await askFor(200, `GET /auth/api-keys/${apiKeys[1].id}/uses`, { token: owner })
  await askFor(200, `POST /auth/api-keys/${apiKey.id}/keep`, { token: owner })
  await askFor('VALIDATION_FAILED', 'GET /auth/events?limit=0', { token: owner })
  const { nextCursor } = await askFor(200, 'GET /auth/events?limit=1', { token: owner })
  await askFor(200, `GET /auth/events?cursor=${nextCursor}`, { token: owner })
  const [{ token: ofKey }, another] = [await askFor(200, exchange, credentials), `POST /auth/api-keys/${apiKeys[1].id}`]
  const routes = [
    `${another}/revoke`,
    `${another}/rotate`,
    'DELETE /users/me',
    'GET /users/me/export',
    'POST /auth/tokens/revoke',
    'POST /auth/sign-out',
    'GET /auth/sessions',
    'POST /auth/sessions/unknown/revoke',
  ]
  for (const route of routes) await askFor('SIGN_IN_REQUIRED', route, { token: ofKey })
  await askFor(200, 'GET /auth/check', { token: ofKey })
})

test('restricted keys are answered as documented, by every operation that needs a scope', async () => {
  const owner = await service.signIn('restricted@example.com')
  const restrictions = { scopes: ['payment_links:write'], maxAmount: { RON: 1 } }
  const made = await askFor(201, 'POST /auth/api-keys', { token: owner, body: { restrictions } })
  const exchange = { body: { keyId: made.apiKey.keyId, keySecret: made.keySecret } }
  const { token: limited } = await askFor(200, 'POST /auth/api/token', exchange)
  await askFor('AMOUNT_NOT_ALLOWED', 'POST /payment-links', { token: limited, body: { amount: 2, title: 'Tour' } })
  const scoped = operations.filter(({ content }) =>
    codesOf(content.responses[403] ?? {}).includes('INSUFFICIENT_SCOPE'),
  )
  const writes = { ...restrictions, scopes: ['events:read'] }
  const update = `PATCH /auth/api-keys/${made.apiKey.id}`
  await askFor(200, update, { token: owner, body: { name: null, restrictions: writes } })
  for (const { route, id } of scoped.filter(({ id: each }) => each !== 'listEvents'))
    await askFor('INSUFFICIENT_SCOPE', path(route), { token: limited, ...(bodies[id] && { body: bodies[id] }) })
  await askFor(200, update, { token: owner, body: { restrictions: { scopes: ['keys:write'] } } })
  await askFor('SIGN_IN_REQUIRED', update, { token: limited, body: { restrictions: null } })
  await askFor('INSUFFICIENT_SCOPE', 'GET /auth/events', { token: limited })
})

test('the consent to an app is answered as documented, up to the limit of apps', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('consenting@example.com')
  await askFor(302, `GET /oauth/authorize?${app.query()}`)
  await askFor(200, 'POST /oauth/authorize/inspect', { token: owner, body: { query: app.query() } })
  const program = (await service.call('POST /auth/api-keys', { token: owner, body: {} })).body
  const exchange = { keyId: program.apiKey.keyId, keySecret: program.keySecret }
  const { token: ofKey } = (await service.call('POST /auth/api/token', { body: exchange })).body
  const requestId = (await askAsApp(service, owner, app)).id
  const allow = { token: owner, body: { requestId, allow: true } }
  await askFor(200, 'POST /oauth/authorize/decide', allow)
  await askFor('CONSENT_ENDED', 'POST /oauth/authorize/decide', allow)
  await connect(service, owner, app)
  const key = service.db.query.selectFrom('api_keys').selectAll().where('kind', '=', 'app')
  const { id: userId } = await userOf(service.db, 'consenting@example.com')
  const row = await key.where('user_id', '=', userId).limit(1).executeTakeFirstOrThrow()
  for (let n = 2; n < 50; n += 1) {
    const copy = { ...row, id: `app-${n}`, key_id: `app-${n}`, secret_hash: `app-${n}` }
    await service.db.query.insertInto('api_keys').values(copy).execute()
  }
  const last = { token: owner, body: { requestId: (await askAsApp(service, owner, app)).id, allow: true } }
  await askFor('APP_LIMIT_REACHED', 'POST /oauth/authorize/decide', last)
  await askFor(200, 'GET /auth/apps', { token: owner })
  const [connected] = await appsOf(service, owner)
  await askFor(200, `POST /auth/apps/${connected.id}/revoke`, { token: owner })
  await askFor('SIGN_IN_REQUIRED', 'GET /auth/apps', { token: ofKey })
  const routes = {
    revokeApp: 'auth/apps/unknown/revoke',
    inspectAuthorization: 'oauth/authorize/inspect',
    decideAuthorization: 'oauth/authorize/decide',
  }
  for (const [id, route] of Object.entries(routes))
    await askFor('SIGN_IN_REQUIRED', `POST /${route}`, { token: ofKey, ...bodyOf(id) })
})

test('OAuth clients are answered as documented', async () => {
  const key = await createKey(service, await service.signIn('oauth@example.com'))
  const grant = { grant_type: 'client_credentials' }
  const asked = async (code: string | number, operation: string, fields: Fields, headers: Fields = {}) => {
    const form = { body: new URLSearchParams(fields).toString(), headers: { ...FORM, ...headers } }
    return askFor(code, `POST /oauth/${operation}`, form)
  }
  const { access_token: mine } = await asked(200, 'token', { ...grant, ...postOf(key) })
  await asked('UNSUPPORTED_GRANT_TYPE', 'token', { grant_type: 'password', ...postOf(key) })
  await asked('INVALID_SCOPE', 'token', { ...grant, ...postOf(key), scope: 'openid' })
  const unknown = { code: 'x', client_id: 'x', redirect_uri: 'x', code_verifier: 'x' }
  await asked('INVALID_GRANT', 'token', { grant_type: 'authorization_code', ...unknown })
  await asked('INVALID_TARGET', 'token', { ...grant, ...postOf(key), resource: 'x' })
  await asked('INVALID_CREDENTIALS', 'token', grant)
  const gateway = await introspectingKey(service, 'oauth-gateway@example.com')
  await asked(200, 'introspect', { token: mine }, basicOf(gateway))
  await asked(200, 'introspect', { token: 'unknown' }, basicOf(gateway))
  await asked('INSUFFICIENT_SCOPE', 'introspect', { token: mine }, basicOf(key))
  await asked('UNAUTHORIZED', 'introspect', { token: mine }, { authorization: 'Bearer x' })
  await asked('INVALID_GRANT', 'revoke', { token: mine, ...postOf(gateway) })
  const waiting = (await signUpAndClaim(service, 'oauth-waiting@example.com')).key
  await asked('KEY_AWAITS_OWNER', 'token', { ...grant, ...postOf(waiting) })
  await asked('KEY_AWAITS_OWNER', 'introspect', { token: mine, ...postOf(waiting) })
  await asked('KEY_AWAITS_OWNER', 'revoke', { token: mine, ...postOf(waiting) })
  await asked(200, 'revoke', { token: mine, client_id: key.apiKey.keyId })
})

test('payment links are answered as documented, also where there is no exchange rate', async () => {
  const right = { token, body: bodies['createPaymentLink'], headers: { 'idempotency-key': 'tour-1' } }
  const one = `/payment-links/${(await askFor(201, 'POST /payment-links', right)).paymentLink.id}`
  await askFor(201, 'POST /payment-links', right)
  await askFor('IDEMPOTENCY_CONFLICT', 'POST /payment-links', { ...right, body: { amount: 1, title: 'x' } })
  const inEuro = { token, headers: { 'x-currency': 'EUR' } }
  const asked = [
    ['VALIDATION_FAILED', 'GET /payment-links?limit=0'],
    [200, `GET ${one}`],
    [200, `GET ${one}/public`],
  ] as const
  for (const [code, route] of asked) await askFor(code, route, { token })
  for (const route of [`GET ${one}`, 'GET /payment-links', `POST ${one}/deactivate`]) await askFor(200, route, inEuro)
})

test('the buttons of a mail are answered as documented', async () => {
  const email = 'button@example.com'
  const tokenOf = (mail: ReceivedMail, page: string) => ({ token: linkIn(mail, page).hash.replace('#token=', '') })
  await askFor(200, 'POST /auth/request', { body: { email } })
  const first = await service.smtp.mailTo(email)
  await askFor(200, 'POST /auth/links/not-me', { body: tokenOf(first, '/not-me') })
  await askFor(200, 'POST /auth/request', { body: { email } })
  const second = await service.smtp.mailTo(email)
  await askFor(200, 'POST /auth/mail/resume', { body: tokenOf(second, '/resume-mail') })
})

test('a change of the address is answered as documented, from the request to the undo', async () => {
  const [email, newEmail] = ['changing@example.com', 'changed@example.com']
  const mine = { token: await service.signIn(email) }
  await askFor(202, 'POST /users/me/email', { ...mine, body: { email: newEmail } })
  const tokenIn = (mail: ReceivedMail, page: string) => ({ token: linkIn(mail, page).hash.replace('#token=', '') })
  const body = tokenIn(await service.smtp.mailTo(newEmail), '/confirm-email')
  await askFor('SIGN_IN_REQUIRED', 'POST /auth/email/confirm', { token, body })
  await askFor('LINK_INVALID', 'POST /auth/email/confirm', { ...mine, body: { token: 'unknown' } })
  const taken = 'taken-meanwhile@example.com'
  await askFor(202, 'POST /users/me/email', { ...mine, body: { email: taken } })
  const late = tokenIn(await service.smtp.mailTo(taken), '/confirm-email')
  await service.signUp(taken)
  await askFor('EMAIL_TAKEN', 'POST /auth/email/confirm', { ...mine, body: late })
  await askFor(202, 'POST /users/me/email', { ...mine, body: { email: newEmail } })
  const again = tokenIn(await service.smtp.mailTo(newEmail), '/confirm-email')
  const changed = await askFor(200, 'POST /auth/email/confirm', { ...mine, body: again })
  service.clock.advance(11 * 60_000)
  await askFor('SIGN_IN_REQUIRED', 'POST /users/me/email', { token: changed.token, body: { email } })
  const notice = await service.smtp.mailTo(email, undefined, '/undo-email#')
  await askFor(200, 'POST /auth/email/undo', { body: tokenIn(notice, '/undo-email') })
  await askFor('LINK_INVALID', 'POST /auth/email/undo', { body: { token: 'unknown' } })
})

test('a sign-in with Google is answered as documented, from its start to a connection that ends', () =>
  signInWithGoogle(service, ask))

test('an unreachable Google is answered as documented', async () => {
  const away = await startGoogleService(GENEROUS_LIMITS)
  try {
    const started = await startFlow(away)
    away.issuer.handlers.token = away.issuer.handlers.jwks = (_request, response) => void response.writeHead(500).end()
    const answer = await comeBack(away, started.jar, { state: started.state, code: 'x' })
    assertDocumented('GET /auth/google/callback', answer)
    seen.add(`googleCallback ${answer.body.error.code}`)
    const body = { credential: away.issuer.sign() }
    const mine = { token: await away.signIn('away@example.com') }
    await askFor('GOOGLE_UNAVAILABLE', 'POST /auth/google/onetap', { body }, away)
    await askFor('GOOGLE_UNAVAILABLE', 'POST /auth/google/connection', { ...mine, body }, away)
  } finally {
    await away.close()
  }
})

test('a service without Google, or at a limit of payment links, answers as documented', async () => {
  const without = await startService({ ...GENEROUS_LIMITS, PAYMENT_LINK_LIMIT: '1' })
  try {
    const mine = { token: await without.signIn('ana@example.com') }
    for (const operation of operations.filter((each) => /google|oneTap/i.test(each.id))) {
      const { route, id } = operation
      const call = {
        ...(bodies[id] ? { body: bodies[id] } : {}),
        ...(takesToken(operation) ? mine : {}),
        // A flow of before Google was removed.
        ...(id === 'googleCallback' ? { headers: (await startFlow(service)).jar.header() } : {}),
      }
      await askFor(
        'GOOGLE_NOT_CONFIGURED',
        `${route}${id === 'googleCallback' ? '?code=x&state=x' : ''}`,
        call,
        without,
      )
    }
    for (const answer of [201, 'PAYMENT_LINK_LIMIT_REACHED'])
      await askFor(answer, 'POST /payment-links', { ...mine, body: { amount: 1, title: 'x' } }, without)
    assert.equal((await askFor(200, 'GET /auth/config', {}, without)).google, null)
  } finally {
    await without.close()
  }
})

test('a service with closed signup, or with a frontend that moved during a sign-in, answers as documented', async () => {
  const begun = await startFlow(service, { redirectTo: `${service.origin}/back` })
  const closed = await startGoogleService({ ...GENEROUS_LIMITS, SIGNUP: 'closed', APP_URL: 'https://app.example' })
  try {
    const query = new URLSearchParams({ state: begun.state, code: 'x' }).toString()
    await askFor('REDIRECT_NOT_ALLOWED', `GET /auth/google/callback?${query}`, { headers: begun.jar.header() }, closed)
    closed.issuer.handlers.discovery = (_request, response) => void response.writeHead(500).end()
    await askFor('GOOGLE_UNAVAILABLE', 'GET /auth/google/start', {}, closed)
    delete closed.issuer.handlers.discovery
    closed.clock.advance(5000)
    const email = 'new@example.com'
    await askFor('SIGNUP_CLOSED', 'POST /auth/api/signup', { body: { email } }, closed)
    await askFor(200, 'POST /auth/request', { body: { email } }, closed)
    const { search } = linkIn(await closed.smtp.mailTo(email))
    await askFor('SIGNUP_CLOSED', `GET /auth/verify${search}`, {}, closed)
    await askFor('SIGNUP_CLOSED', 'POST /auth/google/onetap', { body: { credential: closed.issuer.sign() } }, closed)
    const { state, nonce, jar } = await startFlow(closed)
    closed.issuer.idToken = closed.issuer.sign(closed.issuer.claims({ nonce }))
    await askFor('SIGNUP_CLOSED', `GET /auth/google/callback?code=x&state=${state}`, { headers: jar.header() }, closed)
    await askFor(200, 'GET /auth/config', {}, closed)
  } finally {
    await closed.close()
  }
})

test('every operation with a limit answers as documented at its limit', async () => {
  const limits = [
    'REQUEST_CLIENT',
    'EMAIL_CHANGES',
    'APP_REQUESTS',
    'SIGNUP_HOUR',
    'EXCHANGE_FAILURES',
    'SIGN_IN_FAILURES',
    'KEY_CREATION',
    'EXPORT',
    'LEAK_REPORTS',
    'PAYMENT_LINKS',
    'READS',
  ]
  const strict = await startGoogleService({
    RATE_LIMITS: 'on',
    ...Object.fromEntries(limits.map((name) => [`RATE_LIMIT_${name}`, '1/1h'])),
  })
  try {
    const mine = await strict.signIn('limits@example.com')
    // Only widening a key is limited. This creation uses up the limit.
    const key = { token: mine, body: { restrictions: { currencies: ['EUR'] } } }
    const { apiKey } = await askFor(201, 'POST /auth/api-keys', key, strict)
    for (const operation of operations.filter((each) => each.content.responses[429])) {
      const { id } = operation
      const isUpdate = id === 'updateKey'
      const route = isUpdate ? operation.route.replace('{id}', apiKey.id) : operation.route
      const call = {
        ...(isUpdate ? { body: { restrictions: null } } : bodyOf(id)),
        ...(takesToken(operation) ? { token: mine } : {}),
        ...(id === 'googleCallback' ? { headers: (await startFlow(strict)).jar.header() } : {}),
      }
      const query = { verifyLink: '?token=unknown', googleCallback: '?code=x&state=x' }[id] ?? ''
      await ask(route + query, call, strict)
      await askFor('RATE_LIMITED', route + query, call, strict)
    }
  } finally {
    await strict.close()
  }
})

test('every documented answer occurred above, except those to internal faults', () => {
  const documented = operations.flatMap(({ id, content }) =>
    Object.entries(content.responses).flatMap(([status, response]) => {
      const answers = status < '400' ? [status] : codesOf(response)
      return answers.filter((code) => !FAULTS.has(code)).map((answer) => `${id} ${answer}`)
    }),
  )
  assert.deepEqual(
    documented.filter((each) => !seen.has(each)),
    [],
  )
})

test('every documented header field occurred above: of a success by operation, of an error by code', () => {
  const missing = operations.flatMap(({ id, content }) =>
    Object.entries<any>(content.responses).flatMap(([status, { headers = {}, ...response }]) => {
      const codes = codesOf(response)
      if (codes.some((code) => FAULTS.has(code))) return []
      const answers = status < '400' ? [`${id} ${status}`] : codes
      return Object.keys(headers)
        .filter((name) => !answers.some((answer) => seenHeaders.has(`${answer} ${name.toLowerCase()}`)))
        .map((name) => `${id} ${status} ${name}`)
    }),
  )
  assert.deepEqual(missing, [])
})
