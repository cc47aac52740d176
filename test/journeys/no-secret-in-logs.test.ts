/** At LOG_LEVEL=trace the log contains no issued secret, and the database no usable one. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startApp } from '../support/accounts/apps.ts'
import { textAtRest } from '../support/database/at-rest.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import type { CliProcess } from '../support/process/process.ts'
import { secretsIn, spellings } from '../support/secret-search.ts'
import { connectToDatabase, databaseEnv, query } from '../support/process/served.ts'
import { linkIn, startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const folder = temporaryFolder()
const secrets = new Map<string, string>([
  ['JWT_SECRET', randomBytes(36).toString('base64')],
  ['JWT_SECRET_VERIFY', randomBytes(36).toString('base64')],
  ['SMTP password', randomBytes(18).toString('hex')],
  ['METRICS_TOKEN', randomBytes(24).toString('hex')],
  ['CHANGES_TOKEN', randomBytes(24).toString('hex')],
])
const secret = (name: string) => secrets.get(name) ?? assert.fail(`no ${name}`)
let smtp: SmtpStandIn
let service: CliProcess
let port: number
let refusesMail = false
let output = ''

async function call(route: string, body?: unknown, headers: Record<string, string> = {}): Promise<any> {
  const [method = '', path = ''] = route.split(' ')
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

const bearer = (name: string) => ({ authorization: `Bearer ${secret(name)}` })

before(async () => {
  port = await freePort()
  smtp = await startSmtp({
    disabledCommands: ['STARTTLS'],
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    // A server that refuses mail and repeats its text in the reply.
    beforeAnswer: async ({ message }) =>
      refusesMail ? Object.assign(new Error(message.text?.replace(/\s+/g, ' ')), { responseCode: 451 }) : undefined,
  })
  const smtpUrl = new URL(smtp.url)
  smtpUrl.username = 'mailer'
  smtpUrl.password = secret('SMTP password')
  service = runCli(['serve'], {
    cwd: folder.path,
    env: {
      ...(await databaseEnv(folder.path)),
      PORT: String(port),
      LOG_LEVEL: 'trace',
      RATE_LIMITS: 'off',
      JWT_SECRET: secret('JWT_SECRET'),
      JWT_SECRET_VERIFY: secret('JWT_SECRET_VERIFY'),
      SMTP_URL: smtpUrl.href,
      METRICS_TOKEN: secret('METRICS_TOKEN'),
      CHANGES_TOKEN: secret('CHANGES_TOKEN'),
    },
  })
  await service.waitFor('curl')
})

after(async () => {
  service.kill('SIGKILL')
  await service.exited
  await smtp.close()
  folder.remove()
})

test('the search finds a planted secret in every encoding', () => {
  const planted = 'p/+ä"\\pls_secret-with-all-kinds-of-characters'
  for (const [encoding, spelling] of spellings(planted)) {
    assert.ok(secretsIn(`before ${spelling} after`, new Map([['planted', planted]])).includes(`planted, ${encoding}`))
  }
  for (const around of ['', 'a', 'ab', 'abc', 'mailer:']) {
    const text = `${around}${planted}${around}`
    const bytes = Buffer.from(text)
    const logged = [
      encodeURIComponent(text),
      JSON.stringify({ msg: text }),
      JSON.stringify({ msg: JSON.stringify({ text }) }),
      ...(['base64', 'base64url', 'hex'] as const).map((encoding) => bytes.toString(encoding)),
    ]
    for (const line of logged) {
      assert.notDeepEqual(secretsIn(line, new Map([['planted', planted]])), [], line)
    }
  }
  assert.deepEqual(secretsIn('nothing here', new Map([['planted', planted]])), [])
})

test('journeys: a program and a person use every feature', async () => {
  const signedUp = await call('POST /api/v1/auth/api/signup', { email: 'ana@example.com', name: 'Ana' })
  secrets.set('signup token', signedUp.body.token).set('first key', signedUp.body.keySecret)
  const created = await call('POST /api/v1/auth/api-keys', { name: 'second' }, bearer('signup token'))
  secrets.set('second key', created.body.keySecret)
  const { keyId } = created.body.apiKey
  const exchanged = await call('POST /api/v1/auth/api/token', { keyId, keySecret: secret('second key') })
  secrets.set('exchanged token', exchanged.body.token)
  await call('GET /api/v1/auth/api-keys', undefined, bearer('exchanged token'))

  const redirectTo = `http://localhost:${port}/after?with=query`
  await call('POST /api/v1/auth/request', { email: 'ana@example.com', redirectTo })
  const mail = await smtp.mailTo('ana@example.com', 5000, '/auth/verify?')
  const token = linkIn(mail).searchParams.get('token') ?? ''
  secrets.set('used link', token).set('not-me link', linkIn(mail, '/not-me').hash.replace('#token=', ''))
  await call('POST /api/v1/auth/links/inspect', { token })
  await call(`HEAD /api/v1/auth/verify?token=${token}`)
  await call(`GET /api/v1/auth/verify?token=${token}`, undefined, { accept: 'text/html' })
  const verified = await call(`GET /api/v1/auth/verify?token=${token}`)
  secrets.set('sign-in token', verified.body.token)
  assert.equal((await call('GET /api/v1/users/me', undefined, bearer('sign-in token'))).status, 200)
  await call(`POST /api/v1/auth/api-keys/${created.body.apiKey.id}/keep`, undefined, bearer('sign-in token'))
  const rotated = await call(
    `POST /api/v1/auth/api-keys/${created.body.apiKey.id}/rotate`,
    { graceSeconds: 60 },
    bearer('sign-in token'),
  )
  secrets.set('rotated key', rotated.body.keySecret)
  assert.equal((await call('GET /metrics', undefined, bearer('METRICS_TOKEN'))).status, 200)
  assert.equal((await call('GET /api/v1/auth/changes', undefined, bearer('CHANGES_TOKEN'))).status, 200)
  assert.equal((await call('GET /metrics', undefined, bearer('sign-in token'))).status, 401)
  assert.equal((await call('GET /api/v1/auth/check', undefined, bearer('METRICS_TOKEN'))).status, 401)
})

test('journeys: a person lets an app in, and clients use OAuth', async (t) => {
  const app = await startApp(t)
  const asking = app.query()
  secrets.set('code verifier', app.codeVerifier)
  const form = (path: string, fields: Record<string, string>) =>
    call(`POST /api/v1/oauth/${path}`, new URLSearchParams(fields).toString(), FORM)
  await call(`GET /api/v1/oauth/authorize?${asking}`)
  const asked = await call('POST /api/v1/oauth/authorize/inspect', { query: asking }, bearer('sign-in token'))
  const { id: requestId } = asked.body.request
  const decided = await call('POST /api/v1/oauth/authorize/decide', { requestId, allow: true }, bearer('sign-in token'))
  secrets.set('code', new URL(decided.body.redirectTo).searchParams.get('code') ?? '')
  const presented = { client_id: app.clientId, redirect_uri: app.redirectUri, code_verifier: app.codeVerifier }
  const code = { grant_type: 'authorization_code', code: secret('code') }
  const redeemed = await form('token', { ...code, ...presented })
  secrets.set('app token', redeemed.body.access_token)
  assert.equal((await call('GET /api/v1/users/me', undefined, bearer('app token'))).status, 200)
  assert.equal((await form('token', { ...code, ...presented })).status, 400)
  for (const place of ['code', 'code verifier', 'app token', 'second key'].map(secret)) {
    await form('token', { grant_type: place, scope: place, resource: place, client_id: place, code: place })
    await form('token', { ...code, ...presented, redirect_uri: place, code_verifier: place })
    await form(`token?code=${place}`, { grant_type: 'client_credentials', client_id: place, client_secret: place })
    await form('introspect', { token: place, client_id: place, client_secret: place })
    await form('revoke', { token: `${place}x`, client_id: place })
    const pasted = { query: `client_id=https://${place}.invalid/${place}&redirect_uri=${place}&state=${place}` }
    await call('POST /api/v1/oauth/authorize/inspect', pasted, bearer('sign-in token'))
    await call('POST /api/v1/oauth/authorize/decide', { requestId: place, allow: true }, bearer('sign-in token'))
  }
})

test('error paths: secrets in every field where none belongs', async () => {
  const key = secret('second key')
  const jwt = secret('sign-in token')
  const link = secret('used link')
  const notMe = secret('not-me link')
  for (const place of [key, jwt, link, notMe]) {
    await call('POST /api/v1/auth/api/token', `{"keyId": "plk_x", "keySecret": "${place}" oops`)
    await call('POST /api/v1/auth/api/token', { keyId: place, keySecret: place, extra: place })
    await call('POST /api/v1/auth/api/token', {
      keyId: 'plk_4fR7sQ0bXy2LkTz9WcNd1e',
      keySecret: `${place}${'x'.repeat(70_000)}`,
    })
    await call('POST /api/v1/auth/request', {
      email: `${place}@example.com`,
      redirectTo: `https://evil.example/${place}`,
    })
    await call('POST /api/v1/auth/links/not-me', { token: `${place}x` })
    await call(`POST /api/v1/auth/links/not-me?token=${place}`, { token: place, extra: place })
    await call('POST /api/v1/auth/api-keys/leaked', {
      secrets: [{ keySecret: `${place}x` }, { keySecret: 1, extra: place }],
    })
    await call('POST /api/v1/auth/request', `token=${place}`, { 'content-type': 'text/plain' })
    await call(`GET /api/v1/auth/verify?token=${place}&redirectTo=https://evil.example/${place}`)
    await call(`GET /api/v1/auth/verify?token=${place}&token=${place}`)
    await call(`GET /${place}`)
    await call(`GET /api/v1/unknown/${place}?token=${place}&access_token=${place}`)
    await call(`POST /api/v1/auth/api-keys/${place}/revoke`, undefined, bearer('sign-in token'))
    await call(`GET /%${place}`)
    for (const scheme of ['Basic', 'Bearer', 'Token', 'bearer bearer']) {
      await call('GET /api/v1/users/me', undefined, { authorization: `${scheme} ${place}` })
    }
    await call('GET /api/v1/users/me', undefined, {
      ...bearer('sign-in token'),
      'x-currency': place,
      'x-request-id': place,
      'x-forwarded-for': place,
      cookie: `session=${place}`,
      referer: `http://localhost/?token=${place}`,
    })
    const socket = connect(port, '127.0.0.1')
    socket.end(`GARBAGE ${place}\r\n\r\n`)
    await once(socket.resume(), 'close')
  }
})

test('faults: refused mail quoted by the server, a missing table, and a closing process', async () => {
  refusesMail = true
  await call('POST /api/v1/auth/request', { email: 'bob@example.com' })
  const refused = await smtp.mailTo('bob@example.com')
  secrets.set('refused link', linkIn(refused).searchParams.get('token') ?? '')
  await service.waitFor('mail not sent')

  // Captured before any row is deleted.
  const db = await connectToDatabase(folder.path)
  const data = join(folder.path, 'data')
  const files = existsSync(data) ? readdirSync(data).map((name) => readFileSync(join(data, name), 'latin1')) : []
  const atRest = [await textAtRest(db), ...files].join('\n')
  assert.ok(atRest.includes('bob@example.com'), 'it was read')
  assert.deepEqual(secretsIn(atRest, secrets), [])

  for (const table of ['api_keys', 'magic_links']) await query(db, `alter table ${table} rename to gone_${table}`)
  await db.close()
  const keySecret = secret('first key')
  assert.equal((await call('POST /api/v1/auth/api/token', { keyId: 'plk_x', keySecret })).status, 500)
  assert.equal((await call(`GET /api/v1/auth/verify?token=${secret('refused link')}`)).status, 500)
  assert.equal((await call('GET /api/v1/users/me', undefined, bearer('sign-in token'))).status, 500)

  service.kill('SIGTERM')
  output = (await service.exited).output
  assert.match(output, /no such table|relation .* does not exist/, 'the causes are in the log')
})

test('no issued secret is in the log, in any encoding [K9, A29]', () => {
  assert.equal(secrets.size, 17)
  const requests = output.split('\n').filter((line) => line.includes('"msg":"request"'))
  assert.ok(requests.length > 50, `there is a log to search: ${requests.length} requests`)
  assert.deepEqual(secretsIn(output, secrets), [])
})

test('no query string, link, mail text or address is in the log either', () => {
  for (const text of [
    '?token',
    'token=',
    'redirectTo',
    'with=query',
    'code=',
    'client_id=',
    '/auth/verify?',
    'expires in 10 minutes',
    'ana@',
    'bob@',
  ]) {
    assert.equal(output.includes(text), false, text)
  }
})
